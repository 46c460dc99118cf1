"""POST /v1/intelligence/aftershock."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.insight.intelligence.catalogue import product_of
from apps.insight.intelligence.methods import omori_law
from apps.insight.intelligence.methods.aftershock import months_since_shock
from apps.insight.intelligence.methods.omori_law import OmoriLaw
from apps.insight.intelligence.rules.currency_web import AFTERSHOCK_SERIES
from apps.platform.common.problems import DomainError
from apps.reference.signals.quality import TooFewInputs
from tests.intelligence.conftest import ask
from tests.intelligence.sample_inputs import at_sample

EXAMPLE = {"series": "oil.brent.month", "date": "2025-04-02", "magnitude": 15}


@pytest.mark.django_db
def test_its_example_is_answered(buyer: APIClient) -> None:
    row = product_of("aftershock")
    assert row is not None
    answer = ask(buyer, "aftershock", **row.example)
    assert answer.status_code == 200, answer.content
    body = answer.json()
    summed = sum(
        Decimal(str(contribution["contribution"])) for contribution in body["contributions"]
    )
    assert summed == Decimal(str(body["aftershockScore"]))
    assert body["law"]["shocks"] == len(body["pastShocks"]) >= 5
    assert body["monthsElapsed"] == 19 and body["extrapolated"] is True
    assert answer["X-SVC-Cache-Hit"] == "false"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"series": "us.vix"}, "series"),
        ({"date": "2026-11-21"}, "date"),
        ({"date": "2021-10-31"}, "date"),
        ({"date": "20250402"}, "date"),
        ({"magnitude": 0}, "magnitude"),
        ({"magnitude": 1001}, "magnitude"),
    ],
)
def test_a_shock_that_is_none_is_refused_by_its_field(
    refused: APIClient, change: dict[str, Any], field: str
) -> None:
    answer = ask(refused, "aftershock", **EXAMPLE | change)
    assert answer.status_code == 400, answer.content
    assert [error["field"] for error in answer.json()["errors"]] == [field]


def test_a_shock_may_be_of_today_and_of_five_years_ago() -> None:
    today = date(2026, 11, 20)
    assert (months_since_shock(today, today), months_since_shock(date(2021, 11, 1), today)) == (
        0,
        60,
    )
    for day in (date(2026, 11, 21), date(2021, 10, 31)):
        with pytest.raises(DomainError):
            months_since_shock(day, today)


@pytest.mark.parametrize("series", AFTERSHOCK_SERIES)
def test_a_larger_shock_has_more_aftershocks(series: str) -> None:
    try:
        small, large = (_score(series, size) for size in (10, 200))
    except TooFewInputs as error:
        assert "too few shocks" in error.detail
    else:
        assert 0 < small < large < 100


def test_what_is_expected_falls_with_time() -> None:
    law = OmoriLaw(
        k=1, c=0.5, p=1, shocks=(), aftershocks=9, deviation=1, mean_size=5, background=0, gain=4
    )
    assert [law.rate(month) for month in (1, 2, 12)] == pytest.approx([2 / 3, 0.4, 0.08])


def test_the_law_of_made_shocks_is_found() -> None:
    law = omori_law.fit_omori_law(_history(decaying=True))
    flat = omori_law.fit_omori_law(_history(decaying=False))
    assert law is not None and flat is not None
    assert len(law.shocks) == 10
    assert law.p > 1 > flat.p
    assert law.decays and not flat.decays
    assert law.rate(1) > law.rate(2) > law.rate(12)


def test_what_follows_a_larger_move_is_no_shock_of_its_own() -> None:
    moves = {0: 0.1, 1: 10.0, 2: -8.0, 20: 9.0}
    assert [shock.month for shock in omori_law.find_shocks(moves, 3.0)] == [1, 20]


def test_a_history_without_shocks_has_no_law() -> None:
    assert omori_law.fit_omori_law({month: 100.0 + month % 2 for month in range(100)}) is None
    assert omori_law.fit_omori_law({}) is None


def _history(*, decaying: bool) -> dict[int, float]:
    """Return ten shocks of 40 %, each with one aftershock: at once, or in a month of its own."""
    sizes = {30 * at: 0.4 for at in range(1, 11)}
    later = {30 * at + (1 if decaying else at): -0.12 for at in range(1, 11)}
    value, history = 100.0, {0: 100.0}
    for month in range(1, 330):
        value *= 1 + (sizes | later).get(month, 0.001)
        history[month] = value
    return history


def _score(series: str, size: int) -> Decimal:
    asked: dict[str, Any] = {"series": series, "date": date(2026, 3, 1), "magnitude": Decimal(size)}
    aftershock_score: Decimal = at_sample("aftershock", **asked).body["aftershock_score"]
    return aftershock_score


@pytest.mark.parametrize("series", AFTERSHOCK_SERIES)
def test_after_a_shock_nothing_is_less_likely_than_ever(series: str) -> None:
    asked = {"series": series, "date": date(2026, 9, 15), "magnitude": Decimal("0.5")}
    body = at_sample("aftershock", **asked).body
    for horizon in body["horizons"]:
        assert horizon["chance"] >= horizon["base_chance"] > 0
    assert body["aftershock_score"] >= 100 * body["horizons"][1]["base_chance"] - Decimal("0.01")
