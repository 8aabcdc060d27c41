"""Why a pair has its label: everything that the warehouse holds about one query and one document."""

from typing import Any

from mathpinpoint.warehouse import WarehouseError

PAIR = "query_id = $query and doc_id = $doc"
ACTIVE = "inner join staging.active_policy using (policy)"
REPLY = """
    ask, attempt, outcome, label, is_query_evaluable, answer_validity, reason_codes, confidence, rationale,
    is_repaired, is_consistent, model, model_reported, prompt_sha256, parameters, truncation_chars, layout,
    position, label_round, prompt_tokens, completion_tokens, request_key
"""
PARTS = {
    "query": """
        select query_id, query_text, source_doc_id, is_merged_away, edit_ops, copied_share
        from queries.queries where query_id = $query
    """,
    "document": """
        select doc_id, page_id, title, n_chars, n_pages, left(text, 400) as beginning
        from corpus.documents where doc_id = $doc
    """,
    "ranks": f"select * exclude (query_id, doc_id) from retrieval.ranks where {PAIR}",
    "weights": f"""
        select route, weight, rrf_k from policy.routes {ACTIVE}
        order by case route when 'dense' then 0 when 'bm25' then 1 else 2 end
    """,
    "candidate": f"select rule, is_new, is_long, n_tokens, is_source_page from retrieval.candidates where {PAIR}",
    "reranker": f"select reranker_score, reranker_rank from judging.reranker_ranks where {PAIR}",
    "assignments": f"""
        select stage, rule, judge, label_round, ask, max_chars
        from judging.assignments where {PAIR} order by ask nulls last, judge
    """,
    "replies": f"""
        select {REPLY} from judging.replies
        where (request_key, attempt) in (
            select (request_key, attempt) from judging.candidate_replies where {PAIR}
            union all
            select (request_key, attempt) from judging.source_replies where {PAIR}
        )
        order by ask, attempt, request_key
    """,
    "relevance_scores": f"select model, raw_score, label from judging.model_scores where {PAIR}",
    "bands": f"select label, min_score, below_score from policy.label_bands {ACTIVE} order by label",
    "judgment": f"""
        select
            label, is_query_evaluable, judge, stage, label_round, raw_score, is_source_page, request_key, attempt
        from judging.judgments where {PAIR}
    """,
    "exclusion": f"select reason from judging.pair_exclusions where {PAIR}",
    "training": """
        select
            case when positive_doc_id = $doc then 'positive' else 'negative' end as role,
            positive_doc_id, negative_1_doc_id, negative_2_doc_id, negative_3_doc_id
        from training.rows
        where
            query_id = $query
            and $doc in (positive_doc_id, negative_1_doc_id, negative_2_doc_id, negative_3_doc_id)
    """,
    "training_outcome": "select n_positives, n_negatives, reason from training.outcomes where query_id = $query",
}
IMPORTED = {
    "imported_query": """
        select release, query_id, text, source_doc_id
        from landed.imported_queries where query_id = $query order by release
    """,
    "imported_document": """
        select release, doc_id, n_chars, left(text, 400) as beginning
        from landed.imported_documents where doc_id = $doc order by release
    """,
    "imported_labels": f"""
        select release, stage, label_round, judge, raw_score, released_label, label, is_changed, is_source_page
        from judging.imported_labels where {PAIR} order by release
    """,
    "imported_training": """
        select
            release, case when positive_doc_id = $doc then 'positive' else 'negative' end as role,
            positive_doc_id, negative_1_doc_id, negative_2_doc_id, negative_3_doc_id
        from training.imported_rows
        where
            query_id = $query
            and $doc in (positive_doc_id, negative_1_doc_id, negative_2_doc_id, negative_3_doc_id)
        order by release
    """,
    "imported_outcomes": """
        select release, n_positives, n_negatives, reason
        from training.imported_outcomes where query_id = $query order by release
    """,
}


