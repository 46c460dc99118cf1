"""Which lists are missed: what is required, what is enabled, and what a sandbox does without."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from apps.reference.watchlists import engine, indexes
from apps.reference.watchlists.catalog import ensure_samples, ensure_sources
from apps.reference.watchlists.live_list_sets import judge_freshness, load_current_set
from apps.reference.watchlists.models import Source, SourceKind, SourceTopic
from apps.reference.watchlists.services import list_imports

Make = Callable[..., Source]
Write = Callable[..., Path]
OFFICIAL = ("us-ofac-sdn", "un-sc", "eu-fsf", "uk-sl")


@pytest.fixture
def load(source: Make, write: Write, noon: datetime) -> Callable[..., Source]:
    """Make a list and load one party."""

    def make(slug: str, **options: Any) -> Source:
        made = source(slug, **options)
        list_imports.import_files(source=made, paths=[write("a.csv", {"1": slug})], now=noon)
        return made

    return make


def judged(now: datetime) -> tuple[str, list[str]]:
    judgement = judge_freshness(lists=load_current_set(), topic="sanction", now=now)
    return judgement.state, [detail.split()[2] for detail in judgement.lacking]


def test_production_screens_nothing_while_a_required_list_was_never_loaded(
    load: Any, noon: datetime, settings: Any
) -> None:
    ensure_sources()
    load("house")
    settings.PRODUCTION, settings.REQUIRED_SOURCES = True, list(OFFICIAL)
    judgement = judge_freshness(lists=load_current_set(), topic="sanction", now=noon)
    assert judgement.state == "absent"
    assert all(
        f"The list {slug} is required and not loaded." in judgement.detail for slug in OFFICIAL
    )


@pytest.mark.parametrize("named", ["house", "un-sc", "UN", "un", "nowhere"])
def test_a_required_list_is_named_by_its_short_name_or_its_authority(
    load: Any, noon: datetime, settings: Any, named: str
) -> None:
    load("house")
    settings.REQUIRED_SOURCES = [named]
    assert judged(noon)[0] == ("fresh" if named == "house" else "absent")


def test_a_required_list_that_is_switched_off_stops_screens(
    load: Any, noon: datetime, settings: Any
) -> None:
    load("house")
    other = load("other", required=True)
    assert judged(noon) == ("fresh", [])
    other.switch(enabled=False, now=noon)
    judgement = judge_freshness(lists=load_current_set(), topic="sanction", now=noon)
    assert (judgement.state, judgement.detail) == (
        "absent", "The list other is required and switched off.",
    )  # fmt: skip


def test_an_enabled_list_that_was_never_loaded_is_missed(
    load: Any, source: Make, noon: datetime
) -> None:
    load("house")
    source("more", kind=SourceKind.OFFICIAL)
    source("off", enabled=False)
    source("peps", topic=SourceTopic.PEP)
    assert judged(noon) == ("fresh", ["more"])


@pytest.mark.parametrize(("production", "missed"), [(False, []), (True, sorted(OFFICIAL))])
def test_a_sandbox_does_without_the_official_lists_that_it_begins_with(
    load: Any, noon: datetime, settings: Any, production: bool, missed: list[str]
) -> None:
    ensure_sources()
    load("house")
    settings.PRODUCTION, settings.REQUIRED_SOURCES = production, ["house"]
    assert judged(noon) == ("fresh", missed)
    Source.objects.filter(slug="us-ofac-cons").update(enabled=True)
    assert judged(noon) == ("fresh", sorted([*missed, "us-ofac-cons"]))


def test_a_sandbox_may_give_up_its_sample_for_other_lists_and_for_nothing_else(
    load: Any, noon: datetime, settings: Any
) -> None:
    settings.REQUIRED_SOURCES = ["sample-sanctions"]
    assert judged(noon)[0] == "absent"
    (sample, path), _ = ensure_samples()
    list_imports.import_files(source=sample, paths=[path], now=noon)
    assert judged(noon) == ("fresh", [])
    sample.switch(enabled=False, now=noon)
    assert judged(noon)[0] == "absent"
    load("house")
    assert judged(noon) == ("fresh", [])
    settings.PRODUCTION = True
    assert judged(noon)[0] == "absent"


def test_a_required_list_of_office_holders_stops_sanctions_screens_too(
    load: Any, source: Make, noon: datetime, settings: Any
) -> None:
    load("house")
    source("peps", topic=SourceTopic.PEP)
    settings.REQUIRED_SOURCES = ["peps"]
    assert judged(noon)[0] == "absent"
    judgement = judge_freshness(lists=load_current_set(), topic="pep", now=noon)
    assert judgement.state == "absent" and "peps is required" in judgement.detail


def test_a_list_whose_first_version_is_not_indexed_here_is_missed(
    load: Any, noon: datetime, settings: Any
) -> None:
    load("house")
    indexes.build_set_index(load_current_set())
    load("more")
    opened = engine.load_current_engine(noon)
    assert opened.list_set.versions == {"house": 1}
    assert opened.lacking("sanction") == ("The index of the list more is not built yet.",)
    settings.REQUIRED_SOURCES = ["more"]
    engine.reset_engine()
    with pytest.raises(engine.ListsUnavailable, match="not built yet"):
        engine.load_current_engine(noon)


def test_health_is_degraded_by_a_list_that_is_missed_and_names_it(
    load: Any, source: Make, noon: datetime, settings: Any
) -> None:
    load("house")
    load("peps", topic=SourceTopic.PEP)
    indexes.build_set_index(load_current_set())
    assert (
        engine.check_lists_health(noon)["status"],
        engine.check_lists_health(noon)["missing"],
    ) == ("ok", [])
    old = load("old", kind=SourceKind.OFFICIAL, max_age_hours=24)
    indexes.build_set_index(load_current_set())
    late = noon + timedelta(hours=25)
    health = engine.check_lists_health(late)
    assert health["status"] == "degraded" and "old" in health["missing"][0]
    Source.objects.filter(pk=old.pk).update(required=True)
    health = engine.check_lists_health(late)
    assert (health["status"], health["sanctions"]) == ("down", "stale")
