"""What the tables say of the labels' reliability, over the finished run."""

import pytest
from homes import rows
from sklearn.metrics import cohen_kappa_score

PAIRS = """
select first_label, second_label from audit.label_pairs
where comparison = '{}' and first_label is not null and second_label is not null
"""


@pytest.mark.parametrize("comparison", ["llm_repeat", "llm_model"])
def test_kappas_are_those_of_another_library(sample_home, comparison):
    first, second = zip(*rows(sample_home, PAIRS.format(comparison)), strict=True)
    ((agreement, kappa, quadratic),) = rows(
        sample_home,
        "select agreement, kappa, quadratic_kappa from audit.label_agreement"
        f" where comparison = '{comparison}' and dimension = 'all'",
    )
    labels = [0, 1, 2]
    assert agreement == pytest.approx(sum(a == b for a, b in zip(first, second, strict=True)) / len(first), abs=1e-12)
    assert kappa == pytest.approx(cohen_kappa_score(first, second, labels=labels), abs=1e-12)
    assert quadratic == pytest.approx(cohen_kappa_score(first, second, labels=labels, weights="quadratic"), abs=1e-12)


def test_a_share_of_the_labels_is_asked_again_and_the_answer_is_no_label(sample_home):
    (n_repeats, n_answered), = rows(
        sample_home, "select count(*), count(*) filter (is_answered) from judging.repeats"
    )
    (n_labels,), = rows(sample_home, "select count(*) from judging.llm_labels")
    assert 0.02 * n_labels < n_repeats < 0.1 * n_labels and n_answered == n_repeats
    assert rows(sample_home, "select count(*) from judging.judgments where ask = 4") == [(0,)]
