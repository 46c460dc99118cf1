"""The postal address of a party in a native instruction (31 CFR 1010.410(f)(1))."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.payments.payments.models import Payment
from tests.payments.conftest import INITIATE, instruction, work

pytestmark = pytest.mark.django_db

PLACE = {
    "streetName": "Gannet Lane",
    "buildingNumber": "7",
    "postCode": "98052",
    "townName": "Redmond",
    "country": "us",
}


def debtor(**changes: Any) -> dict[str, Any]:
    """A debtor whose address has these fields; None leaves one out."""
    place = {name: value for name, value in (PLACE | changes).items() if value is not None}
    return instruction()["debtor"] | {"address": place}


def test_an_address_is_kept_with_the_payment(send: Callable[..., Any]) -> None:
    send(debtor=debtor(), creditor=instruction()["creditor"] | {"address": PLACE})
    instructed = Payment.objects.get().instructed
    for party in (instructed.debtor, instructed.creditor):
        assert party.address is not None
        assert (party.address.street_name, party.address.building_number) == ("Gannet Lane", "7")
        assert (party.address.town_name, party.address.country) == ("Redmond", "US")


def test_the_same_instruction_with_another_address_is_another(send: Callable[..., Any]) -> None:
    send(debtor=debtor())
    send(status=200, debtor=debtor())
    assert send(status=409, debtor=debtor(buildingNumber="8"))["code"] == "reference_taken"


@pytest.mark.parametrize(
    "changes",
    [
        {"buildingNumber": None},
        {"streetName": None, "buildingNumber": None, "postBox": "42"},
        {"streetName": None, "buildingNumber": None, "addressLines": ["Gannet Lane 7"]},
        {"addressLines": ["a line"] * 7},
        {"streetName": "x" * 70, "buildingNumber": "9" * 16, "townName": "y" * 35},
        {"streetName": "Straße des 17. Juni"},
    ],
)
def test_a_street_a_box_or_lines_are_an_address(
    send: Callable[..., Any], changes: dict[str, Any]
) -> None:
    send(debtor=debtor(**changes))


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"townName": None}, "townName"),
        ({"country": None}, "country"),
        ({"country": "ZZ"}, "country"),
        ({"streetName": None}, "streetName"),
        ({"streetName": ""}, "streetName"),
        ({"streetName": "x" * 71}, "streetName"),
        ({"buildingNumber": "9" * 17}, "buildingNumber"),
        ({"townName": "y" * 36}, "townName"),
        ({"addressLines": ["a line"] * 8}, "addressLines"),
        ({"addressLines": ["x" * 71]}, "addressLines.0"),
        ({"addressLines": []}, "addressLines"),
        ({"addressLines": "Gannet Lane 7"}, "addressLines"),
        ({"townName": "Red\u202emond"}, "townName"),
        ({"planet": "Earth"}, "planet"),
    ],
)
def test_what_is_wrong_with_an_address_is_named(
    bank: Any, changes: dict[str, Any], field: str
) -> None:
    answer = bank.post(INITIATE, instruction(debtor=debtor(**changes)), format="json")
    assert answer.status_code == 400, answer.content
    assert f"debtor.address.{field}" in [error["field"] for error in answer.json()["errors"]]
    assert not Payment.objects.exists()


def test_the_country_of_an_address_is_held_against_the_lists(
    send: Callable[..., Any],
) -> None:
    told = send(debtor=debtor(country="KP", townName="Pyongyang"))
    work()
    assert Payment.objects.get(payment_id=told["svcPaymentId"]).state in ("BLOCKED", "HELD")
