-- A prompt file whose bytes are not those that the policy pins, by name; or a pinned prompt without its file.
-- The files are read from the project folder that dbt was given, whatever the working directory.
{{ config(enabled=target.type == 'duckdb') }}
{% set project = invocation_args_dict.get('project_dir') or '.' %}
with

files as (
    select
        parse_filename(filename) as prompt,
        sha256(content) as file_sha256
    from read_blob('{{ project | replace("'", "''") }}/prompts/*_prompt.*')
),

pinned as (
    select
        prompt,
        prompt_sha256
    from {{ ref('prompts') }}
    where is_current
)

select
    coalesce(files.prompt, pinned.prompt) as prompt,
    files.file_sha256,
    pinned.prompt_sha256
from files
full join pinned
    on files.prompt = pinned.prompt
where files.file_sha256 is distinct from pinned.prompt_sha256
