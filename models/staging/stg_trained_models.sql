-- One row per model that this project trained.
select
    model_id,
    role,
    base_model,
    version,
    rows_sha256,
    n_rows,
    parameters,
    metrics,
    path,
    landed_at
from {{ source('landed', 'trained_models') }}
