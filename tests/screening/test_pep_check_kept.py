"""What is kept of a party tells whether office holders were asked for: their list may change."""

from typing import Any

import pytest

from apps.reference.watchlists.models import Party
from tests.screening.conftest import PATH

NAME = "Baltazar Quillfeather"


@pytest.mark.parametrize(
    ("asked", "checked"),
    [
        ({"individual": True}, True),
        ({"paymentType": "payroll"}, True),
        ({"paymentType": "contractor"}, True),
        ({"paymentType": "vendor_payment"}, False),
        ({"entityType": "person"}, False),
        ({}, False),
    ],
)
def test_a_screen_remembers_whether_office_holders_were_asked_for(
    alice: Any,
    asked: dict[str, Any],
    checked: bool,
) -> None:
    assert alice.post(PATH, {"name": NAME, **asked}, format="json").status_code == 200
    assert bool(Party.objects.get(name=NAME).known.get("pep")) is checked


def test_a_pep_screen_remembers_it_too(alice: Any) -> None:
    answer = alice.post("/compliance/compliance/pep-screen", {"name": NAME}, format="json")
    assert answer.status_code == 200, answer.content
    assert Party.objects.get(name=NAME).known == {"pep": True}
