"""A list of which nobody knows when it was last checked is too old."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from apps.reference.watchlists import engine
from apps.reference.watchlists.live_list_sets import LiveSource, build_list_set, judge_freshness
from apps.reference.watchlists.models import Source, SourceKind, SourceTopic
from apps.reference.watchlists.services import list_imports


@pytest.mark.parametrize(
    ("hours", "found"), [(None, "stale"), (25, "stale"), (24, "fresh"), (0, "fresh")]
)
def test_a_list_with_an_age_to_keep_is_fresh_only_when_its_last_check_is_known_and_recent(
    noon: datetime, hours: int | None, found: str
) -> None:
    checked = None if hours is None else noon - timedelta(hours=hours)
    source = LiveSource(
        1, "ofac", "OFAC", SourceTopic.SANCTION, SourceKind.OFFICIAL, 1, checked, 24
    )
    assert (
        judge_freshness(lists=build_list_set([source]), topic="sanction", now=noon).state == found
    )


@pytest.mark.parametrize(
    ("old", "found"),
    [(timedelta(days=31), "fresh"), (timedelta(days=31, seconds=1), "stale")],
)
def test_what_a_publisher_publishes_still_is_current_for_31_days(
    noon: datetime, old: timedelta, found: str
) -> None:
    published = noon - old
    source = LiveSource(
        1,
        "ofac",
        "OFAC",
        SourceTopic.SANCTION,
        SourceKind.OFFICIAL,
        1,
        noon,
        24,
        published_at=published,
    )
    assert (
        judge_freshness(lists=build_list_set([source]), topic="sanction", now=noon).state == found
    )


@pytest.mark.parametrize(
    ("topic", "kind", "stored", "counts"),
    [
        # official sanctions: 1 to 744 hours; anything else is the deployment's 48
        (SourceTopic.SANCTION, SourceKind.OFFICIAL, None, 48),
        (SourceTopic.SANCTION, SourceKind.OFFICIAL, 1, 1),
        (SourceTopic.MIXED, SourceKind.OFFICIAL, 744, 744),
        (SourceTopic.SANCTION, SourceKind.OFFICIAL, 745, 48),
        (SourceTopic.MIXED, SourceKind.OFFICIAL, 999_999, 48),
        (SourceTopic.SANCTION, SourceKind.OFFICIAL, 0, 48),
        (SourceTopic.SANCTION, SourceKind.OFFICIAL, -1, 48),
        # others: a year and a day
        (SourceTopic.PEP, SourceKind.OFFICIAL, 8784, 8784),
        (SourceTopic.PEP, SourceKind.OFFICIAL, 8785, 8784),
        (SourceTopic.PEP, SourceKind.OFFICIAL, None, 8784),
        (SourceTopic.SANCTION, SourceKind.IN_HOUSE, 0, 8784),
        (SourceTopic.SANCTION, SourceKind.IN_HOUSE, 745, 745),
    ],
)
def test_in_production_a_stored_age_limit_counts_within_its_bounds_alone(
    noon: datetime, settings: Any, topic: str, kind: str, stored: int | None, counts: int
) -> None:
    settings.PRODUCTION, settings.LISTS_MAX_AGE_HOURS = True, 48
    for seconds, found in ((0, True), (1, False)):
        checked = noon - timedelta(hours=counts, seconds=seconds)
        source = LiveSource(1, "one", "One", topic, kind, 1, checked, stored)
        assert (source.why_not(noon) == "") is found
        assert bool(source.unheeded()) is (stored not in (None, counts))


def test_in_a_sandbox_a_stored_age_limit_counts_as_it_is(noon: datetime, settings: Any) -> None:
    settings.LISTS_MAX_AGE_HOURS = 48
    source = LiveSource(1, "one", "One", SourceTopic.SANCTION, SourceKind.OFFICIAL, 1, noon, 9000)
    assert source.max_age() == timedelta(hours=9000) and not source.unheeded()


def test_health_says_that_a_stored_age_limit_is_not_heeded(
    source: Any, write: Any, noon: datetime, settings: Any
) -> None:
    made = source()
    list_imports.import_files(source=made, paths=[write("a.csv", {"1": "A"})], now=noon)
    said = "The age limit of the list house, 9000 hours, is ignored: it may be 1 to 8784."
    settings.PRODUCTION = True
    for hours in (8784, 9000):
        Source.objects.update(max_age_hours=hours)
        assert (said in engine.check_lists_health(noon)["missing"]) is (hours == 9000)
