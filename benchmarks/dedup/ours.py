"""Near-duplicates by the project itself: its loaders, its SQL, a warehouse of its own. Prints one JSON object."""

import json
import os
import sys
import tempfile
from functools import partial
from pathlib import Path

import duckdb
import pyarrow as pa
from dedup.documents import Planted, Sets, documents, told_apart
from measure import FOLDER, clock

from mathpinpoint.engines.local import map_shards
from mathpinpoint.loading import loader_options
from mathpinpoint.pipeline import PREPARED
from mathpinpoint.shards import land_shard, shards_of
from mathpinpoint.warehouse import Warehouse

MODELS_ALONE = ("--exclude-resource-type", "unit_test", "test")
BEFORE_SIGNATURES = ("keeper_order", "document_signatures", "pending_signatures")
BEFORE_VERDICTS = (
    "document_signatures", "band_members", "giant_buckets", "duplicate_pairs", "pending_duplicate_verdicts",
)
AFTER_VERDICTS = (
    "duplicate_verdicts", "duplicate_edges", "review_requests", "review_replies", "reviews", "safe_edges", "keepers",
    "survivors",
)
# Pairs that share a shingle, with their exact Jaccard: no bands, no estimate.
BRUTE_FORCE = """
with
documents as (select doc_id, shingles, len(shingles) as n from landed.signatures),
grams as (select doc_id, n, unnest(shingles) as gram from documents),
shared as (
    select a.doc_id as doc_a, b.doc_id as doc_b, a.n as n_a, b.n as n_b, count(*) as n_shared
    from grams as a inner join grams as b on a.gram = b.gram and a.doc_id < b.doc_id
    group by all
)
select doc_a, doc_b from shared where n_shared >= 0.8 * (n_a + n_b - n_shared)
"""


def doc_id(number: int) -> str:
    return f"d_{number:07d}"


def prepared(home: Path, texts: list[str]) -> Warehouse:
    """A warehouse with the policy, the empty landed tables, and the texts as its documents."""
    warehouse = Warehouse(home, FOLDER)
    warehouse.create()
    warehouse.build("--select", *PREPARED, *MODELS_ALONE)
    ids = pa.array(map(doc_id, range(len(texts))))
    with duckdb.connect(str(warehouse.file)) as connection:
        connection.register("rows", pa.table({"doc_id": ids, "text": pa.array(texts)}))
        connection.execute("create schema if not exists corpus")
        connection.execute(
            "create table corpus.exact_documents as select *, length(text) as n_chars, cast(11 as bigint)"
            " as n_formulas, false as is_math_lossy, cast(null as varchar) as question_verbatim from rows"
        )
    return warehouse


def build(warehouse: Warehouse, models: tuple[str, ...]) -> float:
    """Build models without their tests; gives the seconds of their SQL, dbt's own start left out."""
    return sum(one.execution_time for one in warehouse.build("--select", *models, *MODELS_ALONE))


def land(warehouse: Warehouse, table: str, settings) -> None:
    """Land a work list as a run does."""
    for where, options in loader_options(table, warehouse, settings):
        pieces = shards_of(warehouse, table, where)
        for _ in map_shards(partial(land_shard, warehouse.home, table, options), pieces, workers=1):
            pass


def clusters(warehouse: Warehouse) -> Sets:
    """The documents that edges join: duplicates whose mathematics does not conflict."""
    sets = Sets()
    for one, other in warehouse.execute("select doc_id, keeper_id from corpus.duplicate_edges"):
        sets.join(int(one[2:]), int(other[2:]))
    return sets


def run(home: Path, n: int, is_checked: bool) -> dict:
    """Deduplicate `n` documents; with `is_checked`, compare the pairs with brute force."""
    texts, planted = documents(n)
    warehouse, found = prepared(home, texts), {}
    del texts
    seconds = {}
    with clock() as whole:
        found["sql_seconds"] = build(warehouse, BEFORE_SIGNATURES)
        with clock() as seconds["signatures"]:
            land(warehouse, "signatures", None)
        found["sql_seconds"] += build(warehouse, BEFORE_VERDICTS)
        with clock() as seconds["verdicts"]:
            land(warehouse, "duplicate_verdicts", None)
        found["sql_seconds"] += build(warehouse, AFTER_VERDICTS)
    found |= {"wall": whole.wall, "cpu": whole.cpu} | {f"{name}_wall": one.wall for name, one in seconds.items()}
    found |= told_apart(planted, clusters(warehouse).of) | counted(warehouse)
    return found | (checked(warehouse, planted) if is_checked else {})


def counted(warehouse: Warehouse) -> dict[str, int]:
    """How many pairs, giant buckets, deleted documents and reviews there are."""
    tables = {"pairs": "duplicate_pairs", "giant_buckets": "giant_buckets", "deleted": "survivors"}
    tables["reviews"] = "review_requests"
    return {name: warehouse.execute(f"select count(*) from corpus.{table}")[0][0] for name, table in tables.items()}


def checked(warehouse: Warehouse, planted: list[Planted]) -> dict:
    """Recall and precision of the pairs against brute force.

    Pairs within a group of copies are left out of the recall: a giant bucket gives its best texts' pairs only.
    """
    pairs = set(warehouse.execute("select doc_a, doc_b from corpus.duplicate_pairs"))
    with duckdb.connect() as connection:
        folder = warehouse.landed / "signatures" / "*.parquet"
        sql = BRUTE_FORCE.replace("landed.signatures", f"read_parquet('{folder}')")
        exact = set(connection.execute(sql).fetchall())
    grouped = {doc_id(at) for one in planted if one.kind == "group" for at in (one.original, one.copy)}
    asked = {pair for pair in exact if not grouped.issuperset(pair)}
    return {
        "exact_pairs": len(exact), "exact_recall": len(asked & pairs) / len(asked),
        "exact_precision": len(pairs & exact) / len(pairs),
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="dedup") as folder:
        os.environ["MATHPINPOINT_PROFILE"] = "sample"
        print(json.dumps(run(Path(folder), int(sys.argv[1]), sys.argv[2:] == ["--checked"])))
