"""Operators' page of schedules: rhythms in words, and what stops is asked before."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from apps.platform.desk import time_formats
from apps.platform.desk.admin import schedules
from apps.platform.jobs.models import Periodic, ScheduleRecord
from apps.platform.jobs.registry import JOBS
from apps.platform.jobs.schedule_integrity import verify_schedules
from apps.platform.ledger.verification.verifier import verify_ledger
from tests.platform.tampering import sql
from tests.review.people import NOON, at_desk, check_page, person

SCHEDULES = "/admin/core/periodic/"
TIDY, REFRESH = f"{SCHEDULES}core.tidy/change/", f"{SCHEDULES}watchlists.refresh/change/"
TEN_MINUTES = {"every": "10", "unit": "minute", "enabled": "on"}


@pytest.fixture(autouse=True)
def _at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedules, "now", lambda: NOON)


@pytest.fixture
def otto(db: Any) -> Client:
    return at_desk(person("otto", "Operator"))


def tidy() -> Periodic:
    return Periodic.objects.get(pk="core.tidy")


def test_the_rhythm_of_a_schedule_is_the_operators(otto: Client) -> None:
    Periodic.objects.filter(pk="core.tidy").update(next_at=NOON + timedelta(days=1))
    assert "Remove expired" in check_page(otto.get(TIDY))
    assert otto.post(TIDY, TEN_MINUTES).status_code == 302
    assert (tidy().every_seconds, tidy().enabled) == (600, True)
    assert tidy().next_at == NOON + timedelta(minutes=10)


@pytest.mark.parametrize(
    ("every", "unit"),
    [
        ("0", "minute"), ("-1", "hour"), ("", "minute"), ("x", "hour"), ("1e3", "minute"),
        ("32", "day"), ("745", "hour"), ("44641", "minute"), ("1", "second"), ("1", ""),
    ],
)  # fmt: skip
def test_a_rhythm_that_makes_no_sense_is_refused(otto: Client, every: str, unit: str) -> None:
    before = tidy().every_seconds
    html = check_page(otto.post(TIDY, {"every": every, "unit": unit, "enabled": "on"}))
    assert "errorlist" in html
    assert tidy().every_seconds == before


@pytest.mark.parametrize(
    ("every", "unit", "seconds"), [("31", "day", 31 * 86400), ("1", "minute", 60)]
)
def test_the_bounds_of_a_rhythm_stand(otto: Client, every: str, unit: str, seconds: int) -> None:
    otto.post(TIDY, {"every": every, "unit": unit, "enabled": "on"})
    assert tidy().every_seconds == seconds


def test_the_name_of_a_schedule_cannot_be_changed(otto: Client) -> None:
    otto.post(TIDY, TEN_MINUTES | {"name": "os.system", "next_at": "2020-01-01"})
    assert not Periodic.objects.filter(pk="os.system").exists()


def test_switching_off_says_what_stops_and_asks_first(otto: Client) -> None:
    assert JOBS["core.tidy"].stops in check_page(otto.get(TIDY))
    off = {"every": "1", "unit": "hour"}
    html = check_page(otto.post(TIDY, off))
    assert f"If it is switched off: {JOBS['core.tidy'].stops}" in html and "errorlist" in html
    assert tidy().enabled
    answer = otto.post(TIDY, off | {"sure": "on"}, follow=True)
    assert f"It is off. {JOBS['core.tidy'].stops}" in check_page(answer)
    assert not tidy().enabled


def test_what_is_off_is_asked_nothing_and_goes_on_again(otto: Client) -> None:
    Periodic.objects.filter(pk="core.tidy").update(enabled=False)
    assert "Switch it off anyway" not in check_page(otto.get(TIDY))
    assert otto.post(TIDY, {"every": "2", "unit": "hour"}).status_code == 302
    assert otto.post(TIDY, TEN_MINUTES).status_code == 302
    assert tidy().enabled


def test_every_schedule_says_what_stops_without_it() -> None:
    assert [name for name, work in JOBS.items() if work.every and not work.stops] == []


def test_the_list_says_rhythms_in_words_and_when_each_comes_next(otto: Client) -> None:
    Periodic.objects.update(next_at=NOON + timedelta(hours=3, minutes=20))
    html = check_page(otto.get(SCHEDULES))
    assert "every minute" in html and "every hour" in html and "every day" in html
    assert "in 3 hours (20 Nov 2026 15:20 UTC)" in html


def test_off_is_alarming_where_it_matters_and_calm_where_a_sandbox_begins_so(
    otto: Client, settings: Any
) -> None:
    refresh = Periodic.objects.filter(pk="watchlists.refresh")
    refresh.update(enabled=False)
    html = check_page(otto.get(SCHEDULES))
    assert "Off by default in a sandbox" in html and JOBS["watchlists.refresh"].stops not in html
    settings.PRODUCTION = True
    html = check_page(otto.get(SCHEDULES))
    assert '<span class="badge bad">Off</span>' in html and "not while it is off" in html
    assert JOBS["watchlists.refresh"].stops in html


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (60, "every minute"), (300, "every 5 minutes"), (3600, "every hour"),
        (21600, "every 6 hours"), (86400, "every day"), (90 * 60, "every 90 minutes"),
        (90, "every 90 seconds"),
    ],
)  # fmt: skip
def test_a_rhythm_in_words_is_exact(seconds: int, words: str) -> None:
    assert time_formats.format_rhythm(seconds) == words


@pytest.mark.parametrize(
    ("ahead", "words"),
    [
        (timedelta(seconds=59), "now"), (timedelta(seconds=-59), "now"),
        (timedelta(minutes=1), "in 1 minute"), (timedelta(hours=-5), "5 hours ago"),
        (timedelta(hours=47), "in 1 day"),
    ],
)  # fmt: skip
def test_a_moment_in_words_says_how_far_it_is(ahead: timedelta, words: str) -> None:
    assert time_formats.format_time_until(NOON + ahead, NOON) == words


# --- who set it -------------------------------------------------------------------------


def faults() -> list[str]:
    return list(verify_schedules(lambda _: None))


def test_what_an_operator_sets_is_recorded(otto: Client) -> None:
    assert not faults()
    assert otto.post(TIDY, TEN_MINUTES).status_code == 302
    record = ScheduleRecord.objects.get()
    assert (record.name, record.enabled, record.every_seconds, record.by) == (
        "core.tidy", True, 600, "otto",
    )  # fmt: skip
    assert not faults()
    otto.post(TIDY, {"every": "10", "unit": "minute", "sure": "on"})
    assert not tidy().enabled and not faults()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"enabled": False}, "it is off, every 3600 s, recorded is on, every 3600 s"),
        ({"every_seconds": 86400}, "it is on, every 86400 s, recorded is on, every 3600 s"),
    ],
)
def test_what_is_set_in_the_database_is_found(otto: Client, change: Any, told: str) -> None:
    Periodic.objects.filter(pk="core.tidy").update(**change)
    assert faults() == [f"schedule core.tidy: {told}"]
    assert f"schedule core.tidy: {told}" in verify_ledger(ledger="schedules").faults
    Periodic.objects.filter(pk="core.tidy").delete()
    assert faults() == ["schedule core.tidy: its row is missing"]


def test_a_record_without_our_mac_says_nothing(otto: Client) -> None:
    otto.post(TIDY, {"every": "1", "unit": "hour", "sure": "on"})
    sql("DROP TRIGGER IF EXISTS core_schedulerecord_no_update" + on_table())
    sql("UPDATE core_schedulerecord SET enabled = %s", True)
    Periodic.objects.filter(pk="core.tidy").update(enabled=True)
    assert not faults()  # it stands as it began, and that it was switched off is not proved
    assert any("MAC" in fault for fault in verify_ledger(ledger="schedules").faults)


def on_table() -> str:
    return " ON core_schedulerecord" if connection.vendor == "postgresql" else ""
