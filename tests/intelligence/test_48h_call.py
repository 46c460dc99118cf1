"""GET /intelligence/48h-call."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.access.keys.models import UsageCount
from apps.insight.intelligence.methods import call_48h
from apps.insight.intelligence.rules.calls_48h_subjects import SUBJECTS
from apps.reference.signals.quality import TooFewInputs
from tests.conftest import NOON
from tests.intelligence.written_histories import DAY, Past, known, past, summed

PATH = "/intelligence/intelligence/48h-call"
NAMES = {part.series for row in SUBJECTS for part in row.parts}


def whole(values: Any = None) -> dict[str, Past]:
    listed = values or [[10, 20, 30, 25, 15][n % 5] for n in range(4200)]
    return {name: past(listed, step=DAY) for name in NAMES}


@pytest.mark.django_db
def test_it_answers_to_the_field_and_costs_half_a_dollar(buyer: APIClient) -> None:
    answer = buyer.get(PATH)
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert summed(body["components"]) == Decimal(str(body["stressIndex"]))
    assert [call["subject"] for call in body["calls"]] == [row.name for row in SUBJECTS]
    said = body["call"]
    assert said in body["calls"]
    assert said["direction"] in ("HIGHER", "LOWER", "UNCHANGED")
    assert said["probability"] == max(said["probabilities"].values())
    assert sum(said["probabilities"].values()) == pytest.approx(1)
    assert sum(said["baseRates"].values()) == pytest.approx(1)
    assert said["cases"] >= 30 and said["trackRecord"]["scored"] >= 30
    assert answer["X-SVC-Direction"] == said["direction"]
    assert UsageCount.objects.get().unit == "intelligence_50"


@pytest.mark.django_db
def test_a_call_says_from_what_and_when_it_is_scored(buyer: APIClient) -> None:
    call = buyer.get(PATH).json()["call"]
    assert call["resolvesAt"] == "2026-11-22T12:00:00.000Z"
    assert call["fromDay"] == "2026-08-17" and call["fromScore"] > 0
    assert call["daysAhead"] == 97  # the sample ends in August: that far back it is called from


@pytest.mark.django_db
def test_what_is_seen_too_seldom_is_no_call(buyer: APIClient) -> None:
    markets = buyer.get(PATH).json()["calls"][0]
    assert markets["subject"] == "macro-stress"
    assert (markets["direction"], markets["probability"]) == ("NO_CALL", None)
    assert (markets["probabilities"], markets["edge"], markets["conviction"]) == (
        None,
        None,
        "NONE",
    )


@pytest.mark.django_db
def test_it_is_kept_for_four_hours(buyer: APIClient, at: Any) -> None:
    assert buyer.get(PATH)["X-SVC-Cache-Hit"] == "false"
    at(NOON + timedelta(hours=3, minutes=59))
    assert buyer.get(PATH)["X-SVC-Cache-Hit"] == "true"
    at(NOON + timedelta(hours=4))
    assert buyer.get(PATH)["X-SVC-Cache-Hit"] == "false"


def test_markets_are_the_call_where_they_say_anything() -> None:
    body = call_48h.compute_calls(known(whole())).body
    call = body["call"]
    assert call["subject"] == "macro-stress" and call["direction"] != "NO_CALL"
    assert call["days_ahead"] == 3  # the last value is of yesterday
    assert call["conviction"] == "CLEAR" and call["probability"] > Decimal("0.9")
    assert call["track_record"]["skill"] > Decimal("0.9")


def test_what_markets_do_not_say_another_may() -> None:
    held = whole()
    for part in SUBJECTS[0].parts:
        held[part.series] = held[part.series][::50] + held[part.series][-1:]
    assert call_48h.compute_calls(known(held)).body["call"]["subject"] == "currency-stress"


def test_each_subject_counts_alike_and_markets_must_be_there() -> None:
    held = whole()
    del held["oil.brent"]
    calls = call_48h.compute_calls(known(held))
    assert calls.quality.missing == ("oil.brent",)
    assert calls.quality.coverage == pytest.approx(Decimal(2) / 3)
    assert calls.body["calls"][-1]["direction"] == "NO_CALL"
    del held["ofr.fsi.credit"]
    with pytest.raises(TooFewInputs):
        call_48h.compute_calls(known(held))
