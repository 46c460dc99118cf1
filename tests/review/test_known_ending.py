"""Seniors are told on Today which known false positives end, and led to exactly those."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review.models import KnownFalsePositive
from apps.backoffice.review.rules.known_false_positives import ENDED_SHOWN_FOR, EXPIRY_WARNING
from apps.backoffice.review.services import known_false_positive_decisions
from apps.backoffice.review.services.known_false_positive_expiry import (
    end_outdated_known_false_positives,
)
from apps.platform.desk import site
from tests.review import sample_known_false_positives
from tests.review.people import NOON, NOTE, approve, at_desk, case, check_page
from tests.review.sample_known_false_positives import ENTITY, Lists, in_force, propose

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
LINE = re.compile(r'<p class="note ending">.*?</p>', re.S)


@pytest.fixture(autouse=True)
def lists(monkeypatch: pytest.MonkeyPatch) -> Lists:
    monkeypatch.setattr(site, "now", lambda: NOON)
    sample_known_false_positives.at_noon(monkeypatch)
    return sample_known_false_positives.use(monkeypatch)


def told(user: User) -> dict[str, str]:
    """Return the links of the line of Today by their words."""
    match = LINE.search(check_page(at_desk(user).get("/admin/")))
    links = re.findall(r'<a href="([^"]+)">([^<]+)</a>', match[0]) if match else []
    return {words: unescape(address) for address, words in links}


def led_to(user: User, address: str) -> set[str]:
    """Return the parties of the rows that an address of the register shows."""
    rows = re.findall(r"data-row>([^<]+)</a>", check_page(at_desk(user).get(address)))
    return set(rows)


def test_nothing_is_said_where_none_ends(olivia: User, samir: User) -> None:
    in_force(olivia, samir)
    propose(olivia, "2", owner="account:2", until=(NOON + DAY).date())
    assert told(samir) == {}


@pytest.mark.parametrize(("days", "said"), [(0, True), (1, False)])
def test_one_that_is_about_to_expire_is_told_from_its_first_day(
    olivia: User, samir: User, days: int, said: bool
) -> None:
    in_force(
        olivia, samir, until=(NOON + EXPIRY_WARNING).date() + timedelta(days=days), party="Near End"
    )
    in_force(olivia, samir, "2", owner="account:2", party="Far End")
    found = told(samir)
    assert list(found) == (["1 expiring within 30 days"] if said else [])
    for address in found.values():
        assert led_to(samir, address) == {"Near End"}


def test_each_end_is_told_with_the_list_of_those_that_ended_so(
    olivia: User, samir: User, lists: Lists
) -> None:
    in_force(olivia, samir, "1", owner="account:1", party="Truly Listed")
    later = case("9", owner="account:1", party="Truly Listed")
    approve(later, olivia, outcome="REJECT", reason_code="LISTED_PARTY")
    in_force(olivia, samir, "2", owner="account:2", until=NOON.date() + DAY, party="Day Past",
             now=NOON - 3 * DAY)  # fmt: skip
    KnownFalsePositive.objects.filter(party="Day Past").update(expires_on=NOON.date() - DAY)
    end_outdated_known_false_positives(now=NOON)
    in_force(olivia, samir, "3", owner="account:3", party="New Entry")
    ended = in_force(olivia, samir, "4", owner="account:4", party="By Hand")
    known_false_positive_decisions.end_known(known=ended, by=olivia, note=NOTE, now=NOON)
    lists.now = {ENTITY: "c" * 64}
    end_outdated_known_false_positives(now=NOON)
    shown = {words: led_to(samir, address) for words, address in told(samir).items()}
    assert shown == {
        "1 ended by a true match": {"Truly Listed"},
        "1 woken by a change of the list": {"New Entry"},
        "1 expired": {"Day Past"},
    }


@pytest.mark.parametrize(("after", "said"), [(-1, True), (0, False)])
def test_an_end_is_told_for_a_fortnight(
    olivia: User, samir: User, lists: Lists, monkeypatch: pytest.MonkeyPatch, after: int, said: bool
) -> None:
    in_force(olivia, samir)
    lists.now = {}
    end_outdated_known_false_positives(now=NOON)
    monkeypatch.setattr(site, "now", lambda: NOON + ENDED_SHOWN_FOR + timedelta(seconds=after))
    assert bool(told(samir)) is said


def test_it_is_told_to_who_approves_them_alone(olivia: User, samir: User, lists: Lists) -> None:
    in_force(olivia, samir)
    lists.now = {}
    end_outdated_known_false_positives(now=NOON)
    assert told(olivia) == {} and list(told(samir)) == ["1 woken by a change of the list"]
