"""The set of live lists: its id, what it covers, and when it is too old."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from apps.reference.watchlists.live_list_sets import (
    judge_freshness,
    load_current_set,
    load_set_of_versions,
)
from apps.reference.watchlists.models import Source, SourceKind, SourceTopic
from apps.reference.watchlists.services import list_imports

Make = Callable[..., Source]
Write = Callable[..., Path]


def load(source: Source, path: Path, now: datetime) -> None:
    list_imports.import_files(source=source, paths=[path], now=now)


def test_the_same_versions_have_the_same_id_and_other_ones_another(
    source: Make, write: Write, noon: datetime
) -> None:
    house = source()
    load(house, write("a.csv", {"1": "A"}), noon)
    first = load_current_set()
    assert first.versions == {"house": 1}
    assert load_current_set().id == first.id
    load(house, write("b.csv", {"1": "B"}), noon)
    second = load_current_set()
    assert second.versions == {"house": 2}
    assert second.id != first.id
    assert load_set_of_versions({"house": 1}).id == first.id


def test_a_source_that_is_off_is_not_in_the_set(source: Make, write: Write, noon: datetime) -> None:
    house = source()
    load(house, write("a.csv", {"1": "A"}), noon)
    later = noon + timedelta(minutes=5)
    house.switch(enabled=False, now=later)
    assert load_current_set().versions == {}
    assert load_current_set().since == later


def test_production_leaves_the_sample_out(
    source: Make, write: Write, noon: datetime, settings: Any
) -> None:
    load(source("sample", kind=SourceKind.SAMPLE), write("a.csv", {"1": "A"}), noon)
    lists = load_current_set()
    assert lists.sample
    assert judge_freshness(lists=lists, topic="sanction", now=noon).sample
    settings.PRODUCTION = True
    lists = load_current_set()
    assert not lists.sample
    assert judge_freshness(lists=lists, topic="sanction", now=noon).state == "absent"


@pytest.mark.parametrize(
    ("topic", "covered"),
    [
        (SourceTopic.SANCTION, ("fresh", "absent")),
        (SourceTopic.PEP, ("absent", "fresh")),
        (SourceTopic.MIXED, ("fresh", "fresh")),
        (SourceTopic.OTHER, ("absent", "absent")),
    ],
)
def test_a_topic_without_a_source_is_absent(
    source: Make, write: Write, noon: datetime, topic: str, covered: tuple[str, str]
) -> None:
    load(source(topic=topic), write("a.csv", {"1": "A"}), noon)
    lists = load_current_set()
    states = tuple(
        judge_freshness(lists=lists, topic=t, now=noon).state for t in ("sanction", "pep")
    )
    assert states == covered


@pytest.mark.parametrize(
    ("kind", "topic", "own", "general", "age", "expected"),
    [
        (SourceKind.OFFICIAL, SourceTopic.SANCTION, None, 48, timedelta(hours=48), "fresh"),
        (
            SourceKind.OFFICIAL,
            SourceTopic.SANCTION,
            None,
            48,
            timedelta(hours=48, seconds=1),
            "stale",
        ),
        (SourceKind.OFFICIAL, SourceTopic.SANCTION, None, 0, timedelta(days=900), "fresh"),
        (SourceKind.OFFICIAL, SourceTopic.SANCTION, 72, 48, timedelta(hours=72), "fresh"),
        (SourceKind.OFFICIAL, SourceTopic.SANCTION, 72, 48, timedelta(hours=73), "stale"),
        (SourceKind.OFFICIAL, SourceTopic.SANCTION, 0, 48, timedelta(days=900), "fresh"),
        (SourceKind.IN_HOUSE, SourceTopic.SANCTION, None, 48, timedelta(days=900), "fresh"),
        (SourceKind.IN_HOUSE, SourceTopic.SANCTION, 24, 48, timedelta(hours=25), "stale"),
        (SourceKind.SAMPLE, SourceTopic.SANCTION, None, 48, timedelta(days=900), "fresh"),
        (SourceKind.OFFICIAL, SourceTopic.MIXED, None, 48, timedelta(hours=49), "stale"),
        (SourceKind.OFFICIAL, SourceTopic.PEP, None, 48, timedelta(days=30), "fresh"),
        (SourceKind.OFFICIAL, SourceTopic.PEP, 24, 48, timedelta(hours=25), "stale"),
    ],
)
def test_a_list_is_stale_past_its_own_limit_else_the_general_one(
    source: Make,
    write: Write,
    noon: datetime,
    settings: Any,
    kind: str,
    topic: str,
    own: int | None,
    general: int,
    age: timedelta,
    expected: str,
) -> None:
    settings.LISTS_MAX_AGE_HOURS = general
    load(source(kind=kind, topic=topic, max_age_hours=own), write("a.csv", {"1": "A"}), noon)
    judged = "pep" if topic == SourceTopic.PEP else "sanction"
    assert judge_freshness(lists=load_current_set(), topic=judged, now=noon + age).state == expected


@pytest.mark.parametrize(
    ("required", "state_found", "lacking"),
    [((), "fresh", 1), (("new",), "fresh", 1), (("old",), "stale", 0), (("OFAC",), "absent", 0)],
)
def test_a_stale_list_stops_screens_when_it_is_required_and_is_lacking_otherwise(
    source: Make,
    write: Write,
    noon: datetime,
    settings: Any,
    required: tuple[str, ...],
    state_found: str,
    lacking: int,
) -> None:
    settings.LISTS_MAX_AGE_HOURS, settings.REQUIRED_SOURCES = 48, list(required)
    path = write("a.csv", {"1": "A"})
    load(source("old", kind=SourceKind.OFFICIAL), path, noon - timedelta(hours=50))
    load(source("new", kind=SourceKind.OFFICIAL), path, noon)
    judgement = judge_freshness(lists=load_current_set(), topic="sanction", now=noon)
    assert (judgement.state, len(judgement.lacking)) == (state_found, lacking)
    said = " ".join((judgement.detail, *judgement.lacking))
    assert ("us-ofac-sdn is required and not loaded" if required == ("OFAC",) else "old") in said
    assert judgement.oldest_check == noon - timedelta(hours=50)


def test_only_stale_lists_make_the_topic_stale(
    source: Make, write: Write, noon: datetime, settings: Any
) -> None:
    settings.LISTS_MAX_AGE_HOURS = 48
    path = write("a.csv", {"1": "A"})
    load(source("old", kind=SourceKind.OFFICIAL), path, noon - timedelta(hours=50))
    load(source("new", kind=SourceKind.OFFICIAL), path, noon - timedelta(hours=49))
    judgement = judge_freshness(lists=load_current_set(), topic="sanction", now=noon)
    assert judgement.state == "stale"
    assert "old" in judgement.detail
    assert judgement.oldest_check == noon - timedelta(hours=50)


def test_the_set_is_one_query(
    source: Make, write: Write, noon: datetime, django_assert_num_queries: Any
) -> None:
    load(source("one"), write("a.csv", {"1": "A"}), noon)
    load(source("two"), write("b.csv", {"1": "B"}), noon)
    with django_assert_num_queries(1):
        assert len(load_current_set().sources) == 2
