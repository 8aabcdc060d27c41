"""A change of one number of the policy: plain `dbt build` changes the labels, and lands nothing."""

import csv
import shutil

import pytest
from homes import REPO, dbt, hashes, rows, said

PROJECT = ("dbt_project.yml", "profiles.yml", "models", "macros", "seeds", "tests/data", "prompts")
OLD_CUT = "0.5"


@pytest.fixture(scope="module")
def cut(sample_home):
    """A score that parts the relevance model's scores below the old cut in two."""
    scores = rows(sample_home, "select raw_score from judging.judgments where judge = 'rm8b' and raw_score < 0.5")
    ordered = sorted(score for (score,) in scores)
    assert len(ordered) >= 100
    middle = len(ordered) // 2
    return (ordered[middle - 1] + ordered[middle]) / 2


def _project(folder, cut):
    """A copy of the project whose policy v2 gives the label 1 from `cut` on."""
    for name in PROJECT:
        source = REPO / name
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / name)
    seed = folder / "seeds" / "policy" / "label_bands.csv"
    with seed.open(encoding="utf-8") as lines:
        bands = list(csv.DictReader(lines))
    for band in bands:
        for name in ("min_score", "below_score"):
            if band["policy"] == "v2" and band[name] == OLD_CUT:
                band[name] = repr(cut)
    with seed.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, bands[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(bands)
    return folder


def _released(home):
    """(query, document) → (label, judge, score), as released."""
    listed = rows(home, "select qid, did, label, judge, rm8b_score from release.judgments")
    return {tuple(row[:2]): tuple(row[2:]) for row in listed}


def test_another_cut_moves_exactly_the_labels_between_the_cuts(home_copy, tmp_path, cut):
    before, facts = _released(home_copy), hashes(home_copy / "landed")
    project = _project(tmp_path / "project", cut)
    built = dbt(home_copy, "build", project=project, MATHPINPOINT_PROJECT=str(project))
    assert built.returncode == 0, said(built)
    after = _released(home_copy)
    assert after.keys() == before.keys()
    moved = {pair for pair in before if before[pair] != after[pair]}
    between = {
        pair for pair, (_, judge, score) in before.items() if judge == "rm8b" and cut <= score < float(OLD_CUT)
    }
    assert moved == between and moved
    assert all(before[pair][0] == 0 and after[pair][0] == 1 for pair in moved)
    assert all(before[pair][1:] == after[pair][1:] for pair in moved)
    assert hashes(home_copy / "landed") == facts
    waiting = rows(home_copy, "select count(*) from judging.pending_llm_replies")[0][0]
    assert waiting == 0
    print(f"cut {OLD_CUT} -> {cut:.4f}: {len(moved)} labels moved, nothing landed")
