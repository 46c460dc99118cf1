"""When files are due again, what is kept of them, and the commands that fetch and show."""

from datetime import datetime, timedelta
from decimal import Decimal
from itertools import cycle
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.platform.jobs.registry import JOBS
from apps.reference.signals import feed_upkeep, services, tasks
from apps.reference.signals.clients import publishers
from apps.reference.signals.models import Fetch, Observation, RawFile
from apps.reference.signals.series import FEEDS, Reading
from tests.conftest import NOON
from tests.signals.fake_publisher import feed, publishing, rows, serve

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
BODY = b"Date,OFR FSI\n2026-11-17,1.0\n2026-11-18,1.1\n"


def note(name: str, ago: timedelta, outcome: str = "NEW") -> Fetch:
    return Fetch.objects.create(feed=name, at=NOON - ago, outcome=outcome)


@pytest.mark.parametrize(
    ("seconds", "is_due"), [(6 * 3600 - 301, False), (6 * 3600 - 300, True), (6 * 3600, True)]
)
def test_a_file_is_due_again_after_its_rhythm(seconds: int, is_due: bool) -> None:
    note("ofr-fsi", 9 * DAY)
    note("ofr-fsi", timedelta(seconds=seconds), "FAILED")
    assert ("ofr-fsi" in feed_upkeep.find_due_feeds(now=NOON)) is is_due


