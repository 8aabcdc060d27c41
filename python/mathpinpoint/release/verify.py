"""Check a release: checksums, pages, counts, keys, references and the rules of its rows."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import yaml

from mathpinpoint.release.layout import (
    CARD,
    CONFIGS,
    SUMS,
    ReleaseError,
    files_in,
    read_sums,
    sha256_file,
    shard_paths,
)
from mathpinpoint.release.rules import RANKS, ROW_RULES, wrong_types


@dataclass(frozen=True)
class Problem:
    """What is wrong, and in which file of the release."""

    file: str
    what: str


@dataclass
class _Reading:
    """The rows of one config as they are read, and what was wrong with its files."""

    folder: Path
    config: str
    problems: list[Problem] = field(default_factory=list)
    schema: pa.Schema | None = None
    n_rows: int = 0

    def groups(self) -> Iterator[tuple[str, pa.Table]]:
        """(file, row group), every page checked; a file that cannot be read is a problem."""
        for path in shard_paths(self.folder, self.config):
            name = path.relative_to(self.folder).as_posix()
            try:
                with pq.ParquetFile(path, page_checksum_verification=True) as file:
                    if not self._fits(name, file.schema_arrow):
                        continue
                    for group in range(file.num_row_groups):
                        rows = file.read_row_group(group)
                        self.n_rows += rows.num_rows
                        yield name, rows
            except (pa.ArrowException, OSError) as error:
                first = str(error).splitlines()[0]
                self.problems.append(Problem(name, f"cannot be read: {first}"))

    def _fits(self, name: str, schema: pa.Schema) -> bool:
        needed = CONFIGS[self.config].columns
        missing = [column for column in needed if column not in schema.names]
        if missing:
            self.problems.append(Problem(name, f"lacks the columns {', '.join(missing)}"))
        self.schema = self.schema or schema
        wrong = [] if missing else wrong_types(schema)
        if wrong:
            self.problems.append(Problem(name, f"has columns of a wrong type: {', '.join(wrong)}"))
        if not schema.equals(self.schema):
            what = f"has other columns than the first shard: {schema}; {self.schema}"
            self.problems.append(Problem(name, what.replace("\n", ", ")))
        return not missing and not wrong and schema.equals(self.schema)


def verify_release(folder: Path) -> list[Problem]:
    """All that is wrong with a release, each with the file that it is wrong in; [] if nothing.

    Holds one row group, and the ids of the corpus and the queries.
    """
    problems = _files(folder)
    counts = _card_counts(folder, problems)
    ids: dict[str, pa.ChunkedArray] = {}
    for config in ("corpus", "queries", "judgments"):
        reading = _Reading(folder, config)
        if config == "judgments":
            _judgments(reading, ids)
        else:
            ids[CONFIGS[config].key[0]] = _keyed(reading, ids)
        problems += reading.problems
        if not shard_paths(folder, config):
            problems.append(Problem(config, "has no shard train-*.parquet"))
        elif config in counts and counts[config] != reading.n_rows:
            what = f"says {counts[config]} rows of {config}; the shards hold {reading.n_rows}"
            problems.append(Problem(CARD, what))
    return problems


def _files(folder: Path) -> list[Problem]:
    try:
        sums = read_sums(folder)
    except ReleaseError as error:
        return [Problem(SUMS, str(error))]
    found = set(files_in(folder))
    problems = [Problem(name, f"is not in {SUMS}") for name in sorted(found - set(sums))]
    for name, digest in sums.items():
        if name not in found:
            problems.append(Problem(name, "is missing"))
        elif (actual := sha256_file(folder / name)) != digest:
            problems.append(Problem(name, f"has sha256 {actual}, {SUMS} says {digest}"))
    return problems


def _card_counts(folder: Path, problems: list[Problem]) -> dict[str, int]:
    try:
        matter = yaml.safe_load((folder / CARD).read_text("utf-8").split("---\n")[1])
        infos = matter["dataset_info"]
        counts = {info["config_name"]: info["splits"][0]["num_examples"] for info in infos}
    except (OSError, ValueError, LookupError, TypeError, yaml.YAMLError) as error:
        problems.append(Problem(CARD, f"has no dataset_info that can be read ({error!r})"))
        return {}
    for config in CONFIGS:
        if config not in counts:
            problems.append(Problem(CARD, f"says nothing about {config}"))
    return counts


def _keyed(reading: _Reading, ids: dict[str, pa.ChunkedArray]) -> pa.ChunkedArray:
    """Check corpus or queries; returns their ids."""
    key = CONFIGS[reading.config].key[0]
    kept: list[pa.Array] = []
    for name, rows in reading.groups():
        _rows(reading, name, rows)
        if reading.config == "queries":
            _references(reading, name, rows, "source_did", ids["did"])
        kept += rows[key].cast(pa.string()).chunks
    found = pa.chunked_array(kept, pa.string())
    n_repeats = len(found) - pc.count_distinct(found, mode="all").as_py()
    if n_repeats:
        reading.problems.append(Problem(reading.config, f"{n_repeats} rows repeat a {key}"))
    return found


def _judgments(reading: _Reading, ids: dict[str, pa.ChunkedArray]) -> None:
    held, name = None, ""  # the last query of the rows before: it may go on
    for name, rows in reading.groups():
        _rows(reading, name, rows)
        _references(reading, name, rows, "qid", ids["qid"])
        _references(reading, name, rows, "did", ids["did"])
        keys = rows.select(["qid", "did", *RANKS])
        keys = pa.concat_tables([held, keys]) if held else keys
        query = keys["qid"]
        if pc.any(pc.less(query.slice(1), query.slice(0, max(len(query) - 1, 0)))).as_py():
            reading.problems.append(Problem(name, "rows are not ordered by qid"))
        is_last = pc.fill_null(pc.equal(query, query[-1]), True)
        _repeats(reading, name, keys.filter(pc.invert(is_last)))
        held = keys.filter(is_last)
    if held:
        _repeats(reading, name, held)


def _repeats(reading: _Reading, name: str, keys: pa.Table) -> None:
    """A document, and a rank of a route, occur once in the rows of a query."""
    for column in ("did", *RANKS):
        known = keys.filter(pc.is_valid(keys[column]))
        groups = known.group_by(["qid", column]).aggregate([([], "count_all")])
        if n_repeats := known.num_rows - groups.num_rows:
            what = f"{n_repeats} rows repeat a {column} of their query"
            reading.problems.append(Problem(name, what))


def _rows(reading: _Reading, name: str, rows: pa.Table) -> None:
    for what, rule in ROW_RULES[reading.config].items():
        _report(reading, name, rows, what, rule(rows))


def _references(
    reading: _Reading, name: str, rows: pa.Table, column: str, known: pa.ChunkedArray
) -> None:
    values = rows[column]
    is_lost = pc.and_(pc.is_valid(values), pc.invert(pc.is_in(values, value_set=known)))
    table = "queries" if column == "qid" else "corpus"
    _report(reading, name, rows, f"{column} is not in {table}", is_lost)


def _report(
    reading: _Reading, name: str, rows: pa.Table, what: str, is_wrong: pa.ChunkedArray
) -> None:
    wrong = rows.filter(is_wrong)
    if wrong.num_rows:
        key = {column: wrong[column][0].as_py() for column in CONFIGS[reading.config].key}
        what = f"{wrong.num_rows} rows: {what} (the first: {key})"
        reading.problems.append(Problem(name, what))
