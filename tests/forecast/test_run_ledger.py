"""Runs are kept once an hour, outlooks once a day; what prices did comes three months later."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.utils import DatabaseError
from rest_framework.test import APIClient

from apps.insight.forecast import score_cards, tasks
from apps.insight.forecast.health import check_forecasts
from apps.insight.forecast.models import ForecastOutcome, ForecastOutlook, ForecastRun
from apps.insight.forecast.rules import outlook_outcomes
from apps.insight.forecast.services import hourly_run, outlook_records
from apps.reference.signals import services
from apps.reference.signals.series import Reading
from tests import sampling
from tests.conftest import NOON
from tests.forecast.conftest import FILES, get, load_noon

pytestmark = pytest.mark.django_db
DUE = date(2027, 2, 19)  # 91 days after the noon of tests


@pytest.fixture
def told(db: None) -> None:
    """The run of noon, kept."""
    load_noon()


def test_a_run_and_eleven_outlooks_are_kept_once(told: None) -> None:
    tasks.run_forecast("", NOON + timedelta(minutes=30))
    assert (ForecastRun.objects.count(), ForecastOutlook.objects.count()) == (1, 11)
    hourly_run.record_run(hourly_run.compute_run(now=NOON), now=NOON)
    assert (ForecastRun.objects.count(), ForecastOutlook.objects.count()) == (1, 11)


def test_another_hour_of_the_day_has_a_run_and_no_second_outlook(told: None) -> None:
    tasks.run_forecast("", NOON + timedelta(hours=1))
    assert (ForecastRun.objects.count(), ForecastOutlook.objects.count()) == (2, 11)
    tasks.run_forecast("", NOON + timedelta(days=1))
    assert ForecastOutlook.objects.count() == 22


def test_who_asks_first_keeps_the_run(anybody: APIClient) -> None:
    assert get(anybody, "commodity/CORN").status_code == 200
    assert ForecastOutlook.objects.get(symbol="CORN").due == DUE


def test_what_is_kept_reads_as_what_was_computed(told: None) -> None:
    fresh, kept = (
        hourly_run.compute_run(now=NOON),
        hourly_run.load_recorded_run(hourly_run.hour_of_moment(NOON)),
    )
    assert kept is not None
    assert kept.markets == {name: dict(one) for name, one in fresh.markets.items()}
    assert kept.scores == fresh.scores and kept.at == fresh.at
    assert list(kept.regions) == list(fresh.regions)
    assert kept.scenarios == fresh.scenarios


def test_an_altered_run_is_not_served(told: None) -> None:
    forged = ForecastRun(
        payload='{"body": "{}"}',
        salt="",
        recorded_at=NOON,
        slot=7,
        version=hourly_run.VERSION,
        quality="",
    )
    ForecastRun.objects.bulk_create([forged])
    assert hourly_run.load_recorded_run(7) is None


def test_the_database_refuses_to_change_an_outlook(told: None) -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        ForecastOutlook.objects.update(outlook="STABLE")
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM forecast_forecastoutcome WHERE 1 = 1")
        cursor.execute("DELETE FROM forecast_forecastoutlook")


def later(price: str, *, day: date = date(2027, 1, 31)) -> None:
    """Let the price of cocoa be known."""
    services.record_readings(
        readings=[Reading("cocoa", day, Decimal(price))],
        source="WORLD BANK",
        now=datetime(2027, 2, 5, tzinfo=UTC),
    )


def test_an_outlook_waits_until_its_day_is_over(told: None) -> None:
    later("5")
    assert outlook_records.resolve_due_outlooks(now=datetime(2027, 2, 19, 23, 59, tzinfo=UTC)) == 0
    assert outlook_records.resolve_due_outlooks(now=datetime(2027, 2, 20, tzinfo=UTC)) == 11
    assert outlook_records.resolve_due_outlooks(now=datetime(2027, 2, 21, tzinfo=UTC)) == 0


@pytest.mark.parametrize(
    ("factor", "came", "hit"),
    [("1.5", "HIGHER", True), ("1.0", "UNCHANGED", False), ("0.5", "LOWER", False)],
)
def test_growing_risk_says_that_the_price_rises(
    told: None, factor: str, came: str, hit: bool
) -> None:
    outlook = ForecastOutlook.objects.get(symbol="COCOA")
    assert outlook.outlook == "DETERIORATING"
    later(str(Decimal(outlook.data["price"]) * Decimal(factor)))
    tasks.resolve_outlooks("", datetime(2027, 2, 20, tzinfo=UTC))
    forecast_outcome = ForecastOutcome.objects.get(symbol="COCOA")
    assert (forecast_outcome.came, forecast_outcome.hit) == (came, hit)
    past = outlook.data["climatology"]
    assert forecast_outcome.usual_hit == (
        came == max(outlook_outcomes.DIRECTIONS, key=lambda name: Decimal(past[name]))
    )


def test_where_no_newer_price_is_known_nothing_is_scored(told: None) -> None:
    tasks.resolve_outlooks("", datetime(2027, 2, 20, tzinfo=UTC))
    forecast_outcome = ForecastOutcome.objects.get(symbol="COCOA")
    assert (forecast_outcome.came, forecast_outcome.hit, forecast_outcome.usual_hit) == (
        "",
        None,
        None,
    )
    assert score_cards.cards_by_symbol(score_cards.load_score_cards())["COCOA"].scored == 0


@pytest.mark.parametrize(("days", "came"), [(59, ""), (60, "HIGHER")])
def test_a_price_of_sixty_days_later_says_what_came(told: None, days: int, came: str) -> None:
    outlook = ForecastOutlook.objects.get(symbol="COCOA").data
    day = date.fromisoformat(outlook["price_day"]) + timedelta(days=days)
    later(str(Decimal(outlook["price"]) * 2), day=day)
    tasks.resolve_outlooks("", datetime(2027, 2, 20, tzinfo=UTC))
    assert ForecastOutcome.objects.get(symbol="COCOA").came == came


def test_a_price_that_came_out_after_the_day_counts_for_nothing(told: None) -> None:
    services.record_readings(
        readings=[Reading("cocoa", date(2027, 1, 31), Decimal(9))],
        source="WORLD BANK",
        now=datetime(2027, 2, 20, 1, tzinfo=UTC),
    )
    tasks.resolve_outlooks("", datetime(2027, 3, 1, tzinfo=UTC))
    assert ForecastOutcome.objects.get(symbol="COCOA").came == ""


def test_a_card_counts_hits_and_stretches_that_do_not_overlap() -> None:
    days = [date(2026, 1, 1) + timedelta(days=n) for n in (0, 30, 91, 120, 182)]
    rows = [(day, at < 3, at == 0) for at, day in enumerate(days)]
    card = score_cards._build_card("CORN", 9, rows)
    assert (card.scored, card.hits, card.usual, card.apart, card.pending) == (5, 3, 1, 3, 4)
    assert (card.rate, card.usual_rate, card.few) == ("60", "20", True)


@pytest.mark.parametrize(
    ("move", "came"), [("0.05", "HIGHER"), ("-0.05", "LOWER"), ("0.0499", "UNCHANGED")]
)
def test_a_move_of_the_band_itself_counts(move: str, came: str) -> None:
    assert outlook_outcomes.direction_of_move(Decimal(move), Decimal("0.05")) == came


def test_a_third_of_all_moves_lies_below_the_band() -> None:
    moves = [Decimal(n) / 100 for n in (-3, 1, 2, -6, 5, 4)]
    assert outlook_outcomes.unchanged_band(moves) == Decimal("0.03")
    assert outlook_outcomes.direction_shares(moves, Decimal("0.03")) == {
        "HIGHER": Decimal("0.3333"), "LOWER": Decimal("0.3333"), "UNCHANGED": Decimal("0.3333"),
    }  # fmt: skip


def test_what_is_uncertain_is_not_scored() -> None:
    assert outlook_outcomes.is_hit("UNCERTAIN", "HIGHER") is None


@pytest.mark.parametrize(("hours", "status"), [(3, "ok"), (4, "degraded")])
def test_health_looks_at_the_last_run(told: None, hours: int, status: str) -> None:
    forecasts: dict[str, Any] = check_forecasts(NOON + timedelta(hours=hours))
    assert (forecasts["status"], forecasts["lastRunSeconds"]) == (status, 3600 * hours)


def test_without_a_run_health_needs_somebody() -> None:
    assert check_forecasts(NOON) == {
        "status": "degraded",
        "lastRunSeconds": None,
        "reason": "no run yet",
    }


def test_a_process_computes_an_hour_once_whatever_became_of_its_record(
    anybody: APIClient, monkeypatch: Any
) -> None:
    calls = []
    real = hourly_run.compute_run

    def counted(*, now: datetime) -> hourly_run.HourlyRun:
        calls.append(now)
        return real(now=now)

    monkeypatch.setattr(hourly_run, "compute_run", counted)
    monkeypatch.setattr(hourly_run, "load_recorded_run", lambda slot: None)
    for _ in range(3):
        assert get(anybody, "heat-check").status_code == 200
    assert len(calls) == 1


def test_where_nothing_was_known_it_is_looked_at_again_after_a_minute(unknown: APIClient) -> None:
    assert not hourly_run.load_current_run(now=NOON).markets
    sampling.load(now=NOON, files=FILES)
    assert not hourly_run.load_current_run(now=NOON + timedelta(seconds=59)).markets
    assert hourly_run.load_current_run(now=NOON + timedelta(seconds=60)).markets


def test_forged_outlooks_and_outcomes_are_no_part_of_the_card(told: None) -> None:
    real = ForecastOutlook.objects.get(symbol="WHEAT")
    forged = ForecastOutlook(
        payload=real.payload, salt=real.salt, mac=real.mac, recorded_at=real.recorded_at,
        symbol="WHEAT", day=date(2026, 5, 1), due=date(2026, 7, 31), version=real.version,
        outlook="STABLE", quality="LIVE",
    )  # fmt: skip
    ForecastOutlook.objects.bulk_create([forged])
    outcome = ForecastOutcome(
        payload="{}", salt="", recorded_at=NOON, symbol="WHEAT", due=date(2026, 7, 31),
        outlook=ForecastOutlook.objects.get(day=date(2026, 5, 1)), came="UNCHANGED", hit=True,
        usual_hit=True,
    )  # fmt: skip
    ForecastOutcome.objects.bulk_create([outcome])
    card = score_cards.cards_by_symbol(score_cards.load_score_cards())["WHEAT"]
    assert (card.recorded, card.scored, card.hits) == (1, 0, 0)
