"""The figures that the matcher must not fall below, on labelled pairs of real names."""

import csv
from functools import cache

import pytest

from apps.watchlists.matching.lexicon import TokenWeights
from apps.watchlists.matching.score import score_pair
from tests.shared_data import shared


@cache
def scored() -> list[tuple[bool, float]]:
    weights = TokenWeights.general()
    with shared("matching/pairs_dev.csv").open(encoding="utf-8", newline="") as source:
        return [
            (
                row["is_match"] == "1",
                score_pair(
                    query=row["query"],
                    candidate=row["candidate"],
                    schema=row["schema"],
                    weights=weights,
                ),
            )
            for row in csv.DictReader(source)
        ]


@pytest.mark.parametrize(
    ("threshold", "precision", "recall"), [(0.70, 0.95, 0.84), (0.45, 0.89, 0.90)]
)
def test_labelled_pairs_even_without_a_list(
    threshold: float, precision: float, recall: float
) -> None:
    pairs = scored()
    said = [truth for truth, score in pairs if score >= threshold]
    matches = sum(truth for truth, _score in pairs)
    assert sum(said) / len(said) >= precision
    assert sum(said) / matches >= recall
