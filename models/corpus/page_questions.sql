-- One row per usable page whose query extraction is settled: the question to remove, '' where it asks none.
select
    texts.page_id,
    texts.text_sha256,
    texts.text,
    coalesce(texts.blocks, '[]') as blocks,
    {{ sha256_hex("coalesce(texts.blocks, '[]')") }} as blocks_sha256,
    case
        when extractions.is_from_page_question then extractions.question_verbatim
        else ''
    end as question_verbatim,
    {{ sha256_hex("case when extractions.is_from_page_question then extractions.question_verbatim else '' end") }}
        as question_sha256
from {{ ref('texts') }} as texts
inner join {{ ref('extractions') }} as extractions
    on texts.page_id = extractions.page_id
where texts.outcome = 'ok' and not texts.is_degenerate
