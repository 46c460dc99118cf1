"""Today tells operators how the lists stand, and in red what is wrong while it lasts."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from apps.platform.desk import site
from apps.platform.jobs.models import Periodic
from apps.reference.watchlists.catalog import ensure_sources
from apps.reference.watchlists.models import Source, SourceKind
from apps.reference.watchlists.services import list_imports, source_changes
from tests.review.people import OFFICER, SENIOR, at_desk, check_page, person

Make = Callable[..., Source]
Write = Callable[..., Path]
WHY = "Our counsel asks for it; letter of 3 November."


@pytest.fixture(autouse=True)
def _at_noon(monkeypatch: pytest.MonkeyPatch, noon: datetime) -> None:
    monkeypatch.setattr(site, "now", lambda: noon)


@pytest.fixture
def ada(db: Any) -> User:
    return person("ada", "Operator")


@pytest.fixture
def ben(db: Any) -> User:
    return person("ben", "Operator")


@pytest.fixture
def otto(db: Any) -> Client:
    return at_desk(person("otto", "Operator"))


@pytest.fixture
def house(source: Make, write: Write, noon: datetime) -> Source:
    made = source(title="House list", urls=["https://lists.example/a.csv"])
    parties = {str(number): f"Party {number}" for number in range(1200)}
    list_imports.import_files(source=made, paths=[write("a.csv", parties)], now=noon)
    made.refresh_from_db()
    return made


def alarms(desk: Client) -> str:
    """Return what Today says in red of lists, empty when it says nothing."""
    html = check_page(desk.get("/admin/"))
    return html.split('class="alarms">')[1].split("</ul>")[0] if 'class="alarms">' in html else ""


def agree(house: Source, field: str, after: Any, ada: User, ben: User, at: datetime) -> str:
    source_change = source_changes.propose_source_change(
        source=house, field=field, after=after, reason=WHY, by=ada, now=at
    )
    source_changes.approve_source_change(change=source_change, by=ben, now=at)
    return f'href="/admin/watchlists/sourcechange/{source_change.pk}/change/"'


def test_a_list_that_is_off_is_told_with_who_and_since_when_until_it_is_on(
    house: Source, ada: User, ben: User, otto: Client, noon: datetime
) -> None:
    assert alarms(otto) == ""
    then = noon - timedelta(days=40)
    link = agree(house, "enabled", False, ada, ben, then)
    html = alarms(otto)
    assert "House list is switched off: 1,200 listed parties are not screened." in html
    assert f"Proposed by ada, approved by ben: {WHY}" in html and link in html
    assert "Since 11 Oct 2026 12:00 UTC." in html and 'class="alarm"' in html
    house.refresh_from_db()
    agree(house, "enabled", True, ada, ben, noon)
    assert alarms(otto) == ""


def test_another_address_is_told_for_seven_days(
    house: Source, ada: User, ben: User, otto: Client, noon: datetime
) -> None:
    link = agree(house, "urls", ["https://b.example/"], ada, ben, noon - timedelta(days=7))
    assert "House list is downloaded from a new address." in alarms(otto)
    assert link in alarms(otto)
    changed = type(house.changes.get()).objects
    changed.update(decided_at=noon - timedelta(days=7, seconds=1))
    assert alarms(otto) == ""


def test_a_failed_refresh_and_a_list_too_old_are_told(
    house: Source, otto: Client, noon: datetime
) -> None:
    Source.objects.update(last_error="The download was cut off.")
    assert "House list could not be refreshed: The download was cut off." in alarms(otto)
    Source.objects.update(last_error="", max_age_hours=24)
    assert alarms(otto) == ""
    Source.objects.update(last_checked_at=noon - timedelta(hours=25))
    assert "House list is too old." in alarms(otto)


def test_what_production_should_have_and_has_not_is_told(otto: Client, settings: Any) -> None:
    ensure_sources()
    Source.objects.filter(slug="un-sc").update(enabled=False)
    settings.PRODUCTION, settings.REQUIRED_SOURCES = True, ["un-sc"]
    html = alarms(otto)
    assert "UN Security Council consolidated list is switched off" in html
    assert "There is no record of who decided this." in html
    assert "UK Sanctions List is switched on but not loaded." in html
    assert "OpenSanctions" not in html  # off by default: nobody misses it


def test_what_a_sandbox_begins_with_is_not_red(otto: Client) -> None:
    ensure_sources()
    call_command("load_sample_lists", verbosity=0)
    assert Source.objects.filter(kind=SourceKind.SAMPLE, live__isnull=False).exists()
    assert alarms(otto) == ""


def test_each_list_says_age_limit_outcome_and_when_it_is_next(
    house: Source, otto: Client, noon: datetime, source: Make
) -> None:
    Periodic.objects.filter(pk="watchlists.refresh").update(
        enabled=True, next_at=noon + timedelta(hours=3, minutes=1)
    )
    Source.objects.update(max_age_hours=48, last_checked_at=noon - timedelta(hours=5))
    source("by-hand", title="By hand")
    html = check_page(otto.get("/admin/"))
    row = html.split(">House list</a></th>")[1].split("</tr>")[0]
    for words in ("Current", "5 hours", "of at most 48 hours", "1,200 parties", "1,200 names",
                  "succeeded 5 hours ago", "in 3 hours"):  # fmt: skip
        assert words in row, words
    assert "manual: it has no address" in html.split(">By hand</a></th>")[1]
    Periodic.objects.filter(pk="watchlists.refresh").update(enabled=False)
    assert "none: scheduled refreshes are off" in check_page(otto.get("/admin/"))


@pytest.mark.parametrize("group", [OFFICER, SENIOR, "Examiner"])
def test_who_reads_cases_is_told_in_red_what_is_not_screened_while_it_lasts(
    house: Source, ada: User, ben: User, noon: datetime, group: str
) -> None:
    desk = at_desk(person("olivia", group))
    assert alarms(desk) == ""
    agree(house, "enabled", False, ada, ben, noon - timedelta(days=40))
    html = alarms(desk)
    assert "House list is switched off: 1,200 listed parties are not screened." in html
    assert "Proposed by ada" in html and "Since 11 Oct 2026" in html and "<a " not in html
    house.refresh_from_db()
    agree(house, "enabled", True, ada, ben, noon)
    assert alarms(desk) == ""
    Source.objects.update(max_age_hours=24, last_checked_at=noon - timedelta(hours=25))
    assert "House list is too old." in alarms(desk)


def test_how_lists_are_run_is_told_to_operators_alone(
    house: Source, ada: User, ben: User, noon: datetime
) -> None:
    Source.objects.update(last_error="timeout")
    agree(house, "urls", ["https://b.example/"], ada, ben, noon)
    html = check_page(at_desk(person("olivia", OFFICER)).get("/admin/"))
    assert "House list" not in html and "timeout" not in html
    assert alarms(at_desk(person("rita", "Registrar"))) == ""


def test_many_lists_take_as_many_queries_as_few(
    source: Make, otto: Client, ada: User, ben: User, noon: datetime,
    django_assert_max_num_queries: Any,
) -> None:  # fmt: skip
    def count() -> int:
        with django_assert_max_num_queries(47) as caught:
            otto.get("/admin/")
        return len(caught)

    agree(source("first"), "enabled", False, ada, ben, noon)
    few = count()
    for number in range(60):
        agree(source(f"list-{number}"), "enabled", False, ada, ben, noon)
    assert count() == few
    assert "11 more are in the" in check_page(otto.get("/admin/"))
