"""The documentation's numbers are those of the finished sample run."""

from pathlib import Path

from mathpinpoint.audit.docs import stale
from mathpinpoint.warehouse import Warehouse

# A trained model's scores move these; another processor may round its training differently.
# `python -m mathpinpoint.audit.docs --check` compares them too.
OF_TRAINED_MODELS = {
    "label_mix", "label_mix_by_rank", "judge_agreement", "held_out_report", "route_contribution",
    "first_by_similarity", "training_rows",
}


def test_no_number_in_the_documentation_is_stale(sample_home: Path):
    found = {(page.name, name) for page, blocks in stale(Warehouse(sample_home)).items() for name in blocks}
    assert {one for one in found if one[1] not in OF_TRAINED_MODELS} == set()