def explain_pair(warehouse: Any, query_id: str, doc_id: str) -> dict[str, list[dict]]:
    """Rows by part, as the tables hold them; `resolution` and `arithmetic` say what follows from them.

    A pair that only an imported release knows is explained by what was imported and by its labels and training rows.
    Raises WarehouseError for an id that the warehouse does not know.
    """
    found = parts_of(warehouse, PARTS, query_id, doc_id)
    if not (found["query"] and found["document"]):
        imported = parts_of(warehouse, IMPORTED, query_id, doc_id)
        if imported["imported_query"] and imported["imported_document"]:
            return imported
    for part, name, identifier in (
        ("query", "queries.queries", query_id),
        ("document", "corpus.documents", doc_id),
    ):
        if not found[part]:
            why = "queries.query_exclusions where query_id" if part == "query" else "corpus.survivors where doc_id"
            quoted = identifier.replace("'", "''")
            raise WarehouseError(
                f"{identifier} is not in {name}. Why it was dropped: "
                f"`mathpinpoint query \"select * from {why} = '{quoted}'\"`."
            )
    return {**found, "arithmetic": arithmetic(found), "resolution": resolution(found)}


def parts_of(warehouse: Any, parts: dict[str, str], query_id: str, doc_id: str) -> dict[str, list[dict]]:
    """The rows of each part about the pair."""
    found, given = {}, {"query": query_id, "doc": doc_id}
    with warehouse.reading() as connection:
        for part, sql in parts.items():
            names = {name: value for name, value in given.items() if f"${name}" in sql}
            found[part] = connection.sql(sql, params=names or None).to_arrow_table().to_pylist()
    return found


def arithmetic(found: dict) -> str:
    """The fused score written out, route by route."""
    if not found["ranks"]:
        return "No route returned this document for this query."
    ranks, terms, total = found["ranks"][0], [], 0.0
    for row in found["weights"]:
        rank = ranks[f"{row['route']}_rank"]
        if rank is None:
            terms.append(f"{row['route']}: not returned, 0")
            continue
        part = row["weight"] / (row["rrf_k"] + rank)
        total += part
        terms.append(f"{row['route']}: {row['weight']:g} / ({row['rrf_k']} + {rank}) = {part:.9f}")
    return "; ".join(terms) + f"; sum {total:.9f}, fused rank {ranks['fused_rank']}"


def resolution(found: dict) -> str:
    """Which rule gave the label."""
    if not found["judgment"]:
        reason = (
            found["exclusion"][0]["reason"]
            if found["exclusion"]
            else "no rule sends the pair to a judge"
        )
        return f"No judgment: {reason}."
    row = found["judgment"][0]
    label = (
        "no label (the query cannot be judged)"
        if not row["is_query_evaluable"]
        else f"label {row['label']}"
    )
    if row["stage"] == "source_page":
        return f"{label}: judged by the source-page check only, {reply_of(row)}."
    if row["judge"] == "llm":
        also = (
            " The relevance model scored the pair too; the LLM's label wins."
            if row["raw_score"] is not None
            else ""
        )
        return f"{label}: the first usable reply of the LLM, {reply_of(row)}.{also}"
    band = next(one for one in found["bands"] if one["label"] == row["label"])
    low = "-∞" if band["min_score"] is None else f"{band['min_score']:g}"
    high = "∞" if band["below_score"] is None else f"{band['below_score']:g}"
    return f"{label}: no LLM label; the relevance model's {row['raw_score']:.6f} is in [{low}, {high})."


def reply_of(row: dict) -> str:
    return f"attempt {row['attempt']} of request {row['request_key'][:12]}"


def explanation_text(found: dict) -> str:
    """The explanation for a terminal."""
    from mathpinpoint.audit.query import printable

    lines = []
    for part, rows in found.items():
        if part in ("weights", "bands"):
            continue
        lines.append(part.replace("_", " "))
        if isinstance(rows, str):
            lines.append(f"  {rows}")
            continue
        if not rows:
            lines.append("  none")
        for number, row in enumerate(rows, 1):
            lead = f"{number}. " if len(rows) > 1 else ""
            lines += [
                f"  {lead}{name}: {printable(value)}"
                for name, value in row.items()
                if value is not None
            ]
    return "\n".join(lines)
