"""The figures on pairs made from the rules of each kind, and on those that others published."""

import csv
from functools import cache

import pytest

from apps.reference.names.payee.evaluation import EvaluationFigures, LabelledPair, MisjudgedPair
from tests.names.kinds import Kind
from tests.names.kinds.table import KINDS
from tests.shared_data import shared

LEAST_PAIRS = 150


@cache
def measured(kind: Kind) -> tuple[EvaluationFigures, list[MisjudgedPair]]:
    figures = EvaluationFigures()

    return figures, list(figures.measure(LabelledPair(*pair) for pair in kind.rows()))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.code)
def test_each_kind_is_told_as_its_rule_says(kind: Kind) -> None:
    figures, wrong = measured(kind)
    found = figures.total.shares()
    told = [(one.pair.submitted, one.pair.registered, one.outcome.score) for one in wrong[:5]]
    assert found["pairs"] == len(kind.pairs) >= LEAST_PAIRS
    assert (found["no_as_match"], found["false_match"]) == (0, 0), told
    assert found["strict"] >= 0.9 and found["lenient"] >= 0.97, told
    assert found["false_no_share"] <= 0.02, told


def test_codes_of_kinds_are_unique() -> None:
    assert len({kind.code for kind in KINDS}) == len(KINDS)


def test_published_pairs_and_those_of_the_same_rules() -> None:
    figures = EvaluationFigures()
    with shared("payee/payee_names_dev.csv").open(encoding="utf-8-sig", newline="") as source:
        rows = [
            LabelledPair(
                *(row[name] for name in ("submitted", "registered", "expected", "alt", "category"))
            )
            for row in csv.DictReader(source)
        ]
    list(figures.measure(rows))
    found = figures.total.shares()
    assert (found["no_as_match"], found["false_match"], found["false_no"]) == (0, 0, 0)
    assert found["lenient"] >= 0.99 and found["strict"] >= 0.97


def test_figures_count_each_kind_of_error() -> None:
    figures = EvaluationFigures()
    rows = [
        LabelledPair("Ann Doe", "Ann Doe", "NO", "", "a"),
        LabelledPair("Ann Doe", "Ann Doe", "CLOSE", "", "a"),
        LabelledPair("Ann Doe", "Ann Doe", "CLOSE", "MATCH", "b"),
        LabelledPair("Ann Doe", "Zoltan Kiss", "MATCH", "CLOSE", "b"),
        LabelledPair("Ann Doe", "Zoltan Kiss", "CLOSE", "NO", "b"),
        LabelledPair("Ann Doe", "Zoltan Kiss", "NO", "", "b"),
    ]
    wrong = list(figures.measure(rows))
    assert [one.allowed for one in wrong] == [False, False, True, False, True]
    assert figures.data()["overall"] == {
        "pairs": 6, "strict": 0.1667, "lenient": 0.5, "false_match": 2, "no_as_match": 1,
        "false_no": 1, "false_no_share": 0.25,
    }  # fmt: skip
    assert list(figures.data()["categories"]) == ["a", "b"]