def test_each_file_is_asked_for_as_often_as_its_row_says(monkeypatch: Any) -> None:
    """A day of runs, each some seconds off its time: no file is asked for seldom or too often."""
    asked: dict[str, int] = {}

    def refresh(*, now: datetime, names: list[str], alone: bool, clock: Any) -> None:
        for name in names:
            asked[name] = asked.get(name, 0) + 1
            Fetch.objects.create(feed=name, at=now, outcome="SAME")

    monkeypatch.setattr(services, "refresh_feeds", refresh)
    rhythm = JOBS["signals.refresh"].every
    assert rhythm is not None
    off = cycle(timedelta(seconds=n) for n in (0, 9, 3, 21, 1, 14, 30, 2))
    for n in range(DAY // rhythm):
        tasks.refresh_due_feeds("", NOON + n * rhythm + next(off))
    on = [one for one in FEEDS if publishers.is_feed_on(one) and one.name != "ecb-rates"]
    assert asked == {one.name: max(1, DAY // one.every) for one in on}
    assert min(one.every for one in on) == timedelta(minutes=30)


def test_it_is_looked_for_what_is_due_more_often_than_anything_comes() -> None:
    rhythm = JOBS["signals.refresh"].every
    assert rhythm == 2 * feed_upkeep.DUE_EARLY_BY
    assert all(rhythm <= one.every / 2 for one in FEEDS)


def test_what_comes_most_often_is_asked_for_first() -> None:
    rhythms = {one.name: one.every for one in FEEDS}
    due = [rhythms[name] for name in feed_upkeep.find_due_feeds(now=NOON)]
    assert due == sorted(due) and due[0] < due[-1]


def test_two_runs_do_not_ask_for_a_file_at_once(monkeypatch: Any) -> None:
    with publishing() as server:
        server.body = BODY
        one = serve(monkeypatch, server, feed("ofr-fsi"), rows("ofr-fsi", "ofr.fsi"))
        assert publishers.claim_feed(one)
        tasks.refresh_due_feeds("", NOON)
        assert server.asked == []
        publishers.release_feed(one)
        tasks.refresh_due_feeds("", NOON)
        tasks.refresh_due_feeds("", NOON + DAY)
        assert len(server.asked) == 2


def test_a_fetch_at_once_leaves_the_claim_of_another_run(monkeypatch: Any) -> None:
    with publishing() as server:
        server.body = BODY
        one = serve(monkeypatch, server, feed("ofr-fsi"), rows("ofr-fsi", "ofr.fsi"))
        assert publishers.claim_feed(one)
        tasks.fetch_one_feed("ofr-fsi", NOON)
        assert len(server.asked) == 1
        assert not publishers.claim_feed(one)
        publishers.release_feed(one)


def test_a_file_that_was_never_asked_for_is_due_if_it_is_on(settings: Any) -> None:
    due = feed_upkeep.find_due_feeds(now=NOON)
    assert "fed-h15" in due and "ecb-rates" not in due
    assert not {"cboe-vix", "fred-t10y2y", "eia-wti"} & set(due)
    settings.SIGNALS_FEEDS = ()
    assert feed_upkeep.find_due_feeds(now=NOON) == []
    tasks.refresh_due_feeds("", NOON)
    assert not Fetch.objects.exists()


def test_the_job_fetches_what_is_due(monkeypatch: Any) -> None:
    with publishing() as server:
        server.body = BODY
        serve(monkeypatch, server, feed("ofr-fsi"), rows("ofr-fsi", "ofr.fsi"))
        tasks.refresh_due_feeds("", NOON)
        tasks.refresh_due_feeds("", NOON + DAY / 8)
        assert len(server.asked) == 1
        tasks.fetch_one_feed("ofr-fsi", NOON + DAY / 8)
        tasks.fetch_one_feed("a-file-that-left", NOON)
        assert len(server.asked) == 2
    assert Observation.objects.count() == 2


def test_a_raw_file_stays_while_a_newest_value_rests_on_it() -> None:
    for number, value in enumerate(("1.0", "1.1", "1.1")):
        at = NOON + number * DAY
        one = [Reading("ofr.fsi", (NOON - DAY).date(), Decimal(value))]
        if number == 2:
            one = [Reading("ofr.fsi", NOON.date(), Decimal(value))]
        services.record_readings(readings=one, source="OFR", now=at, digest=str(number))
        RawFile.objects.create(
            digest=str(number), feed="ofr-fsi", fetched_at=at, size=1, content=b"x"
        )
    assert feed_upkeep.remove_unused_files(now=NOON + 9 * DAY) == 1
    assert set(RawFile.objects.values_list("digest", flat=True)) == {"1", "2"}


@pytest.mark.parametrize(("days", "kept"), [(400, 3), (401, 2)])
def test_notes_of_fetches_leave_after_400_days_but_for_the_last_good_one(
    days: int, kept: int
) -> None:
    note("ofr-fsi", days * DAY)
    note("ofr-fsi", days * DAY - DAY / 2, "REJECTED")
    note("ofr-fsi", 2 * DAY, "FAILED")
    feed_upkeep.remove_unused_files(now=NOON)
    assert Fetch.objects.count() == kept


def test_progress_is_told_file_by_file(monkeypatch: Any, capsys: Any) -> None:
    with publishing() as server:
        server.body = BODY
        serve(monkeypatch, server, feed("ofr-fsi"), rows("ofr-fsi", "ofr.fsi"))
        call_command("refresh_signals", "ofr.fsi")
        server.body = b"<html>"
        with pytest.raises(CommandError, match="1 of 1 files were not kept"):
            call_command("refresh_signals")
    assert capsys.readouterr().out.splitlines() == [
        "[1/1] ofr-fsi: New values: 2 new values",
        "2 new values of 1 files",
        "[1/1] ofr-fsi: Rejected: column 'Date' is missing",
    ]


@pytest.mark.parametrize("name", ["nothing", "us.curve.10y2y"])
def test_only_files_and_what_stands_in_them_can_be_fetched(name: str) -> None:
    with pytest.raises(CommandError, match="neither a file nor a series"):
        call_command("refresh_signals", name)


def test_a_series_is_shown_as_it_was_known_on_a_day(capsys: Any) -> None:
    for days, value in ((2, "4.10"), (1, "4.11")):
        one = [Reading("us.dgs10", (NOON - 5 * DAY).date(), Decimal(value))]
        services.record_readings(readings=one, source="FED", now=NOON - days * DAY)
    call_command("show_series", "us.dgs10", "--as-of", "2026-11-18")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "us.dgs10: 4.1 per cent, observed"
    assert lines[1].startswith("of 2026-11-15, 3 days old, at most 6")
    assert lines[-1] == "2026-11-15  4.1"
    call_command("show_series", "us.dgs10", "--as-of", "2026-11-19")
    assert capsys.readouterr().out.splitlines()[-1] == "2026-11-15  4.11"
    with pytest.raises(CommandError, match="'yesterday' is not a day, such as 2026-03-20"):
        call_command("show_series", "us.dgs10", "--as-of", "yesterday")
    for name, day, told in (
        ("us.dgs10", "2026-11-17", "Nothing was known"),
        ("us.dgs99", "2026-11-19", "no row"),
    ):
        with pytest.raises(CommandError, match=told):
            call_command("show_series", name, "--as-of", day)
