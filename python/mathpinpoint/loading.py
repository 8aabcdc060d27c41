"""What each loader is given: its numbers from the policy tables, its models from the profile."""

from typing import Any

from mathpinpoint.clients.budget import Budget, Price
from mathpinpoint.warehouse import Warehouse, WarehouseError

Options = dict[str, Any]
ACTIVE = "policy = (select policy from staging.active_policy)"

# One row each: the loader's options by name.
POLICY_OPTIONS = {
    "pages": "select max_page_bytes, max_unpack_ratio as max_ratio from policy.text_limits",
    "page_texts": """
        select page_seconds as seconds, page_memory_bytes as memory_bytes, max_page_bytes
        from policy.text_limits
    """,
    "question_removals": "select max_share, max_extra_chars from policy.removal_rules",
    "query_forms": "select shingle_tokens from policy.dedup_rules",
    "evaluation_items": "select shingle_tokens from policy.dedup_rules",
    "signatures": """
        select
            shingle_tokens, permutations, bands, rows_per_band as rows, second_bands, second_rows,
            permutation_seed as seed
        from policy.dedup_rules
    """,
    "duplicate_verdicts": "select max_insertion from policy.dedup_rules",
}
PROFILE_TABLES = ("token_counts", "embeddings", "reranker_scores", "relevance_scores")
LLM_ROLES = {
    "query_extractions": "query_writer",
    "duplicate_reviews": "duplicate_reviewer",
    "query_checks": "query_checker",
    "same_problem_replies": "same_problem_judge",
    "llm_replies": "judge",
}
# Stages of a table that another role of the profile answers.
OTHER_ROLES = {"query_checks": {"query_check_second": "second_query_checker"}}


class NotSent(WarehouseError):
    """There are requests to an LLM that may not be sent as things are; none was."""


class NoEndpoint(NotSent):
    """No server to send them to."""


class NoCap(NotSent):
    """They cost money, and nobody said how much may be spent."""


def one_row(warehouse: Warehouse, sql: str) -> Options:
    """The only row of a statement, by column name."""
    rows = warehouse.table(sql).to_pylist()
    if len(rows) != 1:
        raise WarehouseError(
            f"{len(rows)} rows where one is needed: {sql}. Check seeds/policy, then run `dbt build`."
        )
    return rows[0]


def loader_options(table: str, warehouse: Warehouse, settings: Any) -> list[tuple[str, Options]]:
    """For each part of the work list (a WHERE clause, '' for all of it): the loader's options."""
    if table in POLICY_OPTIONS:
        options = one_row(warehouse, f"{POLICY_OPTIONS[table]} where {ACTIVE}")
        return [
            ("", {**options, "workers": inner_workers(settings)} if table == "page_texts" else options)
        ]
    if table == "nearest_items":
        return [("", nearest_options(warehouse))]
    if table == "runs":
        return [run_options(warehouse, route) for route in ("dense", "bm25", "ngram5")]
    if table == "recall_checks":
        return [run_options(warehouse, "dense")]
    options = {"profile": settings.profile} if table in PROFILE_TABLES else {}
    if table == "relevance_scores":
        options |= relevance_options(warehouse)
    return [("", options)]


def inner_workers(settings: Any) -> int:
    """Worker processes inside the loader of one shard, which the engine does not divide on this machine."""
    return settings.workers if settings.engine == "local" else 1


def relevance_options(warehouse: Warehouse) -> Options:
    """The relevance model in use and how well it must reproduce its own scores."""
    model = one_row(warehouse, "select model_id, path as model_path from judging.relevance_model")
    rule = one_row(
        warehouse, f"select min_probe_correlation from policy.relevance_rules where {ACTIVE}"
    )
    return {**model, **rule, "model_path": str(warehouse.home / model["model_path"])}


