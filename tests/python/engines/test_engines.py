"""The shards of a search are the same in one process, in several and on Ray; a killed process costs one shard."""

import os
import sys
from collections import Counter
from functools import partial

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import searches

from mathpinpoint import engines
from mathpinpoint.shards import shard_name
from mathpinpoint.warehouse import Warehouse

N_PIECES = len(searches.PARAMETERS) * searches.N_QUERIES // searches.SHARD
FATAL = 4  # the piece whose first worker is killed


@pytest.fixture(scope="module", params=["local", "ray"])
def name(request):
    """Each engine; Ray, where it is installed, is started once, on this machine."""
    if request.param == "local":
        yield "local"
        return
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    from mathpinpoint.engines.ray import start

    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", os.pathsep.join(sys.path))  # its processes import `searches`
        patched.delenv("RAY_ADDRESS", raising=False)
        start(2)
    yield "ray"
    ray.shutdown()


def landed(home, prepared, engine: str, workers: int, fatal: int | None = None) -> dict[str, list[dict]]:
    """The rows of each shard of runs, by file, after an engine mapped the loader over all pieces."""
    Warehouse(home).create()
    numbered = [(number, *piece) for number, piece in enumerate(searches.pieces())]
    done = list(engines.engine(engine)(partial(searches.land, home, prepared, fatal), iter(numbered), workers=workers))
    assert done == [searches.SHARD] * N_PIECES
    files = {path.name: pq.read_table(path).drop_columns("landed_at") for path in (home / "landed/runs").iterdir()}
    return {name: table.to_pylist() for name, table in files.items()}


def tries(home) -> Counter:
    return Counter(int(path.name.split("-")[1]) for path in home.glob("tried-*"))


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    return searches.options(tmp_path_factory.mktemp("indexes"))


@pytest.fixture(scope="module")
def alone(prepared, tmp_path_factory):
    """What one process lands."""
    return landed(tmp_path_factory.mktemp("alone"), prepared, "local", 1)


def test_every_route_has_hits_and_dense_is_searched_over_a_graph(alone):
    rows = [row for shard in alone.values() for row in shard]
    assert len(alone) == N_PIECES + 1  # and the empty one
    assert {row["route"] for row in rows if row["rank"]} == set(searches.PARAMETERS)
    assert {row["query_id"] for row in rows if row["rank"]} == set(searches.query_ids())
    assert {row["engine"].split()[0] for row in rows if row["route"] == "dense"} == {"usearch"}


def test_several_processes_land_the_same_shards_and_a_killed_one_costs_one_shard(name, alone, prepared, tmp_path):
    assert landed(tmp_path, prepared, name, 2, FATAL) == alone
    assert tries(tmp_path) == {number: 1 + (number == FATAL) for number in range(N_PIECES)}


def test_a_shard_that_kills_each_process_ends_the_run_with_the_next_command(name):
    done = engines.engine(name)(partial(searches.die_at, 3), iter(range(4)), workers=2)
    with pytest.raises(engines.EngineError, match="killed 2 times.*other shards stay landed.*fewer --workers"):
        assert next(done) in (0, 1)
        list(done)


def test_what_a_loader_raises_comes_out_as_it_was(name):
    with pytest.raises(ValueError, match="Number [01] cannot be landed") as raised:
        list(engines.engine(name)(searches.refuse, iter(range(2)), workers=2))
    assert type(raised.value) is ValueError


def test_one_shard_is_mapped_in_this_process():
    assert list(engines.engine("local")(lambda shard: shard + 1, iter([1]), workers=4)) == [2]
    assert list(engines.engine("local")(lambda shard: shard + 1, iter([]), workers=4)) == []


def test_an_unknown_engine_is_refused_with_the_names_of_those_there_are():
    with pytest.raises(engines.EngineError, match="no engine 'spark'. Name one of local, ray with --engine"):
        engines.engine("spark")


@pytest.mark.skipif(bool(engines.find_spec("ray")), reason="Ray is installed")
def test_ray_that_is_not_installed_is_named_with_the_command_that_installs_it():
    with pytest.raises(engines.EngineError, match=r"not installed. Run `pip install -c requirements.txt -e '.\[ray\]"):
        engines.engine("ray")


def test_a_shard_is_named_by_its_rows_and_not_by_the_memory_that_they_are_a_part_of():
    table = pa.table({"query_id": searches.query_ids(), "query_text": searches.texts(searches.N_QUERIES, 4)})
    part = table.slice(searches.SHARD, searches.SHARD)
    assert shard_name("runs", part, {}) == shard_name("runs", pa.Table.from_pylist(part.to_pylist()), {})
    assert shard_name("runs", part, {}) != shard_name("runs", table.slice(0, searches.SHARD), {})
