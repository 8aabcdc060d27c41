"""The card and the Croissant file against the library that reads them."""

import json

import datasets
import made
import mlcroissant
import numpy as np
import pyarrow as pa
import pytest
import yaml

from mathpinpoint.release.card import features
from mathpinpoint.release.layout import ReleaseError


def front_matter(folder) -> dict:
    return yaml.safe_load((folder / "README.md").read_text("utf-8").split("---\n")[1])


def test_all_configs_load_with_the_datasets_library(tmp_path):
    folder = made.write(tmp_path / "mathpinpoint-test")
    for config, table in made.tables().items():
        loaded = datasets.load_dataset(str(folder), config, cache_dir=str(tmp_path / "cache"))
        assert list(loaded) == ["train"]
        assert loaded["train"].to_list() == table.to_pylist()
        assert loaded["train"].info.splits["train"].num_examples == table.num_rows


def test_a_replaced_release_is_not_served_from_the_cache(tmp_path):
    cache = str(tmp_path / "cache")
    folder = made.write(tmp_path / "mathpinpoint-test")
    datasets.load_dataset(str(folder), "judgments", cache_dir=cache)
    fewer = {**made.tables(), "judgments": made.judgments().slice(0, 200)}
    made.write(folder, fewer, replace=True)
    again = datasets.load_dataset(str(folder), "judgments", cache_dir=cache, split="train")
    assert again.to_list() == fewer["judgments"].to_pylist()


def test_an_empty_release_streams(tmp_path):
    """The library holds no split of 0 rows in memory, but it streams one."""
    folder = made.write(tmp_path / "none", {n: t.slice(0, 0) for n, t in made.tables().items()})
    loaded = datasets.load_dataset(str(folder), "judgments", split="train", streaming=True)
    assert list(loaded) == [] and loaded.column_names == made.judgments().column_names


def test_the_yaml_has_exact_counts_and_a_version_of_the_content(tmp_path):
    matter = front_matter(made.write(tmp_path / "a" / "release"))
    infos = matter["dataset_info"]
    counts = {each["config_name"]: each["splits"][0]["num_examples"] for each in infos}
    assert counts == {"judgments": 300, "queries": 40, "corpus": 60}
    assert matter["size_categories"] == ["n<1K"] and matter["license"] == "cc-by-4.0"
    fewer = {**made.tables(), "corpus": made.corpus().slice(1)}
    other = front_matter(made.write(tmp_path / "b" / "release", fewer))
    first, second = (
        {each["config_name"]: each["version"] for each in found["configs"]}
        for found in (matter, other)
    )
    assert first["corpus"] != second["corpus"] and first["queries"] == second["queries"]


def test_features_are_named_as_the_library_names_them():
    schema = pa.schema([
        ("text", pa.string()), ("n", pa.int64()), ("small", pa.int32()), ("x", pa.float64()),
        ("single", pa.float32()), ("is_it", pa.bool_()), ("codes", pa.list_(pa.string())),
        ("at", pa.timestamp("us", tz="UTC")), ("spans", pa.list_(pa.list_(pa.int64()))),
    ])
    assert features(schema) == datasets.Features.from_arrow_schema(schema)._to_yaml_list()


@pytest.mark.parametrize("is_sample", [True, False])
def test_the_text_says_what_the_labels_are(tmp_path, is_sample):
    facts = {**made.FACTS, "is_sample": is_sample}
    text = (made.write(tmp_path / "release", facts=facts) / "README.md").read_text("utf-8")
    assert ("It is not a model's opinion" in text) == is_sample
    assert "| dense_top5 | llm | 2 | 71 |" in text
    assert "| page | extraction_empty | 1,234 |" in text
    assert f"| routes.csv | `{'a' * 64}` |" in text
    assert "Policy `v2`, profile `sample`" in text


def test_missing_facts_are_named(tmp_path):
    facts = {name: value for name, value in made.FACTS.items() if name not in ("funnel", "license")}
    with pytest.raises(ReleaseError, match="lack license, funnel"):
        made.write(tmp_path / "release", facts=facts)
    assert list(tmp_path.iterdir()) == []


def test_croissant_describes_every_column_of_every_config(tmp_path):
    folder = made.write(tmp_path / "release")
    found = json.loads((folder / "croissant.json").read_text("utf-8"))
    assert found["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    ids = {field["@id"] for record in found["recordSet"] for field in record["field"]}
    assert ids == {
        f"{config}/{name}" for config, table in made.tables().items() for name in table.column_names
    }
    sets = {each["@id"]: each["includes"] for each in found["distribution"]}
    for record in found["recordSet"]:
        for field in record["field"]:
            pattern = sets[field["source"]["fileSet"]["@id"]]
            assert list(folder.glob(pattern))
    kinds = {f["@id"]: f["dataType"] for record in found["recordSet"] for f in record["field"]}
    assert [kinds[f"judgments/{name}"] for name in ("label", "is_source_page", "rrf_score")] == [
        "sc:Integer", "sc:Boolean", "sc:Float",
    ]
    assert kinds["corpus/text"] == "sc:Text"


def test_croissant_loads_every_row_and_label_back(tmp_path):
    """No warning is left but of the two properties that a release cannot know: a citation and a date."""
    folder = made.write(tmp_path / "release")
    found = mlcroissant.Dataset(jsonld=folder / "croissant.json")
    issues = found.metadata.issues
    assert not issues.errors and all("citeAs" in each or "datePublished" in each for each in issues.warnings)
    for config, table in made.tables().items():
        rows = [
            {name.split("/")[1]: plain(value) for name, value in row.items()} for row in found.records(config)
        ]
        assert rows == table.to_pylist(), config
    labels = [row["label"] for row in made.judgments().to_pylist()]
    assert 0 in labels and None in labels


def plain(value):
    """What Croissant's reader gives, as Python holds it: text for bytes, None for NaN."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(each) for each in value]
    return None if value is None or value != value else value
