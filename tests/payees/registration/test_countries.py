"""Countries of who is registered are judged as the house judges countries."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.compliance.payees.models import Registration, RegistrationEvent
from apps.compliance.payees.services.refused_additions import RegistrationInDoubt
from apps.reference.lei.models import LeiRecord
from tests.lei.changed_entities import restate
from tests.payees.registration.conftest import MICROSOFT, NORTHWIND, wallet
from tests.payees.registration.test_registration_case import decide

pytestmark = pytest.mark.django_db
Call = Callable[..., Any]


@pytest.mark.parametrize(
    ("country", "refs"),
    [
        ("KP", ("1 §2.7 rule 1 blacklist", "D §4 countries, embargo")),
        ("MM", ("1 §2.7 rule 1 blacklist",)),
        ("CU", ("D §4 countries, embargo",)),
    ],
)
def test_a_country_under_embargo_refuses_and_is_logged_with_its_rule(
    register: Call, country: str, refs: tuple[str, ...]
) -> None:
    refused = register(country=country, status=422)
    assert refused["code"] == "country_refused"
    assert all(ref in refused["detail"] for ref in refs)
    assert refused["errors"][0]["field"] == "country"
    assert not Registration.objects.exists() and not RegistrationEvent.objects.exists()
    entry = SarEntry.objects.get()
    assert entry.data["rules"] == list(refs)
    assert entry.data["sanctions"] is ("D §4 countries, embargo" in refs)
    register(country=country, status=422)
    assert SarEntry.objects.count() == 1


def test_a_listed_party_of_such_a_country_is_told_of_the_country_alone(register: Call) -> None:
    refused = register(legalName="Lazarus Group", country="KP", status=422)
    assert refused["code"] == "country_refused"
    assert "sanction" not in refused["detail"].lower() and "Lazarus" not in refused["detail"]
    assert "1 §2.7 rule 3" in SarEntry.objects.get().data["rules"]


@pytest.mark.parametrize(("country", "listed"), [("NP", True), ("MC", True), ("DE", False)])
def test_a_high_risk_country_is_registered_under_review(
    register: Call, country: str, listed: bool
) -> None:
    made = register(country=country)
    assert made["underReview"] is listed
    cases = list(Case.objects.all())
    refs = {rule["ref"] for case in cases for rule in case.rules}
    assert refs == ({"D §4 2.3 high-risk country"} if listed else set())
    codes = {finding["code"] for finding in RegistrationEvent.objects.get().data["findings"]}
    assert codes == ({"country.high_risk"} if listed else set())


def test_the_country_that_gleif_has_is_judged_beside_the_one_that_is_told(register: Call) -> None:
    restate(LeiRecord.objects.filter(lei=MICROSOFT["lei"]), headquarters="CU")
    assert "Cuba" in register(**MICROSOFT, status=422)["detail"]


def test_an_active_registration_does_not_move_to_such_a_country(
    register: Call, lookup: Call
) -> None:
    register()
    register(**(NORTHWIND | {"country": "KP"}), status=422)
    assert lookup(1)["country"] == "DE"


def test_a_country_that_gleif_does_not_have_for_the_lei_is_looked_at(register: Call) -> None:
    made = register(**(MICROSOFT | {"country": "FR"}))
    assert made["underReview"] and made["type"] == "GLEIF_VERIFIED"
    (rule,) = Case.objects.get().rules
    assert rule["code"] == "country.differs"
    assert "United States" in rule["sentence"] and "France was submitted" in rule["sentence"]


def test_another_country_of_a_registration_is_looked_at_and_can_be_taken_back(
    register: Call, lookup: Call
) -> None:
    register()
    before = lookup(1)
    moved = register(country="FR", status=200)
    assert (moved["country"], moved["underReview"]) == ("FR", True)
    case = Case.objects.get()
    assert [rule["code"] for rule in case.rules] == ["country.changed"]
    decide(case, "REJECT", "ADDITION_REFUSED")
    assert lookup(1) == before and Registration.objects.get().pending == {}


def test_a_country_that_is_corrected_to_what_gleif_has_is_not_asked_about(register: Call) -> None:
    register(**(MICROSOFT | {"country": "FR"}))
    decide(Case.objects.get(), "APPROVE", "ENTITY_CONFIRMED")
    assert register(**MICROSOFT, status=200)["underReview"] is False
    assert Case.objects.count() == 1


def test_the_same_name_in_another_country_is_looked_at_when_a_wallet_is_registered_anew(
    register: Call, rita: APIClient
) -> None:
    register()
    rita.delete(f"/compliance/register/{wallet(1)}")
    assert register(country="FR")["underReview"] is True
    assert [rule["code"] for rule in Case.objects.get().rules] == ["country.changed"]


def test_a_country_of_a_first_registration_that_is_in_doubt_cannot_be_taken_off(
    register: Call,
) -> None:
    register(**(MICROSOFT | {"country": "FR"}))
    with pytest.raises(RegistrationInDoubt):
        decide(Case.objects.get(), "REJECT", "ADDITION_REFUSED")
