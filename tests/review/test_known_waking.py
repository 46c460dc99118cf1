"""A known false positive wakes when its listed entry changes or leaves, and ends with its day."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review.known_false_positive_integrity import verify_known_false_positives
from apps.backoffice.review.models import KnownEvent, KnownFalsePositive
from apps.backoffice.review.services import known_false_positive_decisions
from apps.backoffice.review.services.known_false_positive_expiry import (
    EndedCounts,
    end_outdated_known_false_positives,
)
from tests.review import sample_known_false_positives
from tests.review.people import NOON
from tests.review.sample_known_false_positives import ENTITY, UNTIL, Lists, in_force, propose

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def lists(monkeypatch: pytest.MonkeyPatch) -> Lists:
    return sample_known_false_positives.use(monkeypatch)


def states() -> list[str]:
    return list(KnownFalsePositive.objects.order_by("pk").values_list("state", flat=True))


@pytest.mark.parametrize(("entry", "why"), [("c" * 64, "CHANGED"), (None, "LEFT")])
def test_one_in_force_wakes_and_says_why(
    olivia: User, samir: User, lists: Lists, entry: str | None, why: str
) -> None:
    false_positive = in_force(olivia, samir)
    assert end_outdated_known_false_positives(now=NOON) == EndedCounts(0, 0) and states() == [
        "IN_FORCE"
    ]
    lists.now = {ENTITY: entry} if entry else {}
    assert end_outdated_known_false_positives(now=NOON) == EndedCounts(1, 0) and states() == [
        "WOKEN"
    ]
    event = KnownEvent.objects.latest("pk")
    assert (event.action, event.by, event.data["why"]) == ("WOKEN", None, why)
    assert (
        end_outdated_known_false_positives(now=NOON) == EndedCounts(0, 0)
        and sample_known_false_positives.steps(false_positive).count("WOKEN") == 1
    )
    assert list(verify_known_false_positives(lambda done: None)) == []


def test_one_that_only_waits_is_not_woken(olivia: User, lists: Lists) -> None:
    propose(olivia)
    lists.now = {}
    assert end_outdated_known_false_positives(now=NOON) == EndedCounts(0, 0) and states() == [
        "PROPOSED"
    ]


def test_one_expires_on_the_day_after_its_last(olivia: User, samir: User) -> None:
    in_force(olivia, samir, until=date(2026, 11, 22))
    propose(olivia, "2", owner="account:2", until=date(2026, 11, 22))
    assert end_outdated_known_false_positives(now=NOON + 2 * DAY) == EndedCounts(0, 0)
    assert end_outdated_known_false_positives(now=NOON + 3 * DAY) == EndedCounts(
        0, 2
    ) and states() == [
        "EXPIRED",
        "EXPIRED",
    ]
    assert list(verify_known_false_positives(lambda done: None)) == []


def test_an_extension_that_waits_ends_with_what_it_was_for(
    olivia: User, samir: User, lists: Lists
) -> None:
    false_positive = in_force(olivia, samir)
    later = date(UNTIL.year + 1, 1, 1)
    known_false_positive_decisions.request_known_extension(
        known=false_positive,
        by=olivia,
        until=later,
        note=sample_known_false_positives.WHY,
        now=NOON,
    )
    lists.now = {}
    end_outdated_known_false_positives(now=NOON)
    false_positive.refresh_from_db()
    assert (false_positive.state, false_positive.extend_to) == ("WOKEN", None)


def test_a_batch_takes_as_many_queries_for_twenty_as_for_one(
    olivia: User, samir: User, lists: Lists, django_assert_num_queries: Any
) -> None:
    in_force(olivia, samir)
    with django_assert_num_queries(1):
        end_outdated_known_false_positives(now=NOON)
    for number in range(2, 21):
        in_force(olivia, samir, str(number), owner=f"account:{number}")
    lists.asked = 0
    with django_assert_num_queries(1):
        end_outdated_known_false_positives(now=NOON)
    assert lists.asked == 1
