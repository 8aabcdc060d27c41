"""The project's own models at 1/64, 1/16 and 1/4 of the reference release: CPU, memory, spill and growth.

Shares may be named: `python benchmarks/scale 1/64 1/16 1`; `--quick` is a very small share alone.
MATHPINPOINT_MEMORY is 6GB unless it is set; the homes are made under TMPDIR and removed.
"""

import os
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import duckdb
from measure import OURS, Bench, in_process, version
from scale.ours import FUSION, HERE, LABELS, Home

SHARES, QUICK = (Fraction(1, 64), Fraction(1, 16), Fraction(1, 4)), (Fraction(1, 8192),)
PEERS = {"polars": 1, "pandas": 1, "ranx": 8, "pyspark": 1}  # each over 1/n of the smallest size's queries
MEMORY_GB, SPILL_GB = 6, 60
DIFFERENT = """
with ours as (
    select query_id, doc_id, fused_rank from retrieval.candidates
    where rule <> 'own_page' and query_id <= '{last}'
)
select
    (select count(*) from (from ours except select query_id, doc_id, fused_rank from '{found}'))
    + (select count(*) from (select query_id, doc_id, fused_rank from '{found}' except from ours))
"""


def peers(bench: Bench, home: Home) -> None:
    """Queries per CPU second of every system, and the candidates in which it differs from ours."""
    measure = "queries per CPU s of " + FUSION
    for system in (OURS, "trial"):
        cpu = bench.value(f"CPU s of {FUSION}" + (", v2" if system == OURS else ""), system, home.size)
        bench.add(measure, system, home.size, home.size / cpu)
    for system, part in PEERS.items():
        if version(system) is None:
            bench.add(measure, system, home.size, "not installed")
            continue
        n_queries = max(1, home.size // part)
        found = in_process(HERE / "peers.py", system, str(home.folder), str(n_queries))
        bench.add(measure, system, home.size, n_queries / found["cpu"])
        bench.add(f"peak GB of {FUSION}", system, home.size, found["peak_bytes"] / 1e9)
        with duckdb.connect(str(home.folder / "warehouse.duckdb"), read_only=True) as connection:
            sql = DIFFERENT.format(last=found["last"], found=home.folder / "peer.parquet")
            bench.add("candidates that differ from ours", system, home.size, connection.execute(sql).fetchone()[0])


def one_size(bench: Bench, share: Fraction, is_first: bool) -> bool:
    """Everything at one size; gives whether no row was lost or made twice on the way from v1 to v2."""
    with tempfile.TemporaryDirectory(prefix="scale-") as folder:
        home = Home(bench, Path(folder), float(share))
        home.make()
        home.trial()
        first, _, _ = home.policy("v1")
        second, n_gaps, n_fused = home.policy("v2")
        bench.add("judgments of gaps, v2", OURS, home.size, n_gaps)
        bench.add("judgments of the fusion, v2", OURS, home.size, n_fused)
        if is_first:
            peers(bench, home)
        return second == first + n_gaps + n_fused and n_gaps > 0 and n_fused > 0


def aims(bench: Bench, is_identity: bool) -> dict[str, bool]:
    """What is to be reached, and whether it is."""
    largest = max(one.size for one in bench.figures if one.size)
    ours = bench.value(f"CPU s of {FUSION}, v2", OURS, largest)
    growths = {}
    for measure in (f"CPU s of {FUSION}, v2", f"CPU s of {LABELS} and rows, v2"):
        growths[measure] = bench.growth(measure, OURS)
        if growths[measure] is not None:
            bench.add(f"growth exponent of {measure}", OURS, None, growths[measure])
    ours_all = [one for one in bench.figures if one.system == OURS]
    most = {
        kind: max((one.value for one in ours_all if one.measure.startswith(kind)), default=0)
        for kind in ("peak GB", "spilled GB")
    }
    return {
        "rows of v2 are those of v1, of gaps and of the fusion": is_identity,
        "fusion and candidates take 1.2 times the trial's CPU at most": ours <= 1.2 * bench.value(
            f"CPU s of {FUSION}", "trial", largest),
        f"{MEMORY_GB} GB are enough": most["peak GB"] <= MEMORY_GB * 1.1,
        f"less than {SPILL_GB} GB are spilled": most["spilled GB"] < SPILL_GB,
    } | {
        f"growth exponent of {measure} of 1.05 at most": growth <= 1.05
        for measure, growth in growths.items() if growth is not None
    } | against(bench)


def against(bench: Bench) -> dict[str, bool]:
    """The aims beside the peers that are installed."""
    smallest = min(one.size for one in bench.figures if one.size)
    measure = f"queries per CPU s of {FUSION}"
    ours = bench.value(measure, OURS, smallest)
    reached = {}
    for system, times in {"pyspark": 4, "ranx": 20, "polars": 1}.items():
        rate = bench.value(measure, system, smallest)
        if rate is not None:
            reached[f"fusion and candidates at {times} times the rate of {system} or more"] = ours >= times * rate
    return reached


def main(arguments: list[str]) -> int:
    """Run every size; gives the exit code."""
    os.environ.setdefault("MATHPINPOINT_MEMORY", f"{MEMORY_GB}GB")
    named = tuple(Fraction(one) for one in arguments if not one.startswith("--"))
    shares = QUICK if "--quick" in arguments else named or SHARES
    bench = Bench("scale")
    held = [one_size(bench, share, is_first=share == shares[0]) for share in shares]
    return bench.finish(aims(bench, all(held)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
