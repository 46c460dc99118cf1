"""The case of a registration: what an officer sees, and what follows from the decision."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.compliance.payees.integrity import verify_all_registrations
from apps.compliance.payees.models import Registration, RegistrationEvent
from apps.compliance.payees.services.refused_additions import RegistrationInDoubt
from tests.conftest import NOON
from tests.payees.registration.conftest import LAPSED, MICROSOFT, NORTHWIND, wallet
from tests.review.people import OFFICER, SENIOR, at_desk, check_page, person

pytestmark = pytest.mark.django_db
Call = Callable[..., Any]
NOTE = "The register extract of this week names the entity."
OTHER = {"legalName": "Redmond Sandwich Company", "lei": MICROSOFT["lei"], "country": "US"}


def decide(case: Case, outcome: str, code: str, name: str = "olivia") -> Case:
    officer = person(name, OFFICER)
    return services.decide_case(
        case=case, by=officer, outcome=outcome, reason_code=code, note=NOTE, now=NOON
    )


def last(row: Registration) -> RegistrationEvent:
    return row.events.order_by("pk").last()  # type: ignore[return-value]


def test_the_case_shows_what_was_submitted_beside_what_gleif_has(register: Call) -> None:
    register(**OTHER)
    page = check_page(
        at_desk(person("olivia", OFFICER)).get(f"/admin/review/case/{Case.objects.get().pk}/")
    )
    assert "Redmond Sandwich Company" in page and "Legal name at GLEIF" in page
    assert "MICROSOFT CORPORATION" in page.upper() and wallet(1) in page
    assert "NAME_CONFIRMED" in page and "LEI_BEING_RENEWED" not in page
    assert "Deactivate wallet" in page


def test_a_partial_hit_shows_both_parties_word_by_word(register: Call) -> None:
    register(legalName="Lazarus Funeral Group")
    page = check_page(
        at_desk(person("olivia", OFFICER)).get(f"/admin/review/case/{Case.objects.get().pk}/")
    )
    assert "Lazarus Funeral Group" in page and "Lazarus Group" in page
    assert "was calculated" in page


def test_a_contested_wallet_shows_who_stands_and_who_was_submitted(register: Call) -> None:
    register()
    register(**MICROSOFT, status=409)
    page = check_page(
        at_desk(person("olivia", OFFICER)).get(f"/admin/review/case/{Case.objects.get().pk}/")
    )
    assert "Microsoft Corporation" in page and "Registered legal name" in page
    assert NORTHWIND["legalName"] in page


def test_approved_the_registration_stands_without_review(register: Call, lookup: Call) -> None:
    register(**OTHER)
    decide(Case.objects.get(), "APPROVE", "NAME_CONFIRMED")
    assert lookup(1)["underReview"] is False
    row = Registration.objects.get()
    assert last(row).action == "CLEARED" and last(row).data["case"] == Case.objects.get().ref


def test_rejected_the_wallet_is_deactivated_with_the_decision(register: Call, lookup: Call) -> None:
    register(**LAPSED)
    decide(Case.objects.get(), "REJECT", "NOT_IDENTIFIED")
    assert lookup(1) is None
    assert last(Registration.objects.get()).action == "DEACTIVATED"


def test_a_decision_that_cannot_end_the_wallet_is_no_decision(
    register: Call, lookup: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(**LAPSED)

    def fails(*_: Any, **__: Any) -> Any:
        raise RuntimeError("no disk")

    monkeypatch.setattr(RegistrationEvent, "keep", fails)
    with pytest.raises(RuntimeError):
        decide(Case.objects.get(), "REJECT", "NOT_IDENTIFIED")
    assert Case.objects.get().status == "OPEN" and lookup(1)["active"]


def test_it_stays_under_review_while_another_of_its_cases_is_open(
    register: Call, lookup: Call
) -> None:
    register(**LAPSED)
    register(**LAPSED, aliases=["Mud Puppy Kayak Club"], status=200)
    first, second = Case.objects.order_by("pk")
    olivia = person("olivia", OFFICER)
    for case, code, still in (
        (second, "NAME_CONFIRMED", True),
        (first, "LEI_BEING_RENEWED", False),
    ):
        services.decide_case(
            case=case, by=olivia, outcome="APPROVE", reason_code=code, note=NOTE, now=NOON
        )
        assert lookup(1)["underReview"] is still


def test_a_contested_wallet_that_is_rejected_is_deactivated(register: Call, lookup: Call) -> None:
    register()
    register(**MICROSOFT, status=409)
    decide(Case.objects.get(), "REJECT", "ANOTHER_ENTITY")
    assert lookup(1) is None


def test_an_alias_is_refused_and_the_right_payee_stands(register: Call, lookup: Call) -> None:
    register(aliases=["Northwind"])
    before = lookup(1)
    register(aliases=["Northwind", "Evil Twins"], status=200)
    assert lookup(1)["aliasesUnderReview"] == ["Evil Twins"]
    decide(Case.objects.get(), "REJECT", "ADDITION_REFUSED")
    assert lookup(1) == before
    row = Registration.objects.get()
    assert row.aliases == ["Northwind"] and last(row).action == "CLEARED"
    assert list(verify_all_registrations(lambda done: None)) == []


def test_a_mistyped_lei_is_taken_off_and_the_registration_stands(
    register: Call, lookup: Call
) -> None:
    register()
    before = lookup(1)
    register(lei=MICROSOFT["lei"], status=200)
    assert lookup(1)["leiUnderReview"] is True
    decide(Case.objects.get(), "REJECT", "ADDITION_REFUSED")
    assert lookup(1) == before and before["type"] == "SELF_DECLARED"
    assert list(verify_all_registrations(lambda done: None)) == []


def test_what_another_case_is_about_stays_when_an_alias_is_refused(
    register: Call, lookup: Call
) -> None:
    register()
    register(aliases=["Evil Twins"], status=200)
    register(aliases=["Evil Twins", "Northwind"], status=200)
    first, second = Case.objects.order_by("pk")
    olivia = person("olivia", OFFICER)
    for case, outcome, code in (
        (first, "REJECT", "ADDITION_REFUSED"),
        (second, "APPROVE", "NAME_CONFIRMED"),
    ):
        assert lookup(1)["underReview"] is True
        services.decide_case(
            case=case, by=olivia, outcome=outcome, reason_code=code, note=NOTE, now=NOON
        )
    found = lookup(1)
    assert (found["aliases"], found["underReview"]) == (["Northwind"], False)


def test_a_name_that_stood_before_is_never_taken_off(register: Call, lookup: Call) -> None:
    register(**OTHER)
    decide(Case.objects.get(), "APPROVE", "NAME_CONFIRMED")
    held = lookup(1)
    register(**OTHER, aliases=["Evil Twins"], status=200)
    case = Case.objects.exclude(status="DECIDED").get()
    decide(case, "REJECT", "ADDITION_REFUSED", "otto")
    assert lookup(1) == held and held["lei"] == MICROSOFT["lei"]


def test_a_decision_on_what_has_ended_meanwhile_changes_nothing(
    register: Call, rita: APIClient
) -> None:
    register(**LAPSED)
    rita.delete(f"/compliance/register/{wallet(1)}")
    decide(Case.objects.get(), "REJECT", "NOT_IDENTIFIED")
    row = Registration.objects.get()
    assert last(row).action == "DEACTIVATED" and row.events.count() == 2


def test_a_party_that_is_the_listed_one_enters_the_log_with_its_rejection(register: Call) -> None:
    register(legalName="Lazarus Funeral Group")
    case = Case.objects.get()
    decide(case, "REJECT", "LISTED_PARTY")
    if case.needs_second:
        sofia = person("sofia", SENIOR)
        services.confirm_decision(
            case=Case.objects.get(), by=sofia, reason_code="LISTED_PARTY", note=NOTE, now=NOON
        )
    assert SarEntry.objects.get().kind == "registration"
    assert not Registration.objects.get().active


def test_the_case_leads_to_the_registration_that_it_is_about(register: Call) -> None:
    register(**OTHER)
    desk = at_desk(person("olivia", OFFICER))
    page = check_page(desk.get(f"/admin/review/case/{Case.objects.get().pk}/"))
    address = f"/admin/registry/registration/{Registration.objects.get().pk}/"
    assert f'<a href="{address}">Registration</a>' in page
    assert "Redmond Sandwich Company" in check_page(desk.get(address))


@pytest.mark.parametrize("stood", [False, True])
def test_an_alias_alone_is_taken_off_only_where_the_country_was_looked_at_before(
    register: Call, lookup: Call, stood: bool
) -> None:
    register(2, legalName="Evil Twins Limited", country="DE")
    if stood:
        register(country="NP")
        decide(Case.objects.get(), "APPROVE", "DUE_DILIGENCE_DONE", "otto")
    register(country="NP", aliases=["Evil Twins Limited"], status=200 if stood else 201)
    case = Case.objects.exclude(status="DECIDED").get()
    decide(case, "REJECT", "ADDITION_REFUSED")
    confirmed = case.needs_second
    assert confirmed  # another's name is HIGH
    sofia = person("sofia", SENIOR)
    said = {"case": Case.objects.get(pk=case.pk), "by": sofia, "note": NOTE, "now": NOON}
    if stood:
        services.confirm_decision(reason_code="ADDITION_REFUSED", **said)
        assert lookup(1)["aliases"] == [] and lookup(1)["underReview"] is False
        return
    with pytest.raises(RegistrationInDoubt):
        services.confirm_decision(reason_code="ADDITION_REFUSED", **said)
    assert lookup(1)["underReview"] is True and Registration.objects.count() == 2


def test_of_one_registration_a_few_cases_stand_open_and_what_is_new_waits(
    register: Call, lookup: Call
) -> None:
    register()
    names = ["Evil Twins", "Polar Wares", "Harbour Lights", "Copper Kettle"]
    for count in (1, 2, 3):
        register(aliases=names[:count], status=200)
    stood = lookup(1)
    refused = register(aliases=names, status=409)
    assert refused["code"] == "registration_in_review" and lookup(1) == stood
    assert Case.objects.count() == 3
    # what takes names away, and changes nothing else, brings no case
    assert register(aliases=names[:2], status=200)["aliasesUnderReview"] == names[:2]
    decide(Case.objects.order_by("pk")[0], "APPROVE", "NAME_CONFIRMED")
    register(aliases=[*names[:2], names[3]], status=200)
    assert Case.objects.exclude(status="DECIDED").count() == 3


def test_a_party_that_a_list_may_have_is_looked_at_however_many_cases_stand_open(
    register: Call,
) -> None:
    register()
    for count in (1, 2, 3):
        register(aliases=["Evil Twins", "Polar Wares", "Harbour Lights"][:count], status=200)
    register(aliases=["Lazarus Funeral Group"], status=200)
    assert Case.objects.count() == 4
