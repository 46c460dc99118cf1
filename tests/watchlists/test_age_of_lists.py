"""A list of which nobody knows when it was last checked is too old."""

from datetime import datetime, timedelta

import pytest

from apps.watchlists.models import Kind, Topic
from apps.watchlists.sets import LiveSource, list_set, state


@pytest.mark.parametrize(
    ("hours", "found"), [(None, "stale"), (25, "stale"), (24, "fresh"), (0, "fresh")]
)
def test_a_list_with_an_age_to_keep_is_fresh_only_when_its_last_check_is_known_and_recent(
    noon: datetime, hours: int | None, found: str
) -> None:
    checked = None if hours is None else noon - timedelta(hours=hours)
    source = LiveSource(1, "ofac", "OFAC", Topic.SANCTION, Kind.OFFICIAL, 1, checked, 24)
    assert state(lists=list_set([source]), topic="sanction", now=noon).state == found


@pytest.mark.parametrize(
    ("old", "found"),
    [(timedelta(days=31), "fresh"), (timedelta(days=31, seconds=1), "stale")],
)
def test_what_a_publisher_publishes_still_is_current_for_31_days(
    noon: datetime, old: timedelta, found: str
) -> None:
    published = noon - old
    source = LiveSource(
        1, "ofac", "OFAC", Topic.SANCTION, Kind.OFFICIAL, 1, noon, 24, published_at=published
    )
    assert state(lists=list_set([source]), topic="sanction", now=noon).state == found
