"""What operators see: lists and their standing, imports under way, usage, health in words."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from apps.access.keys.models import Account, UsageCount
from apps.platform.desk import health
from apps.platform.jobs.models import Heartbeat, Job
from apps.reference.watchlists.admin import describe_source_status, list_running_imports
from apps.reference.watchlists.health import WORDS
from apps.reference.watchlists.models import EntityState, ListVersion, Source
from tests.review.people import NOON, at_desk, check_page, person

pytestmark = pytest.mark.django_db
LISTS = "/admin/watchlists/source/"


@pytest.fixture
def otto() -> Client:
    return at_desk(person("otto", "Operator"))


def source(**given: Any) -> Source:
    values = {"slug": "ofac", "title": "OFAC", "topic": "sanction", "kind": "official",
              "format": "csv", "last_checked_at": NOON}  # fmt: skip
    made = Source.objects.create(**(values | given))
    version = ListVersion.objects.create(
        source=made, sequence=1, checksum="0" * 64, fetched_at=NOON, status="live",
        total=18_000, added=12, changed=3, removed=1,
    )  # fmt: skip
    Source.objects.filter(pk=made.pk).update(live=version)
    made.refresh_from_db()
    return made


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "Current"),
        ({"enabled": False, "last_error": "x"}, "Switched off"),
        ({"last_error": "timeout"}, "Last refresh failed"),
        ({"max_age_hours": 24, "last_checked_at": NOON - timedelta(hours=24)}, "Current"),
        ({"max_age_hours": 24, "last_checked_at": NOON - timedelta(hours=24, seconds=1)},
         "Too old"),
        ({"max_age_hours": 24, "last_checked_at": None}, "Too old"),
    ],
)  # fmt: skip
def test_how_a_list_stands_is_said_in_words(given: dict[str, Any], words: str) -> None:
    assert describe_source_status(source(**given), NOON)[1] == words


def test_a_list_without_a_version_says_so() -> None:
    bare = Source(slug="x", enabled=True)
    assert describe_source_status(bare, NOON) == ("warn", "Nothing loaded")


def test_an_import_under_way_shows_how_far_it_is(otto: Client) -> None:
    new_source = source()
    begun = NOON - timedelta(minutes=7)
    version = ListVersion.objects.create(
        source=new_source, sequence=2, checksum="1" * 64, fetched_at=begun
    )
    for number in range(3):
        EntityState.objects.create(
            source=new_source, entity_id=str(number), digest="", data={}, first_sequence=2
        )
    (found,) = list_running_imports(NOON)
    assert (found.version, found.staged, found.minutes) == (version, 3, 7)
    html = check_page(otto.get(LISTS))
    assert "3 changed parties staged so far" in html and "18,000 parties" in html
    assert "+12 ~3 -1" in html and "Current" in html


def test_a_version_shows_its_change_report(otto: Client) -> None:
    version = source().live
    html = check_page(otto.get(f"/admin/watchlists/listversion/{version.pk}/change/"))
    assert "<b>12</b> added" in html and "Live" in html


def test_lists_take_as_many_queries_for_many_as_for_few(
    otto: Client, django_assert_max_num_queries: Any
) -> None:
    for number in range(30):
        source(slug=f"list-{number}")
    with django_assert_max_num_queries(9):
        otto.get(LISTS)


def test_usage_is_drawn_by_month(otto: Client) -> None:
    account = Account.objects.create(name="Alice Ltd", created_at=NOON)
    for month, calls in (("2026-09", 40), ("2026-10", 80)):
        UsageCount.objects.create(account=account, month=month, unit="s", shard=0, calls=calls)
    html = check_page(otto.get(f"/admin/access/account/{account.pk}/usage/?month=2026-10"))
    assert html.count("<rect ") == 2 and 'aria-label="80 calls in Oct 2026"' in html
    heights = [float(rect.split('height="')[1].split('"')[0]) for rect in html.split("<rect ")[1:]]
    assert heights[1] == 2 * heights[0] > 0


def test_health_says_what_to_do(otto: Client) -> None:
    html = check_page(otto.get("/admin/oversight/health/"))
    assert "No worker has run yet" in html and "loaded sanctions lists are missing" in html
    Heartbeat.objects.create(name="jobs", at=NOON)
    Job.objects.create(name="x", key="1", state="FAILED", eta=NOON, created_at=NOON)
    checks = next(
        checks
        for service, checks in health.describe_service_health(NOON)
        if "Compliance" in service
    )
    jobs = next(check for check in checks if check.title == "Background jobs")
    assert (jobs.state, jobs.sentences[-1]) == ("degraded", "1 failed job needs attention.")


@pytest.mark.parametrize(
    ("check", "sentence"),
    [
        ({"status": "degraded", "lastHeartbeatSeconds": 300, "oldestDueSeconds": 0},
         "That is too long ago: check that the workers are running."),
        ({"status": "degraded", "lastHeartbeatSeconds": 10, "oldestDueSeconds": 240},
         "The oldest overdue job has been waiting for 4 min."),
        ({"status": "ok", "lastHeartbeatSeconds": 10, "oldestDueSeconds": 0, "failed": 0},
         "No failed jobs."),
    ],
)  # fmt: skip
def test_what_workers_do_is_said_in_sentences(check: dict[str, Any], sentence: str) -> None:
    assert sentence in health.JOBS.speak(check)


def test_lists_that_lag_are_said_to_lag() -> None:
    said = WORDS.speak(
        {"status": "degraded", "sanctions": "stale", "pep": "fresh", "lagSeconds": 130,
         "sample": True, "versions": {"ofac": 3}}
    )  # fmt: skip
    assert said == [
        "The loaded sanctions lists are too old to screen against: refresh them.",
        "The loaded PEP lists are current.",
        "The index is 2 min behind the lists.",
        "Screening uses the bundled sample lists: not for real payments.",
        "Live: ofac 3.",
    ]


def test_a_check_of_a_coming_service_is_shown_as_it_is() -> None:
    assert health._list_check_values({"status": "ok", "rate": 1}) == ["rate: 1"]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0 s"), (59, "59 s"), (60, "1 min"), (3599, "59 min"), (3600, "1 h"), (86399, "23 h"),
     (86400, "1 d")],
)  # fmt: skip
def test_spans_are_said_in_words(seconds: int, words: str) -> None:
    assert health.format_short_span(seconds) == words
