"""How many closed cases are looked at again, which, and cells that no spreadsheet runs."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.backoffice.oversight.rules import compute_quota, get_month_before, pick_samples

KEY = b"a key"


@pytest.mark.parametrize(
    ("closed", "percent", "sampled"),
    [(0, 20, 0), (1, 20, 1), (5, 20, 1), (6, 20, 2), (100, 5, 5), (101, 5, 6), (7, 100, 7),
     (7, 0, 0)],
)  # fmt: skip
def test_the_share_is_rounded_up(closed: int, percent: int, sampled: int) -> None:
    assert compute_quota(closed=closed, percent=percent) == sampled


def test_each_risk_has_its_share() -> None:
    cases = {"HIGH": range(10), "MEDIUM": range(100, 120), "LOW": range(200, 240)}
    chosen = pick_samples(cases=cases, percent={"HIGH": 20, "MEDIUM": 10, "LOW": 5}, key=KEY)
    assert [sum(a <= one < b for one in chosen) for a, b in ((0, 10), (100, 120), (200, 240))] == [
        2,
        2,
        2,
    ]


def test_a_risk_without_a_share_is_not_sampled() -> None:
    assert pick_samples(cases={"NEW": range(10)}, percent={"HIGH": 20}, key=KEY) == set()


@given(st.lists(st.integers(1, 10**9), unique=True), st.integers(0, 100), st.randoms())
def test_the_same_cases_are_picked_whatever_their_order(
    ids: list[int], percent: int, random: object
) -> None:
    mixed = sorted(ids, key=lambda id_: hash((id_, percent)))
    first = pick_samples(cases={"LOW": ids}, percent={"LOW": percent}, key=KEY)
    assert first == pick_samples(cases={"LOW": mixed}, percent={"LOW": percent}, key=KEY)
    assert len(first) == compute_quota(closed=len(ids), percent=percent)


def test_nobody_foresees_the_pick_without_the_key() -> None:
    picks = {
        frozenset(pick_samples(cases={"LOW": range(100)}, percent={"LOW": 5}, key=bytes([n])))
        for n in range(20)
    }
    assert len(picks) > 15


@pytest.mark.parametrize(
    ("day", "month"),
    [
        (date(2026, 11, 1), "2026-10"),
        (date(2026, 11, 30), "2026-10"),
        (date(2026, 1, 1), "2025-12"),
    ],
)
def test_the_month_before(day: date, month: str) -> None:
    assert get_month_before(day) == month