def run_options(warehouse: Warehouse, route: str) -> tuple[str, Options]:
    """A route's part of the work list, what it searches and its row of the seed `routes`.

    Raises WarehouseError where a document to be searched by its vector has none.
    """
    row = one_row(warehouse, f"select * from policy.routes where {ACTIVE} and route = '{route}'")
    parameters = {key: row[key] for key in ROUTE_PARAMETERS if row[key] is not None}
    options = {
        "route": route, "depth": row["depth"], "parameters": parameters, "index_folder": warehouse.home / "indexes"
    }
    if route == "dense":
        options["documents"] = warehouse.table(VECTORS.format(kind="document", id="doc_id"))
        options["query_vectors"] = warehouse.table(VECTORS.format(kind="query", id="query_id"))
        n_documents, n_vectors = warehouse.execute(N_DOCUMENTS)[0][0], options["documents"].num_rows
        if n_vectors < n_documents:
            raise WarehouseError(
                f"{n_documents - n_vectors} of {n_documents} documents have no vector in landed.embeddings. "
                "Run `mathpinpoint land embeddings`, then the same command again."
            )
    else:
        options["documents"] = warehouse.table(
            "select doc_id, text as doc_text from corpus.documents order by doc_id"
        )
    return f"where route = '{route}'", options


def nearest_options(warehouse: Warehouse) -> Options:
    """The encoder, and the vectors of evaluation items and of queries; null where one is not embedded yet."""
    return {
        **one_row(warehouse, "select encoder as model from staging.active_policy"),
        "items": warehouse.table(ITEM_VECTORS), "query_vectors": warehouse.table(QUERY_VECTORS),
    }


ITEM_VECTORS = """
select items.eval_set, items.item_id, embeddings.vector
from queries.compared_items as items
cross join staging.active_policy as active_policy
left join staging.stg_embeddings as embeddings
    on embeddings.kind = 'evaluation_item' and embeddings.id = items.eval_set || ' ' || items.item_id
    and embeddings.text_sha256 = items.item_sha256 and embeddings.model = active_policy.encoder
where not items.is_fixture order by items.eval_set, items.item_id
"""
QUERY_VECTORS = """
select pending.query_sha256, embeddings.vector
from (select query_sha256, min(query_id) as query_id from queries.nearest_items group by query_sha256) as pending
cross join staging.active_policy as active_policy
inner join staging.stg_embeddings as embeddings
    on embeddings.kind = 'query' and embeddings.id = pending.query_id
    and embeddings.text_sha256 = pending.query_sha256 and embeddings.model = active_policy.encoder
order by pending.query_sha256
"""
ROUTE_PARAMETERS = (
    "fixed_point_bits", "k1", "b", "shingle_tokens", "tokenizer",
    "max_exact_documents", "connectivity", "expansion_add", "expansion_search", "index_dtype",
)
N_DOCUMENTS = "select n_documents from retrieval.corpus_fingerprint"
VECTORS = """
select texts.id as {id}, embeddings.vector
from retrieval.texts_to_embed as texts
inner join staging.stg_embeddings as embeddings using (kind, id, text_sha256)
inner join staging.active_policy as active_policy on embeddings.model = active_policy.encoder
where texts.kind = '{kind}' order by texts.id
"""


def llm_roles(table: str) -> list[tuple[str, str]]:
    """For each part of an LLM table's work list (a WHERE clause, '' for all of it): the role that answers it."""
    others = OTHER_ROLES.get(table, {})
    parts = [(f"where stage = '{stage}'", role) for stage, role in others.items()]
    named = ", ".join(f"'{stage}'" for stage in others)
    return [(f"where stage not in ({named})" if others else "", LLM_ROLES[table]), *parts]


def prices(warehouse: Warehouse) -> dict[str, Price]:
    """What each model of seeds/policy/prices.csv costs a token."""
    rows = warehouse.execute(
        "select model, input_usd_per_million_tokens / tokens_per_price,"
        " output_usd_per_million_tokens / tokens_per_price from policy.prices"
    )
    return {model: Price(one, other) for model, one, other in rows}


def require_cap(table: str, base_url: str, models: list[str], budget: Budget) -> None:
    """Raise NoCap where another machine's model has a price and the command has no cap."""
    from mathpinpoint.clients.llm import is_loopback

    paid = [model for model in models if not budget.prices[model].is_free]
    if budget.limit_usd is None and paid and not is_loopback(base_url):
        raise NoCap(
            f"{table} asks {', '.join(paid)}, which seeds/policy/prices.csv gives a price; nothing was sent. Name the "
            "most that this command may spend with --max-usd. `mathpinpoint status` shows what all would cost."
        )
