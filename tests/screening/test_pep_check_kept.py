"""What is kept of a party tells whether office holders were asked for: their list may change."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.compliance.screening.models.cached_reports import PepReport
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


def test_a_kept_report_remembers_the_party_for_each_client(
    alice: Any, caller: Callable[..., APIClient]
) -> None:
    clients = [alice, caller("Bob Treasury")]
    for client in clients:
        answer = client.post("/compliance/compliance/pep-screen", {"name": NAME}, format="json")
        assert answer.status_code == 200, answer.content
    assert PepReport.objects.count() == 1
    parties = Party.objects.filter(name=NAME, known={"pep": True})
    assert {party.owner for party in parties} == {client.account.ref for client in clients}
