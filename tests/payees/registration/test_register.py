"""POST /register and DELETE /register/:wallet: what stands afterwards, and what is refused."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.compliance.payees.models import Registration, RegistrationEvent
from apps.compliance.payees.registration_requests import RegistrationActor
from apps.compliance.payees.selectors import registration_checks
from apps.compliance.payees.services.deactivation import deactivate_registration
from apps.reference.lei.clients import gleif
from apps.reference.lei.models import LeiRecord
from apps.reference.lei.services import lookups
from apps.reference.lei.values import LeiLookup
from apps.reference.watchlists import engine
from apps.reference.watchlists.models import Party, PartyKind
from tests.api.endpoint_walk import key_client
from tests.lei.changed_entities import restate
from tests.operations import replaced
from tests.payees.registration.conftest import LAPSED, MICROSOFT, NORTHWIND, wallet

pytestmark = pytest.mark.django_db
Call = Callable[..., Any]


def actions(number: int = 1) -> list[str]:
    events = RegistrationEvent.objects.filter(registration__wallet=wallet(number))
    return list(events.order_by("pk").values_list("action", flat=True))


def test_a_wallet_is_registered_by_name_alone(register: Call, lookup: Call) -> None:
    made = register(aliases=["Northwind", "Northwind"])
    assert lookup(1) == made
    assert (made["type"], made["lei"], made["leiStatus"]) == ("SELF_DECLARED", "", "NONE")
    assert made["aliases"] == ["Northwind"] and made["active"] and not made["underReview"]
    assert (made["chain"], made["addressChecked"]) == ("EVM", True)


def test_a_wallet_is_registered_with_an_lei_that_gleif_bears_out(register: Call) -> None:
    made = register(**MICROSOFT)
    assert (made["type"], made["leiStatus"]) == ("GLEIF_VERIFIED", "ACTIVE")
    assert made["underReview"] is False and not Case.objects.exists()


def test_an_lei_that_is_given_later_upgrades_the_registration(register: Call) -> None:
    plain = MICROSOFT | {"lei": None}
    first, second = register(**plain), register(**MICROSOFT, status=200)
    assert (first["type"], second["type"]) == ("SELF_DECLARED", "GLEIF_VERIFIED")
    assert second["registeredAt"] == first["registeredAt"]
    assert actions() == ["REGISTERED", "UPGRADED"]


@pytest.mark.parametrize("again", [{}, {"legalName": "NORTHWIND traders  International GmbH"}])
def test_the_same_again_is_the_same_answer_and_changes_nothing(
    register: Call, again: dict[str, str]
) -> None:
    assert register(**again, status=200) == register(status=200) if register() else False
    assert actions() == ["REGISTERED"]


def test_an_lei_is_not_lost_by_leaving_it_out(register: Call) -> None:
    register(**MICROSOFT)
    again = register(**(MICROSOFT | {"lei": None}), status=200)
    assert again["lei"] == MICROSOFT["lei"] and actions() == ["REGISTERED"]


def test_a_wallet_is_one_however_it_is_spelt(register: Call, lookup: Call) -> None:
    register(0xABCDEF)
    low = wallet(0xABCDEF).lower()
    assert lookup(low) == lookup(0xABCDEF)
    register(walletAddress=low, status=200)
    assert Registration.objects.count() == 1


def test_another_name_is_refused_and_an_officer_is_told_once(register: Call, lookup: Call) -> None:
    made = register()
    for _ in range(2):
        refused = register(legalName="Mud Puppy Kayak Club", status=409)
        assert refused["code"] == "wallet_registered"
        assert NORTHWIND["legalName"] not in str(refused)
    assert lookup(1) == made and actions() == ["REGISTERED"]
    case = Case.objects.get()
    assert (case.kind, case.wallet) == ("registration", wallet(1))
    assert "Mud Puppy Kayak Club" in case.rules[0]["sentence"]
    assert case.evidence["stands"]["legalName"] == NORTHWIND["legalName"]


def test_another_lei_for_an_entity_is_another_entity(register: Call) -> None:
    register(**MICROSOFT)
    other = MICROSOFT | {"lei": "HWUPKR0MPOU8FGXBT394"}
    assert register(**other, status=409)["code"] == "wallet_registered"


def test_a_deactivated_wallet_is_gone_and_its_past_stays(
    register: Call, lookup: Call, rita: APIClient
) -> None:
    register()
    path = f"/compliance/register/{wallet(1).lower()}"
    ended = rita.delete(path)
    assert ended.status_code == 200 and ended.json()["active"] is False
    assert lookup(1) is None and rita.delete(path).status_code == 404
    register(**MICROSOFT)  # another entity may have it now
    rows = Registration.objects.order_by("pk")
    assert [(row.active, row.legal_name) for row in rows] == [
        (False, NORTHWIND["legalName"]),
        (True, MICROSOFT["legalName"]),
    ]
    assert actions() == ["REGISTERED", "DEACTIVATED", "REGISTERED"]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (LAPSED, "lei.not_active"),
        (MICROSOFT | {"legalName": "Redmond Sandwich Company"}, "lei.other_name"),
        ({"legalName": "Lazarus Funeral Group"}, "sanctions.partial"),
    ],
)
def test_what_is_in_doubt_is_active_under_review(
    register: Call, lookup: Call, given: dict[str, str], code: str
) -> None:
    made = register(**given)
    assert made["active"] and made["underReview"] and lookup(1) == made
    case = Case.objects.get()
    assert code in [rule["code"] for rule in case.rules]
    assert (case.kind, case.party, case.wallet) == ("registration", given["legalName"], wallet(1))


def test_the_same_entity_under_another_name_is_looked_at(register: Call) -> None:
    register(1, **MICROSOFT)
    assert register(2, **MICROSOFT)["underReview"] is False
    made = register(3, **(MICROSOFT | {"legalName": "Microsft Corporation"}))
    assert made["underReview"]
    rule = Case.objects.get().rules[0]
    assert rule["code"] == "lei.elsewhere" and wallet(1) in rule["sentence"]


def test_names_that_an_active_registration_gains_are_looked_at(register: Call) -> None:
    register(aliases=["Northwind"])
    assert register(aliases=[], status=200)["underReview"] is False
    changed = register(aliases=["Mud Puppy Kayak Club"], status=200)
    assert changed["underReview"] and changed["aliases"] == []
    assert changed["aliasesUnderReview"] == ["Mud Puppy Kayak Club"]
    assert Case.objects.get().rules[0]["code"] == "names.added"
    assert actions() == ["REGISTERED", "CHANGED", "CHANGED"]


@pytest.mark.parametrize(
    "listed",
    [
        {"legalName": "Lazarus Group"},
        {"aliases": ["Lazarus Group"]},
        {"walletAddress": "0x098B716B8Aaf21512996dC57EB0615e2383E2f96"},
        {"legalName": "Fluffy Kittens Ltd", "lei": "549300WE6TAF5EEWQS81"},
    ],
)
def test_a_listed_party_is_refused_without_a_word_why_and_entered_once(
    register: Call, lookup: Call, listed: dict[str, Any]
) -> None:
    for _ in range(2):
        refused = register(**listed, status=422)
        assert refused["code"] == "registration_refused"
        for word in ("sanction", "list", "match", "SAR", "Lazarus", "block"):
            assert word.lower() not in str(refused).lower()
    assert not Registration.objects.exists() and not Case.objects.exists()
    entry = SarEntry.objects.get()
    assert entry.kind == "registration" and entry.data["sanctions"]
    assert entry.data["facts"]["picture"]["matches"]


def test_whoever_gleif_names_for_the_lei_is_held_against_the_lists(register: Call) -> None:
    restate(LeiRecord.objects.filter(lei=MICROSOFT["lei"]), legal_name="Lazarus Group")
    register(**(MICROSOFT | {"legalName": "Fluffy Kittens Ltd"}), status=422)
    assert "Lazarus Group" in str(SarEntry.objects.get().data["reasons"])


def test_an_upgrade_that_is_refused_leaves_the_registration_as_it_was(
    register: Call, lookup: Call
) -> None:
    fluffy = {"legalName": "Fluffy Kittens Ltd"}
    made = register(**fluffy)
    register(**fluffy, lei="549300WE6TAF5EEWQS81", status=422)
    assert lookup(1) == made and actions() == ["REGISTERED"]


def test_without_lists_nothing_is_registered(
    register: Call, lookup: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(now: Any, **_: Any) -> Any:
        raise engine.ListsUnavailable("There is no list.")

    monkeypatch.setattr(engine, "load_current_engine", gone)
    assert register(status=503)["code"] == "lists_unavailable"
    assert lookup(1) is None and not Party.objects.exists()


def test_an_lei_that_nobody_can_look_up_is_no_lei(
    register: Call, lookup: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    LeiRecord.objects.filter(lei=MICROSOFT["lei"]).delete()
    lookups._used_leis.clear()
    monkeypatch.setattr(gleif, "is_gleif_configured", lambda: False)
    assert register(**MICROSOFT, status=503)["code"] == "lei_unavailable"
    assert lookup(1) is None and not RegistrationEvent.objects.exists()


def test_an_lei_that_gleif_does_not_have_is_refused(
    register: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    lei = MICROSOFT["lei"]
    monkeypatch.setattr(
        registration_checks.lookups, "look_up_lei", lambda **_: LeiLookup(lei, "UNKNOWN")
    )
    refused = register(**MICROSOFT, status=400)
    assert (refused["code"], refused["errors"][0]["field"]) == ("lei_unknown", "lei")


def test_a_registered_party_is_remembered_with_its_names(register: Call) -> None:
    register(aliases=["Northwind"])
    row = Registration.objects.get()
    parties = Party.objects.filter(kind=PartyKind.REGISTERED, reference=f"registration:{row.pk}")
    assert {party.name for party in parties} == {NORTHWIND["legalName"], "Northwind"}


def test_a_body_without_wallet_and_name_says_so_of_both(rita: APIClient) -> None:
    answer = rita.post("/compliance/register", {}, format="json")
    named = {error["field"] for error in answer.json()["errors"]}
    assert answer.status_code == 400 and {"walletAddress", "legalName", "country"} <= named


@pytest.mark.parametrize(
    "address", ["0x" + "0" * 40, wallet(0xABCDEF).swapcase(), "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u"]
)
def test_a_wrong_address_is_refused_where_it_stands(register: Call, address: str) -> None:
    refused = register(walletAddress=address, status=400)
    assert refused["errors"][0]["field"] == "walletAddress"


@pytest.mark.parametrize("kind", ["SUBSCRIPTION", "INSTITUTION", "MASTER", "INTERNAL", "DATA"])
def test_only_administrators_register(sample: Any, kind: str) -> None:
    other = key_client("Alice Ltd", kind)
    body = {"walletAddress": wallet(1), **NORTHWIND}
    assert other.post("/compliance/register", body, format="json").status_code in (401, 403)
    assert other.delete(f"/compliance/register/{wallet(1)}").status_code in (401, 403)


def test_a_registration_that_changes_while_it_is_looked_at_is_not_written_over(
    register: Call, lookup: Call, rita: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(legalName="Mud Puppy Kayak Club")

    def slow(real: Any, **given: Any) -> Any:
        found = real(**given)
        deactivate_registration(
            wallet=wallet(1), who=RegistrationActor("account:1"), now=given["now"]
        )  # meanwhile
        return found

    with replaced("register", gather=slow):
        refused = register(legalName="Mud Puppy Kayak Club", aliases=["Puppy"], status=409)
    assert refused["code"] == "registration_changed"
    assert actions() == ["REGISTERED", "DEACTIVATED"]
