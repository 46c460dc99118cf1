"""The figures that the matcher must not fall below, on labelled pairs of real names."""

import csv
from functools import cache

import pytest

from apps.reference.watchlists.matching.score import score_pair
from apps.reference.watchlists.matching.token_weights import TokenWeights
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
    ("threshold", "precision", "recall", "both"),
    [(0.70, 0.965, 0.865, 0.915), (0.45, 0.95, 0.885, 0.920)],
)
def test_labelled_pairs_even_without_a_list(
    threshold: float, precision: float, recall: float, both: float
) -> None:
    """`both` is their harmonic mean."""
    pairs = scored()
    truths = [truth for truth, score in pairs if score >= threshold]
    matches = sum(truth for truth, _score in pairs)
    assert sum(truths) / len(truths) >= precision
    assert sum(truths) / matches >= recall
    assert 2 * sum(truths) / (len(truths) + matches) >= both
