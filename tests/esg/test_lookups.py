"""A first call for an entity queues a lookup, which asks every source and keeps what they give."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from apps.insight.esg.models import EsgLookup, Evidence
from apps.insight.esg.services import entity_lookups
from apps.platform.common.clock import now
from apps.platform.jobs.models import Job
from apps.platform.upstreams.http import UpstreamError
from tests.esg.conftest import MICROSOFT, NOBODY
from tests.upstreams.loopback import Loopback, body, status

pytestmark = pytest.mark.django_db
Ask = Callable[..., Any]
CSV = f"lei,near_term_status\n{MICROSOFT},Targets set\n"


@pytest.fixture
def far(settings: Any, tmp_path: Path) -> Iterator[Loopback]:
    settings.VAR_DIR, settings.WEB_WORKERS = tmp_path, 4
    loopback = Loopback()
    settings.ESG_SOURCES = [f"sbti={loopback.url}/sbti.csv", f"eu-ets={loopback.url}/ets.csv"]
    loopback.answers["/sbti.csv"] = body(CSV.encode())
    loopback.answers["/ets.csv"] = status(503)
    yield loopback
    loopback.close()


def queued() -> int:
    return Job.objects.filter(name=entity_lookups.JOB).count()


def test_a_first_call_answers_at_once_and_queues_one_lookup(ask: Ask, far: Loopback) -> None:
    assert [ask()["lookup"], ask()["lookup"]] == ["QUEUED", "QUEUED"]
    assert queued() == 1 and far.calls == []


def test_an_entity_of_which_nothing_is_held_is_looked_up_all_the_same(
    ask: Ask, far: Loopback
) -> None:
    ask(NOBODY, name="Harbour Lights Catering", status=503)
    row = EsgLookup.objects.get()
    assert (row.lei, row.name, queued()) == (NOBODY, "", 1)


def told_of(far: Loopback, settings: Any) -> None:
    """Let OSHA have a spotless company of this name."""
    head = ("company_name,year_filing_for,total_hours_worked,total_deaths,total_dafw_cases,"
            "total_djtr_cases,total_other_cases\n")  # fmt: skip
    settings.ESG_SOURCES = [f"osha={far.url}/osha.csv", f"sbti={far.url}/sbti.csv"]
    far.answers["/osha.csv"] = body(
        (head + "Harbour Lights Catering,2025,2000000,0,0,0,0\n").encode()
    )


def test_no_figure_comes_in_under_a_name_that_a_caller_told(
    ask: Ask, far: Loopback, settings: Any
) -> None:
    told_of(far, settings)
    ask(NOBODY, name="Harbour Lights Catering", status=503)
    entity_lookups.look_up_entity(NOBODY, now())
    assert not Evidence.objects.filter(subject=NOBODY).exists()
    assert "name" in EsgLookup.objects.get().faults["osha"]
    assert far.calls == ["/sbti.csv"], "a source that goes by LEI is asked all the same"


def test_once_somebody_vouches_for_the_name_the_sources_are_asked_again(
    ask: Ask, far: Loopback, settings: Any
) -> None:
    told_of(far, settings)
    ask(NOBODY, name="Harbour Lights Catering", status=503)
    entity_lookups.look_up_entity(NOBODY, now())
    stated: dict[str, Any] = {"lei": NOBODY, "country": "SE", "again": False, "now": now()}
    assert entity_lookups.plan_entity_lookup(name="", **stated) == "DONE"
    assert entity_lookups.plan_entity_lookup(name="Harbour Lights Catering", **stated) == "QUEUED"
    entity_lookups.look_up_entity(NOBODY, now())
    assert Evidence.objects.get(subject=NOBODY).key == "injury_rate"


def test_the_name_is_gleifs_where_it_is_held_by_then(
    ask: Ask, far: Loopback, settings: Any
) -> None:
    EsgLookup.objects.create(lei=MICROSOFT, name="", country="GB", asked_at=now())
    entity_lookups.look_up_entity(MICROSOFT, now())
    row = EsgLookup.objects.get()
    assert (row.name, row.country) == ("MICROSOFT CORPORATION", "US")


def test_a_lookup_keeps_what_one_source_gives_though_another_fails(ask: Ask, far: Loopback) -> None:
    before = ask()
    entity_lookups.look_up_entity(MICROSOFT, now())
    row = EsgLookup.objects.get()
    assert row.found == 1 and "eu-ets" in row.faults and "sbti" not in row.faults
    after = ask()
    assert (after["lookup"], after["fromCache"]) == ("DONE", False)
    assert after["environmental"] > before["environmental"]


def test_a_lookup_that_runs_twice_keeps_nothing_twice(ask: Ask, far: Loopback) -> None:
    ask()
    for _ in range(2):
        entity_lookups.look_up_entity(MICROSOFT, now())
    assert Evidence.objects.filter(key="climate_target").count() == 1
    entity_lookups.look_up_entity(NOBODY, now())  # which nobody asked for
    assert not EsgLookup.objects.filter(lei=NOBODY).exists()


@pytest.mark.parametrize(
    ("age", "refresh", "state"),
    [
        (timedelta(hours=23), "true", "DONE"),
        (timedelta(hours=25), "true", "QUEUED"),
        (timedelta(hours=25), "", "DONE"),
        (timedelta(days=29, hours=23), "", "DONE"),
        (timedelta(days=30, hours=1), "", "QUEUED"),
    ],
)
def test_sources_are_asked_again_after_a_month_or_at_a_wish_after_a_day(
    ask: Ask, far: Loopback, age: timedelta, refresh: str, state: str
) -> None:
    at = now() - age
    EsgLookup.objects.create(lei=MICROSOFT, name="Microsoft", asked_at=at, done_at=at)
    assert ask(refresh=refresh)["lookup"] == state


def test_references_of_countries_are_fetched_and_a_failure_is_told(
    far: Loopback, settings: Any
) -> None:
    settings.ESG_SOURCES = [f"world-bank={far.url}"]
    with pytest.raises(UpstreamError):
        entity_lookups.refresh_country_figures("", now())
    assert not Evidence.objects.exists()
