"""What a message tells of a person reaches the screens, as evidence for or against a match."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from apps.compliance.screening.models import Screen
from apps.payments.payments.models import Payment
from tests.payments.conftest import work
from tests.payments.pain001.messages import message, transaction

pytestmark = pytest.mark.django_db


def private(born: str, *numbers: tuple[str, str, str]) -> str:
    """A person's id: a day of birth, and numbers by code, number and issuer."""
    held = "".join(
        f"<Othr><Id>{number}</Id><SchmeNm><Cd>{code}</Cd></SchmeNm><Issr>{issuer}</Issr></Othr>"
        for code, number, issuer in numbers
    )
    place = "<CityOfBirth>Bonn</CityOfBirth><CtryOfBirth>DE</CtryOfBirth>"
    birth = f"<DtAndPlcOfBirth><BirthDt>{born}</BirthDt>{place}</DtAndPlcOfBirth>"
    return f"<Id><PrvtId>{birth}{held}</PrvtId></Id>"


@pytest.fixture
def asked(post: Callable[..., Any]) -> Callable[..., dict[str, dict[str, Any]]]:
    """Send a message and let it be checked; returns what was asked about each side."""

    def call(text: str) -> dict[str, dict[str, Any]]:
        answer = post(text)
        assert answer.status_code == 202, answer.content
        work()
        found = Payment.objects.get().found["screens"]
        screens = {
            str(screen.screen_id): json.loads(screen.payload)["request"]
            for screen in Screen.objects.all()
        }
        return {one["side"]: screens[one["screenId"]] for one in found}

    return call


def test_birth_and_numbers_of_each_party_are_held_against_the_lists(
    asked: Callable[..., Any], bank: Any
) -> None:
    numbers = (("CCPT", "C01X00T47", "DE"), ("SOSE", "123456789", "SSA"), ("DRLC", "12", "DE"))
    payee = f"<Nm>Anna Berg</Nm>{private('1964-03-02', *numbers)}"
    payer = f"<UltmtDbtr><Nm>Otto Berg</Nm>{private('1961-01-31')}</UltmtDbtr>"
    found = asked(message(transaction(creditor=payee, mid=payer), day="<Dt>2026-11-23</Dt>"))
    assert (found["creditor"]["birthDate"], found["ultimate_debtor"]["birthDate"]) == (
        "1964-03-02",
        "1961-01-31",
    )
    assert found["creditor"]["identifiers"] == [
        {"type": "passport", "value": "C01X00T47", "country": "DE"},
        {"type": "national_id", "value": "123456789", "country": ""},
    ]
    assert (found["debtor"]["birthDate"], found["debtor"]["identifiers"]) == ("", [])


def test_what_nobody_can_be_born_on_is_no_evidence(asked: Callable[..., Any]) -> None:
    payee = f"<Nm>Anna Berg</Nm>{private('1753-01-01')}"
    found = asked(message(transaction(creditor=payee), day="<Dt>2026-11-23</Dt>"))
    assert found["creditor"]["birthDate"] == ""
