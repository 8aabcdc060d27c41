"""The data card: the YAML that loaders read, and the text that people read."""

import pyarrow as pa
import yaml

from mathpinpoint.release.layout import CONFIGS, SUMS, ReleaseError, Written

FACTS = (
    "pretty_name", "license", "policy", "profile", "is_sample", "models", "label_mix", "funnel",
    "seeds", "prompts",
)
SIZES = ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"),
         (10**7, "1M<n<10M"), (10**8, "10M<n<100M"), (10**9, "100M<n<1B"))

SAMPLE = """> **This is a sample.** Its pages are invented, and so is its judge: a label by `llm` is
> the sample's truth, as its generator wrote it down, given through the interface that a language
> model would use. It is not a model's opinion, says nothing about how well a model judges, and
> must not be used to measure one. The rest of the pipeline is the real one, at a small size.
"""

ABOUT = """Training data for **problem-level math retrieval**: given a mathematical question, find
the web page that solves *that* problem, and solves it *correctly*. A query is a question that a
page asks, copied with as few changes as possible; a document is a page's text with that question
removed; a judgment is the label of one pair.

| label | meaning |
|---|---|
| 2 | the page solves this very problem, correctly |
| 1 | a correct part or method for this problem, or a solution with a minor error |
| 0 | anything else: another problem, the same topic only, or wrong mathematics |
| null | the query cannot be judged (`query_evaluable` is false) |
"""

READING = """## Reading it

```python
from datasets import load_dataset

judgments = load_dataset("path/to/this/folder", "judgments", split="train")
```
`judge` says who labelled a pair: `llm`, a language model under the rubric whose sha256 is in
`rubric_sha256`, or `rm8b`, a relevance model trained on such labels, whose score `rm8b_score` is
cut into a label. Ranks start at 1; a null rank means that the route did not return the document.
"""

LIMITATIONS = """## Limitations

- Labels are made by models, not by people; `rm8b` labels inherit the errors of the `llm` labels.
- Only candidates of the three search routes are judged. An unjudged pair is not known to be
  irrelevant.
- A judge sees a document up to a length limit; what solves a problem only after that is missed.
- Mathematics that pages show as images without a text form is lost.
- Equal scores are ordered by document id; tools that break ties otherwise will differ at the cuts.
"""


def card(written: list[Written], facts: dict) -> str:
    """README.md of a release, from what was written and from `facts`.

    `facts`: pretty_name, license, policy, profile (text), is_sample (bool), models (name by role),
    label_mix and funnel (lists of rows, each a dict of equal columns), seeds and prompts (sha256
    by file). Raises ReleaseError naming what is missing.
    """
    missing = [name for name in FACTS if name not in facts]
    if missing:
        raise ReleaseError(f"The facts of the release lack {', '.join(missing)}.")
    parts = [
        f"---\n{_front_matter(written, facts)}---",
        f"# {facts['pretty_name']}",
        *([SAMPLE] if facts["is_sample"] else []),
        ABOUT,
        _contents(written),
        READING,
        "## Labels\n\n" + _table(facts["label_mix"]),
        "## Funnel\n\nEvery page, query and pair that was left out, with the reason.\n\n"
        + _table(facts["funnel"]),
        _made_with(facts),
        LIMITATIONS,
    ]
    return "\n".join(part.rstrip() + "\n" for part in parts)


def features(schema: pa.Schema) -> list[dict]:
    """The columns as `dataset_info` names them."""
    return [{"name": field.name, **_feature(field.type)} for field in schema]


def _feature(kind: pa.DataType) -> dict:
    if pa.types.is_list(kind):
        inner = _feature(kind.value_type)
        return {"list": inner["dtype"] if "dtype" in inner else inner}
    return {"dtype": {"float": "float32", "double": "float64"}.get(str(kind), str(kind))}


def _front_matter(written: list[Written], facts: dict) -> str:
    n_pairs = next(each.n_rows for each in written if each.config == "judgments")
    matter = {
        "license": facts["license"],
        "pretty_name": facts["pretty_name"],
        "task_categories": ["text-retrieval"],
        "tags": ["mathematics", "croissant"],
        "size_categories": [next((name for most, name in SIZES if n_pairs < most), "n>1B")],
        "configs": [
            {
                "config_name": each.config,
                "version": each.version,
                **({"default": True} if each.config == "judgments" else {}),
                "data_files": [{"split": "train", "path": f"{each.config}/train-*.parquet"}],
            }
            for each in written
        ],
        "dataset_info": [_dataset_info(each) for each in written],
    }
    return yaml.safe_dump(matter, sort_keys=False, allow_unicode=True, width=10**6)


def _dataset_info(written: Written) -> dict:
    split = {"name": "train", "num_bytes": written.n_bytes, "num_examples": written.n_rows}
    return {
        "config_name": written.config,
        "version": written.version,
        "features": written.features,
        "splits": [split],
        "download_size": written.n_file_bytes,
        "dataset_size": written.n_bytes,
    }


def _contents(written: list[Written]) -> str:
    rows = [
        {
            "config": each.config,
            "rows": each.n_rows,
            "shards": len(each.shards),
            "what": CONFIGS[each.config].about,
        }
        for each in written
    ]
    return "## Contents\n\n" + _table(rows) + f"\n`{SUMS}` lists the sha256 of every file."


def _made_with(facts: dict) -> str:
    models = [{"role": role, "model": name} for role, name in sorted(facts["models"].items())]
    files = [
        {"file": name, "sha256": f"`{digest}`"}
        for kind in ("seeds", "prompts")
        for name, digest in sorted(facts[kind].items())
    ]
    return (
        f"## Made with\n\nPolicy `{facts['policy']}`, profile `{facts['profile']}`.\n\n"
        f"{_table(models)}\n{_table(files)}"
    )


def _table(rows: list[dict]) -> str:
    """Rows of equal columns as a Markdown table."""
    if not rows:
        return "None.\n"
    lines = [list(rows[0]), ["---"] * len(rows[0]), *(list(row.values()) for row in rows)]
    return "".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines)


def _cell(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "" if value is None else str(value).replace("|", "\\|").replace("\n", " ")
