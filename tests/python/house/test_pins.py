"""What the seeds repeat of the code and of the prompts is equal to them."""

import csv
import hashlib
import re

from mathpinpoint.compute import minhash
from mathpinpoint.compute.extract import EXTRACTOR_VERSION
from mathpinpoint.compute.guard import GUARD_VERSION
from mathpinpoint.compute.normalize import NORM_VERSION
from mathpinpoint.compute.removal import REMOVAL_VERSION


def seed(project, name: str) -> list[dict[str, str]]:
    with (project / "seeds" / "policy" / f"{name}.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_versions_wanted_are_those_of_the_code(project):
    assert seed(project, "versions") == [{
        "extractor": "mathpinpoint",
        "extractor_version": EXTRACTOR_VERSION,
        "norm_version": NORM_VERSION,
        "removal_version": REMOVAL_VERSION,
        "guard_version": GUARD_VERSION,
    }]


def test_signature_scheme_of_each_dedup_rule_is_what_the_code_makes_of_it(project):
    for row in seed(project, "dedup_rules"):
        made = minhash.scheme(
            shingle_tokens=int(row["shingle_tokens"]), permutations=int(row["permutations"]), bands=int(row["bands"]),
            rows=int(row["rows_per_band"]), second_bands=int(row["second_bands"]),
            second_rows=int(row["second_rows"]), seed=int(row["permutation_seed"]),
        )
        assert row["signature_scheme"] == made, row["policy"]


def test_prompts_are_pinned_by_the_same_hash_in_the_policy_and_beside_the_files(project):
    folder = project / "prompts"
    pinned = dict(reversed(line.split()) for line in (folder / "SHA256SUMS").read_text().splitlines())
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "SHA256SUMS"}
    assert pinned == {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    current = {row["prompt"]: row for row in seed(project, "prompts") if row["is_current"] == "true"}
    assert set(current) == {name for name in files if not name.endswith(".json")}
    for name, row in current.items():
        assert row["prompt_sha256"] == pinned[name], name
        assert int(row["n_chars"]) == len(files[name].decode()), name


def test_no_column_of_the_policy_is_dead(project):
    """What the policy says is read by SQL, or by the Python that hands it to a loader as an argument."""
    code = "\n".join(
        path.read_text() for folder in ("models", "macros", "python") for path in (project / folder).rglob("*")
        if path.suffix in (".sql", ".py")
    )
    dead = [
        f"{path.stem}.{column}"
        for path in sorted((project / "seeds" / "policy").glob("*.csv"))
        for column in path.read_text().splitlines()[0].split(",")
        if not re.search(rf"\b{column}\b", code)
    ]
    assert dead == []


def test_policies_differ_only_by_rows_of_their_own(project):
    """A policy is a set of rows in every seed that has a policy column."""
    policies = {row["policy"] for row in seed(project, "policies")}
    for path in sorted((project / "seeds" / "policy").glob("*.csv")):
        rows = seed(project, path.stem)
        if path.stem != "active" and "policy" in rows[0]:
            assert {row["policy"] for row in rows} == policies, path.name
