-- One row per document and tokenizer: its length in that tokenizer's tokens.
select
    doc_id,
    tokenizer,
    n_tokens,
    landed_at
from {{ source('landed', 'token_counts') }}
