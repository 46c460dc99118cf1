"""A simulated first month: honest payments go through, and schemes are caught early."""

import pytest

from benchmarks.first_month import over
from benchmarks.first_month_data import BUSINESSES, PATTERNS, month


def test_a_month_is_the_same_for_its_seed_and_another_for_another() -> None:
    given = month(7, businesses=3, schemes=1)
    assert given == month(7, businesses=3, schemes=1)
    assert given.transfers != month(8, businesses=3, schemes=1).transfers
    assert len(BUSINESSES) >= 20 and len(PATTERNS) == 12


@pytest.mark.parametrize("way", ["declared", "undeclared"])
def test_honest_payments_go_through_and_schemes_are_caught(way: str) -> None:
    tally = over([100], businesses=len(BUSINESSES), schemes=1, ways=(way,))[way]
    assert sum(tally.blocked.values()) == 0
    assert tally.share("first week") <= (0.03 if way == "declared" else 0.08)
    assert tally.share("after") <= (0.015 if way == "declared" else 0.03)
    assert sum(tally.caught.values()) >= 10, tally.caught
    assert sum(tally.paid.values()) > 1000
