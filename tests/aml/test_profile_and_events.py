"""GET /aml/profile/:wallet and GET /aml/events/:wallet."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from apps.compliance.aml.models import AmlScreen, WalletProfile
from tests.aml.conftest import LISTED, SPLIT
from tests.payees.registration.conftest import wallet
from tests.platform.tampering import without_triggers

pytestmark = pytest.mark.django_db
Screen = Callable[..., dict[str, Any]]


def read(ivan: APIClient, what: str, address: str) -> dict[str, Any]:
    answer = ivan.get(f"/compliance/aml/{what}/{address}")
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def test_a_wallet_that_nobody_saw_has_a_profile_of_zeros(ivan: APIClient) -> None:
    found = read(ivan, "profile", wallet(1))
    assert (found["maturity"], found["txCount"], found["txVolumeAvg"]) == ("UNKNOWN", 0, 0)
    assert (found["riskScore"], found["standing"]) == (0, "NONE")
    assert "firstSeenAt" not in found and read(ivan, "events", wallet(1))["events"] == []


def test_a_profile_sums_what_was_paid_both_ways(ivan: APIClient, screen: Screen) -> None:
    screen(1, 2, amount=100)
    screen(1, 3, amount=200.5)
    screen(1, 3, amount=300, direction="RECEIVE")
    found = read(ivan, "profile", wallet(1).lower())
    assert (found["sent"], found["received"], found["txCount"]) == (2, 1, 3)
    assert (found["txVolume"], found["txVolumeAvg"]) == (600.5, 200.166666)
    assert (found["counterparties"], found["txSinceYesterday"], found["volumeSinceYesterday"]) == (
        2,
        3,
        600.5,
    )
    assert read(ivan, "profile", wallet(3))["received"] == 1


def test_events_are_what_was_flagged_or_blocked_the_newest_first(
    ivan: APIClient, screen: Screen
) -> None:
    for amount in (*SPLIT, 8200):
        last = screen(amount=amount)
    blocked = screen(other=LISTED)
    events = read(ivan, "events", wallet(1))["events"]
    assert [event["level"] for event in events] == ["CRITICAL", "WARNING"]
    assert [event["kind"] for event in events] == ["SANCTIONS_HIT", "SCREEN_FLAGGED"]
    assert [event["eventId"] for event in events] == [blocked["screenId"], last["screenId"]]
    assert events[1]["signals"] == last["signals"] and events[1]["paymentId"] == last["paymentId"]
    assert "counterparty" in events[0]["message"]


def test_at_most_fifty_events_are_shown_in_few_queries(ivan: APIClient, screen: Screen) -> None:
    for _ in range(51):
        screen(other=LISTED)
    address = f"/compliance/aml/events/{wallet(1)}"
    ivan.get(address)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        events = ivan.get(address).json()["events"]
    assert len(events) == 50 and len({event["eventId"] for event in events}) == 50
    assert len(queries) <= 6


@pytest.mark.parametrize("what", ["profile", "events"])
def test_what_is_no_address_is_refused(ivan: APIClient, what: str) -> None:
    assert ivan.get(f"/compliance/aml/{what}/nobody").status_code in (400, 404)


def test_events_that_were_made_to_vanish_are_no_empty_list(ivan: APIClient, screen: Screen) -> None:
    screen(other=LISTED)
    with without_triggers():
        AmlScreen.objects.update(action="PROCEED", level="")
    answer = ivan.get(f"/compliance/aml/events/{wallet(1)}")
    assert (answer.status_code, answer.json()["code"]) == (503, "record_unproved")


def test_a_profile_that_was_altered_is_not_shown(ivan: APIClient, screen: Screen) -> None:
    screen(1, 2, amount=100)
    WalletProfile.objects.filter(wallet=wallet(1)).update(payments=7)
    answer = ivan.get(f"/compliance/aml/profile/{wallet(1)}")
    assert (answer.status_code, answer.json()["code"]) == (503, "record_unproved")
