"""What of a registration counts only once officers have looked at it, and payees see of it."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.compliance.payees.models import Registration, RegistrationEvent
from apps.compliance.payees.rules.submission_steps import COOLING_OFF
from apps.compliance.payees.services import entity_changes
from apps.compliance.payees.vop.attestation import verify_attestation
from apps.compliance.payees.vop.selectors import PayeeCheckRequest, gather_payee_check
from apps.insight.esg import selectors as esg
from apps.insight.intelligence.services import entity_answers
from apps.insight.reports.catalogue import subjects
from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from tests.conftest import NOON
from tests.payees.registration.conftest import MICROSOFT, NORTHWIND, wallet
from tests.review.people import OFFICER, SENIOR, at_desk, check_page, person

pytestmark = pytest.mark.django_db
Call = Callable[..., Any]
NOTE = "The register extract of this week names the entity."
FOREIGN = {"legalName": "Totally Different Traders", "lei": MICROSOFT["lei"], "country": "US"}


def let_stand(case: Case, code: str) -> None:
    """Approve a case, by a second officer too where one is asked for."""
    told: dict[str, Any] = {"reason_code": code, "note": NOTE, "now": NOON}
    services.decide_case(case=case, by=person("olivia", OFFICER), outcome="APPROVE", **told)
    if Case.objects.get(pk=case.pk).status != "DECIDED":
        found = Case.objects.get(pk=case.pk)
        services.confirm_decision(case=found, by=person("sofia", SENIOR), **told)


def anew(register: Call, rita: APIClient, **fields: Any) -> dict[str, Any]:
    """Deactivate wallet 1 and register it again."""
    register()
    assert rita.delete(f"/compliance/register/{wallet(1)}").status_code == 200
    return dict(register(**fields))


def result_at(name: str, moment: datetime) -> str:
    """Return the tier of a check of wallet 1 at a moment."""
    return gather_payee_check(
        asked=PayeeCheckRequest(wallet(1), name), now=moment
    ).judgement.tier.result


# --- another entity after a deactivation -------------------------------------------------


def test_another_entity_does_not_count_before_two_officers_and_the_cooling_off(
    register: Call,
    rita: APIClient,
    verify: Call,
) -> None:
    found = anew(register, rita, legalName="Harbour Lights Catering", country="IE")
    assert found["underReview"] and not found["inForce"]
    case = Case.objects.get()
    assert (case.risk, case.rules[0]["code"]) == ("HIGH", "wallet.earlier_entity")
    told = verify(1, "Harbour Lights Catering")
    assert (told["result"], told["score"], told["rule"]) == ("NOT_REGISTERED", 0, "VOP-9")
    assert not told["attestation"]["fatfR16Compliant"] and "registeredName" not in told
    let_stand(case, "ENTITY_CONFIRMED")
    row = Registration.objects.get(active=True)
    assert not row.under_review and row.pending == {}
    assert verify(1, "Harbour Lights Catering")["result"] == "NOT_REGISTERED"
    assert result_at("Harbour Lights Catering", row.effective_at) == "VERIFIED"


def test_the_cooling_off_alone_is_not_enough(
    register: Call,
    rita: APIClient,
    verify: Call,
) -> None:
    anew(register, rita, legalName="Harbour Lights Catering", country="IE")
    later = timezone.now() + 2 * COOLING_OFF
    assert result_at("Harbour Lights Catering", later) == "NOT_REGISTERED"


@pytest.mark.parametrize("before", [timedelta(seconds=1), timedelta(0)])
def test_it_counts_from_the_last_second_of_the_cooling_off_on(
    register: Call, rita: APIClient, before: timedelta
) -> None:
    anew(register, rita, legalName="Harbour Lights Catering", country="IE")
    let_stand(Case.objects.get(), "ENTITY_CONFIRMED")
    row = Registration.objects.get(active=True)
    assert row.counts(row.effective_at - before) is (before == timedelta(0))


def test_registering_it_twice_is_no_way_around_the_review(
    register: Call, rita: APIClient, verify: Call
) -> None:
    other = {"legalName": "Harbour Lights Catering", "country": "IE"}
    anew(register, rita, **other)
    rita.delete(f"/compliance/register/{wallet(1)}")
    found = register(**other)
    assert found["underReview"] and not found["inForce"]
    assert verify(1, "Harbour Lights Catering")["result"] == "NOT_REGISTERED"


def test_nor_is_registering_what_officers_rejected(register: Call, rita: APIClient) -> None:
    other = {"legalName": "Harbour Lights Catering", "country": "IE"}
    anew(register, rita, **other)
    told: dict[str, Any] = {"reason_code": "ANOTHER_ENTITY", "note": NOTE, "now": NOON}
    case = Case.objects.get()
    services.decide_case(case=case, by=person("olivia", OFFICER), outcome="REJECT", **told)
    found = Case.objects.get(pk=case.pk)
    services.confirm_decision(case=found, by=person("sofia", SENIOR), **told)
    assert not Registration.objects.filter(active=True).exists()
    assert not register(**other)["inForce"]


def test_the_entity_that_counted_before_may_come_back_at_once(
    register: Call, rita: APIClient
) -> None:
    anew(register, rita, legalName="Harbour Lights Catering", country="IE")
    rita.delete(f"/compliance/register/{wallet(1)}")
    assert register()["inForce"]


def test_the_same_entity_counts_at_once(
    register: Call,
    rita: APIClient,
    verify: Call,
) -> None:
    found = anew(register, rita)
    assert found["inForce"] and not found["underReview"] and not Case.objects.exists()
    assert verify(1, NORTHWIND["legalName"])["result"] == "VERIFIED"


def test_the_same_name_under_another_lei_is_another_entity(register: Call, rita: APIClient) -> None:
    register(**MICROSOFT)
    rita.delete(f"/compliance/register/{wallet(1)}")
    found = register(**(MICROSOFT | {"lei": "5493001KJTIIGC8Y1R12"}))
    assert not found["inForce"]


def test_the_page_says_what_waits(register: Call, rita: APIClient) -> None:
    anew(register, rita, legalName="Harbour Lights Catering", country="IE")
    pk = Registration.objects.get(active=True).pk
    desk = at_desk(person("rita", "Registrar"))
    page = check_page(desk.get(f"/admin/registry/registration/{pk}/"))
    assert "once two officers have confirmed it" in page and "cooling-off lasts until" in page


# --- the LEI of another company ----------------------------------------------------------


@pytest.mark.parametrize("upgraded", [False, True])
def test_an_lei_under_another_name_is_no_match_before_an_officer_has_looked(
    register: Call,
    verify: Call,
    upgraded: bool,
) -> None:
    if upgraded:
        register(**(FOREIGN | {"lei": None}))
    register(**FOREIGN, status=200 if upgraded else 201)
    told = verify(1, "Harbour Lights Catering", MICROSOFT["lei"])
    assert (told["result"], told["leiCheck"]) == ("BLOCKED", "UNDER_REVIEW")
    assert not told["attestation"]["fatfR16Compliant"]
    assert "GLEIF has another name" in told["message"]
    claims = verify_attestation(told["attestation"]["jws"])
    assert claims["underReview"] is True and claims["fatfR16Compliant"] is False
    let_stand(Case.objects.get(), "NAME_CONFIRMED")
    told = verify(1, "Harbour Lights Catering", MICROSOFT["lei"])
    assert told["result"] == "LEI_MATCH"
    assert verify_attestation(told["attestation"]["jws"])["underReview"] is False


def test_another_legal_form_is_another_company(register: Call, verify: Call) -> None:
    bloomberg = "5493001KJTIIGC8Y1R12"  # Bloomberg Finance L.P.
    found = register(legalName="Bloomberg Finance Inc.", lei=bloomberg, country="US")
    assert found["underReview"] and found["leiUnderReview"]
    assert verify(1, "anything", bloomberg)["leiCheck"] == "UNDER_REVIEW"


def test_nobody_is_told_that_such_an_lei_is_verified(
    register: Call, verify: Call, api: APIClient
) -> None:
    register(**FOREIGN)
    body = api.get(f"/compliance/vop/lookup/{wallet(1)}").json()
    assert body["type"] == "SELF_DECLARED" and body["leiUnderReview"]
    wallets = api.get(f"/compliance/lei/{MICROSOFT['lei']}").json()["wallets"]
    assert [one["leiUnderReview"] for one in wallets] == [True]
    by_name = verify(1, FOREIGN["legalName"])
    assert "another name for the LEI" in by_name["attestation"]["regulatoryNote"]
    assert verify_attestation(by_name["attestation"]["jws"])["leiUnderReview"] is True


def test_nobody_is_shown_such_an_lei_as_the_wallets(
    register: Call, verify: Call, api: APIClient
) -> None:
    """Neither by its registration, a payee check and what that attests, nor by scores of it."""
    register(**FOREIGN)
    row = Registration.objects.get()
    assert (row.lei, row.counted_lei) == (MICROSOFT["lei"], "")
    body = api.get(f"/compliance/vop/lookup/{wallet(1)}").json()
    assert (body["lei"], body["leiStatus"]) == ("", "NONE")
    checked = verify(1, FOREIGN["legalName"])
    assert (checked["registeredLei"], checked["leiStatus"]) == ("", "NONE")
    claims = verify_attestation(checked["attestation"]["jws"])
    assert (claims["registeredLei"], claims["leiStatus"]) == ("", "NONE")
    (past,) = api.get(f"/compliance/vop/history/{wallet(1)}").json()["checks"]
    assert (past["registeredName"], past["registeredLei"]) == (FOREIGN["legalName"], "")
    for score_of in (entity_answers._resolve_lei, subjects._find_registered_lei):
        with pytest.raises(DomainError, match="its LEI is under review"):
            score_of(wallet(1))
    asked = {"wallet": wallet(1), "refresh": False, "narrate": False, "country": "US"}
    with pytest.raises(DomainError, match="its LEI is under review"):
        esg.gather_wallet_score(asked=asked, now=now())
    assert esg._load_registered_name(MICROSOFT["lei"]) == ""


def test_whom_such_an_lei_belongs_to_is_not_looked_at_for_it(register: Call) -> None:
    register(**FOREIGN)
    assert not register(2, **MICROSOFT)["underReview"]
    assert Case.objects.count() == 1


def test_an_lei_that_names_the_entity_is_the_wallets(
    register: Call, verify: Call, api: APIClient
) -> None:
    register(**MICROSOFT)
    body = api.get(f"/compliance/vop/lookup/{wallet(1)}").json()
    assert (body["lei"], body["leiStatus"]) == (MICROSOFT["lei"], "ACTIVE")
    assert verify(1, MICROSOFT["legalName"])["registeredLei"] == MICROSOFT["lei"]
    assert (
        subjects._find_registered_lei(wallet(1))
        == entity_answers._resolve_lei(wallet(1))
        == MICROSOFT["lei"]
    )
    assert esg._load_registered_name(MICROSOFT["lei"]) == MICROSOFT["legalName"]


def test_an_lei_that_came_by_a_change_of_entity_waits_too(register: Call) -> None:
    register()
    registrar, second = person("rita", "Registrar"), person("rolf", "Registrar")
    change = entity_changes.propose_entity_change(
        registration=Registration.objects.get(),
        legal_name="Quick Silver Metals Ltd",
        country="US",
        lei=MICROSOFT["lei"],
        reason="The wallet was sold with the business.",
        by=registrar,
        now=now(),
    )
    entity_changes.approve_entity_change(change=change, by=second, now=now())
    change.refresh_from_db()
    entity_changes.apply_entity_change(str(change.pk), change.counts_from)
    row = Registration.objects.get()
    assert row.pending == {"lei": True} and row.under_review
    check = PayeeCheckRequest(wallet(1), "anything", MICROSOFT["lei"])
    assert gather_payee_check(asked=check, now=row.effective_at).facts.lei == "UNDER_REVIEW"
    page = check_page(at_desk(registrar).get(f"/admin/registry/registration/{row.pk}/"))
    for said in (
        "Proposed by rita: The wallet was sold with the business.",
        "Approved by rolf",
        f"Legal name: {NORTHWIND['legalName']} → Quick Silver Metals Ltd.",
    ):
        assert said in page


# --- names that a standing registration gains --------------------------------------------


def test_a_name_that_was_added_is_compared_only_once_it_was_reviewed(
    register: Call,
    verify: Call,
) -> None:
    register(aliases=["Polar Wares"])
    register(aliases=["Polar Wares", "Siemens Aktiengesellschaft"], status=200)
    assert verify(1, "Siemens Aktiengesellschaft")["result"] == "BLOCKED"
    assert verify(1, "Polar Wares")["result"] == "VERIFIED"
    let_stand(Case.objects.get(), "NAME_CONFIRMED")
    assert verify(1, "Siemens Aktiengesellschaft")["resolvedBy"] == "ALIAS_MATCH"


def test_a_name_that_waits_still_waits_when_further_names_come(
    register: Call,
    verify: Call,
) -> None:
    register()
    register(aliases=["Polar Wares"], status=200)
    register(aliases=["Polar Wares", "Mud Puppy Kayak Club"], status=200)
    assert verify(1, "Polar Wares")["result"] != "VERIFIED"
    register(aliases=["Mud Puppy Kayak Club"], status=200)
    assert Registration.objects.get().pending == {"names": ["Mud Puppy Kayak Club"]}


def test_a_name_is_gained_too_by_registering_the_wallet_anew(
    register: Call, rita: APIClient, verify: Call
) -> None:
    register(aliases=["Polar Wares"])
    register(aliases=["Polar Wares", "Quick Silver Metals Ltd"], status=200)
    rita.delete(f"/compliance/register/{wallet(1)}")
    register(aliases=["Polar Wares", "Quick Silver Metals Ltd"])
    assert verify(1, "Quick Silver Metals Ltd")["result"] == "BLOCKED"
    assert verify(1, "Polar Wares")["result"] == "VERIFIED"


def test_names_that_wait_are_not_told_as_the_wallets(register: Call, api: APIClient) -> None:
    register()
    register(aliases=["Quick Silver Metals Ltd"], status=200)
    body = api.get(f"/compliance/vop/lookup/{wallet(1)}").json()
    assert (body["aliases"], body["aliasesUnderReview"]) == ([], ["Quick Silver Metals Ltd"])


# --- a listed party for a wallet that stands ---------------------------------------------


def test_a_listed_party_for_a_standing_wallet_is_refused_and_logged(
    register: Call, rita: APIClient
) -> None:
    register()
    register(legalName="Lazarus Group", country="DE", status=422)
    assert SarEntry.objects.get().kind == "registration"
    assert not Case.objects.exists() and RegistrationEvent.objects.count() == 1


def test_a_party_like_a_listed_one_for_a_standing_wallet_is_shown_with_it(register: Call) -> None:
    register()
    register(legalName="Lazarus Funeral Group", status=409)
    codes = {rule["code"] for rule in Case.objects.get().rules}
    assert codes == {"wallet.contested", "sanctions.partial"} and not SarEntry.objects.exists()


def test_made_up_names_for_one_wallet_do_not_fill_the_queue(register: Call) -> None:
    register()
    for name in ("Harbour", "Lantern", "Meadow", "Orchard", "Pebble"):
        register(legalName=f"{name} Catering", status=409)
    assert Case.objects.count() == 3
    register(legalName="Lazarus Funeral Group", status=409)
    assert Case.objects.count() == 4
