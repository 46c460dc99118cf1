"""Calls on 48 hours are scored two weeks after their day, once, and the ledger tells of it."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from rest_framework.test import APIClient

from apps.insight.intelligence import tasks
from apps.insight.intelligence.models import CallOutcome
from apps.insight.intelligence.rules.calls_48h_subjects import SUBJECTS
from apps.insight.intelligence.services import resolve_calls as called
from apps.reference.signals import services
from apps.reference.signals.series import Reading
from tests.conftest import NOON
from tests.intelligence.conftest import ask
from tests.platform.tampering import sql, without_triggers

DUE = (NOON + timedelta(days=2)).date()
DECIDED = datetime.combine(
    DUE + called.RESOLUTION_DELAY + timedelta(days=1), datetime.min.time(), UTC
)
TRAIL = [(date(2026, 11, day), Decimal(score)) for day, score in ((20, 40), (24, 50), (27, 60))]


def calls(client: APIClient) -> Any:
    answer = client.get("/intelligence/intelligence/48h-call")
    assert answer.status_code == 200, answer.content
    return answer.json()["calls"]


@pytest.mark.parametrize(
    ("day", "before", "came"),
    [(20, 39, "HIGHER"), (20, 40, "UNCHANGED"), (20, 41, "LOWER"), (21, 49, "HIGHER"),
     (23, 51, "LOWER"), (25, 60, "UNCHANGED"), (28, 60, ""), (20, None, "")],
)  # fmt: skip
def test_the_first_value_of_the_day_or_of_the_four_after_it_decides(
    day: int, before: float | None, came: str
) -> None:
    assert called.find_score_move(TRAIL, date(2026, 11, day), before).direction == came


def test_a_value_five_days_late_decides_nothing() -> None:
    assert called.find_score_move(TRAIL[2:], date(2026, 11, 23), 10).direction == "HIGHER"
    assert called.find_score_move(TRAIL[2:], date(2026, 11, 22), 10).direction == ""


def test_a_call_is_scored_beside_the_base_rates_that_it_told() -> None:
    call = {
        "direction": "HIGHER",
        "probabilities": {"higher": 0.6, "lower": 0.4, "unchanged": 0.0},
        "baseRates": {"higher": 0.5, "lower": 0.5, "unchanged": 0.0},
    }
    told = called.score_call(call, "HIGHER")
    assert told == {"right": True, "brier": 320_000, "brier_base": 500_000}
    assert called.score_call(call, "LOWER")["brier"] == 720_000
    assert called.score_call(call, "") == {}
    assert called.score_call(call | {"direction": "NO_CALL"}, "HIGHER") == {}


@pytest.mark.django_db
def test_a_call_waits_two_weeks_and_is_scored_once(
    buyer: APIClient, at: Callable[[datetime], None]
) -> None:
    told = calls(buyer)
    feed(told)
    tasks.resolve_daily_forecasts("", DECIDED - timedelta(seconds=1))
    assert not CallOutcome.objects.exists()
    for _ in range(2):
        tasks.resolve_daily_forecasts("", DECIDED)
    kept = {call_outcome.subject: call_outcome for call_outcome in CallOutcome.objects.all()}
    assert set(kept) == {row.name for row in SUBJECTS} and len(kept) == len(told)
    for one in told:
        mine = kept[one["subject"]]
        assert (mine.due, mine.direction) == (DUE, one["direction"]) and not mine.mac_fault()
    oil = kept["oil-price"]
    assert oil.came == "HIGHER" and oil.data["day"] == DUE.isoformat()
    at(DECIDED)
    body = ask(buyer, "ledger").json()
    rows = {call["subject"]: call for call in body["calls"]}
    mine = rows["oil-price"]
    assert (mine["calls"], mine["resolved"], mine["unknown"]) == (1, 1, 0)
    assert mine["scored"] + mine["uncalled"] == 1
    assert body["dataQuality"] == "ESTIMATED"


def feed(told: Any) -> None:
    """Let oil be dearer than ever on the day that was called."""
    readings = [Reading("oil.brent", DUE, Decimal(500))]
    services.record_readings(readings=readings, source="SAMPLE", now=NOON + timedelta(days=5))


@pytest.mark.django_db
def test_what_is_read_after_the_two_weeks_decides_nothing(buyer: APIClient) -> None:
    calls(buyer)
    readings = [Reading("oil.brent", DUE, Decimal(500))]
    services.record_readings(readings=readings, source="SAMPLE", now=DECIDED + timedelta(hours=1))
    tasks.resolve_daily_forecasts("", DECIDED + timedelta(days=30))
    assert CallOutcome.objects.get(subject="oil-price").came == ""


@pytest.mark.django_db
def test_a_call_that_was_altered_is_never_scored(buyer: APIClient) -> None:
    calls(buyer)
    with without_triggers():
        sql("UPDATE intelligence_intelligenceanswer SET quality = 'LIVE'")
    tasks.resolve_daily_forecasts("", DECIDED)
    assert not CallOutcome.objects.exists()


@pytest.mark.django_db
def test_an_outcome_cannot_be_changed(buyer: APIClient) -> None:
    calls(buyer)
    tasks.resolve_daily_forecasts("", DECIDED)
    for text in (
        "UPDATE intelligence_calloutcome SET came = 'HIGHER'",
        "DELETE FROM intelligence_calloutcome",
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            sql(text)


@pytest.mark.django_db
def test_the_page_of_the_ledger_tells_of_calls(client: Client) -> None:
    html = client.get("/intelligence/ledger").content.decode()
    part = html[html.index("Calls on 48 hours") :]
    for row in SUBJECTS:
        assert f'<th scope="row">{row.title}</th>' in part
