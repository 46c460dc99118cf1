"""A later day is granted for what was asked, to what still stands as it stood then."""

from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review.models import KnownAction, KnownFalsePositive, KnownState
from apps.backoffice.review.services import known_false_positive_decisions
from apps.backoffice.review.services.known_false_positive_expiry import end_known_false_positives
from apps.backoffice.review.services.known_false_positive_transitions import (
    KnownFalsePositiveConflict,
)
from tests.review import sample_known_false_positives
from tests.review.people import NOON, NOTE
from tests.review.sample_known_false_positives import ENTITY, UNTIL, Lists, in_force

pytestmark = pytest.mark.django_db
LATER = date(2028, 6, 1)


@pytest.fixture(autouse=True)
def lists(monkeypatch: pytest.MonkeyPatch) -> Lists:
    return sample_known_false_positives.use(monkeypatch)


@pytest.fixture
def asked(samir: User, sofia: User) -> KnownFalsePositive:
    """Return one in force of which sofia asked for a later day."""
    false_positive = in_force(samir, sofia)
    known_false_positive_decisions.request_known_extension(
        known=false_positive, by=sofia, until=LATER, note=NOTE, now=NOON
    )
    return KnownFalsePositive.objects.get()


def until(known: KnownFalsePositive) -> date:
    known.refresh_from_db()
    return known.expires_on


def test_it_is_not_granted_once_the_listed_entry_is_another(
    asked: KnownFalsePositive, samir: User, lists: Lists
) -> None:
    lists.now = {ENTITY: "c" * 64}
    with pytest.raises(KnownFalsePositiveConflict):
        known_false_positive_decisions.grant_known_extension(
            known=asked, by=samir, note=NOTE, now=NOON
        )
    assert until(asked) == UNTIL


@pytest.mark.parametrize(("day", "granted"), [(0, True), (1, False)])
def test_it_is_granted_up_to_the_last_day_and_not_after(
    asked: KnownFalsePositive, samir: User, day: int, granted: bool
) -> None:
    last = NOON.replace(year=UNTIL.year, month=UNTIL.month, day=UNTIL.day)
    given = {"known": asked, "by": samir, "note": NOTE, "now": last + timedelta(days=day)}
    if granted:
        known_false_positive_decisions.grant_known_extension(**given)
    else:
        with pytest.raises(KnownFalsePositiveConflict):
            known_false_positive_decisions.grant_known_extension(**given)
    assert until(asked) == (LATER if granted else UNTIL)


def test_another_day_than_the_one_that_was_read_is_not_granted(
    asked: KnownFalsePositive, samir: User, sofia: User
) -> None:
    known_false_positive_decisions.reject_known_extension(
        known=asked, by=samir, note=NOTE, now=NOON
    )
    again = {"until": date(2028, 3, 1), "note": NOTE, "now": NOON + timedelta(hours=1)}
    known_false_positive_decisions.request_known_extension(
        known=KnownFalsePositive.objects.get(), by=sofia, **again
    )
    with pytest.raises(KnownFalsePositiveConflict):  # the page that was read asked for another day
        known_false_positive_decisions.grant_known_extension(
            known=asked, by=samir, note=NOTE, now=NOON
        )
    assert until(asked) == UNTIL


def test_one_that_was_ended_does_not_wake(samir: User, sofia: User) -> None:
    false_positive = in_force(samir, sofia)
    known_false_positive_decisions.end_known(known=false_positive, by=samir, note=NOTE, now=NOON)
    woken = {false_positive.pk: {"why": "CHANGED", "entry": ""}}
    assert end_known_false_positives(woken, KnownState.WOKEN, KnownAction.WOKEN, NOON) == 0
    false_positive.refresh_from_db()
    assert (
        false_positive.state == "ENDED"
        and sample_known_false_positives.steps(false_positive)[-1] == "ENDED"
    )
