"""POST /vop/verify as a payer sees it: tiers, what is told apart, records, and what is paid."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.access.paywall.models import Receipt
from apps.compliance.payees.models import Registration
from apps.compliance.payees.models.payee_checks import VopCheck
from apps.compliance.payees.vop.attestation import digest_submitted_name, verify_attestation
from apps.platform.crypto.signatures import build_jwks
from apps.reference.lei.models import LeiRecord
from apps.reference.lei.services import lookups
from apps.reference.lei.values import LeiLookup
from tests.advisory.fake_chat_api import PATH, saying
from tests.lei.changed_entities import restate
from tests.payees.registration.conftest import LAPSED, MICROSOFT, NORTHWIND, wallet
from tests.upstreams.loopback import Loopback, silent

pytestmark = pytest.mark.django_db
Call = Callable[..., Any]
NAME = NORTHWIND["legalName"]
MIDDLING = "Northwind Traders"
OPINION = {
    "assessment": "UNCERTAIN",
    "confidence": "LOW",
    "likelyCause": "a trading name",
    "rationale": "The names share their first word.",
    "proceedRecommendation": "MANUAL_REVIEW",
}


def test_the_registered_name_is_verified(register: Call, verify: Call) -> None:
    register(1)
    found = verify(1, NAME)
    assert (found["result"], found["score"], found["resolvedBy"]) == ("VERIFIED", 100, "NAME_MATCH")
    assert found["proceedSafe"] and found["attestation"]["fatfR16Compliant"]
    assert (found["registeredName"], found["leiStatus"]) == (NAME, "NONE")
    assert found["rule"] == "VOP-4" and found["leiCheck"] == "NOT_GIVEN"


def test_another_name_is_blocked_and_says_why(register: Call, verify: Call) -> None:
    register(1)
    found = verify(1, "Harbour Lights Catering")
    assert (found["result"], found["proceedSafe"]) == ("BLOCKED", False)
    assert found["score"] < 35 and "misdirected" in found["message"]
    assert not found["attestation"]["fatfR16Compliant"] and "grayZoneReasoning" not in found


def test_an_alias_that_agrees_best_resolves(register: Call, verify: Call) -> None:
    register(1, aliases=["Polar Wares"])
    found = verify(1, "Polar Wares")
    assert (found["resolvedBy"], found["matchedName"]) == ("ALIAS_MATCH", "Polar Wares")
    assert found["result"] == "VERIFIED" and found["registeredName"] == NAME


def test_an_lei_that_matches_skips_the_name(register: Call, verify: Call) -> None:
    register(1, **MICROSOFT)
    found = verify(1, "Harbour Lights Catering", MICROSOFT["lei"])
    assert (found["result"], found["score"]) == ("LEI_MATCH", 100)
    assert (found["resolvedBy"], found["leiStatus"]) == ("LEI_EXACT_MATCH", "ACTIVE")
    assert found["leiCheck"] == "MATCHED" and "matchedName" not in found


def test_an_lei_of_another_entity_leaves_it_to_the_name_and_says_so(
    register: Call, verify: Call
) -> None:
    register(1, **MICROSOFT)
    found = verify(1, "Microsoft Corporation", LAPSED["lei"])
    assert (found["result"], found["leiCheck"]) == ("VERIFIED", "ANOTHER_LEI")
    assert "not the one on record" in found["message"]
    assert verify(1, "Harbour Lights Catering", LAPSED["lei"])["result"] == "BLOCKED"


def test_a_lapsed_lei_proceeds_with_a_warning(register: Call, verify: Call) -> None:
    register(1, **LAPSED)
    found = verify(1, LAPSED["legalName"], LAPSED["lei"])
    assert (found["result"], found["leiStatus"], found["score"]) == ("LEI_INACTIVE", "LAPSED", 100)
    assert "has lapsed" in found["attestation"]["regulatoryNote"]


def test_a_retired_lei_is_told_as_inactive_in_answer_note_and_statement(
    register: Call, verify: Call
) -> None:
    register(1, **MICROSOFT)
    restate(LeiRecord.objects.filter(lei=MICROSOFT["lei"]), registration_status="RETIRED")
    found = verify(1, "Microsoft", MICROSOFT["lei"])
    assert (found["result"], found["leiStatus"]) == ("LEI_INACTIVE", "RETIRED")
    assert "was retired" in found["attestation"]["regulatoryNote"]
    assert verify_attestation(found["attestation"]["jws"])["leiStatus"] == "RETIRED"


@pytest.mark.parametrize(
    ("fields", "name", "bases"),
    [
        (MICROSOFT, "Microsoft Corporation", ("GLEIF", "GLEIF")),
        (MICROSOFT, "Blue Heron Desk", ("GLEIF", "SELF_DECLARED")),
        (NORTHWIND, NORTHWIND["legalName"], ("SELF_DECLARED", "SELF_DECLARED")),
    ],
)
def test_a_name_that_gleif_does_not_have_is_told_as_declared_in_answer_and_statement(
    register: Call, verify: Call, fields: dict[str, str], name: str, bases: tuple[str, str]
) -> None:
    register(1, **fields, aliases=["Blue Heron Desk"])
    found = verify(1, name)
    for told in (found, verify_attestation(found["attestation"]["jws"])):
        assert (told["registeredNameBasis"], told["matchedNameBasis"]) == bases


def test_an_lei_whose_state_nobody_can_tell_proves_nothing_and_says_so(
    register: Call, verify: Call, monkeypatch: Any
) -> None:
    register(1, **MICROSOFT)
    unknown = LeiLookup(MICROSOFT["lei"], "NOT_CHECKED")
    monkeypatch.setattr(lookups, "look_up_lei", lambda **_: unknown)
    found = verify(1, "Microsoft", MICROSOFT["lei"])
    assert (found["result"], found["leiStatus"]) == ("LEI_INACTIVE", "UNVERIFIED")
    assert not found["attestation"]["fatfR16Compliant"] and found["proceedSafe"]
    assert not verify_attestation(found["attestation"]["jws"])["fatfR16Compliant"]
    assert "could not be checked" in found["attestation"]["regulatoryNote"]


def test_a_wallet_that_nobody_registered_proceeds_unverified(verify: Call) -> None:
    found = verify(7, NAME)
    assert (found["result"], found["score"], found["resolvedBy"]) == (
        "NOT_REGISTERED", 0, "NOT_REGISTERED",
    )  # fmt: skip
    assert found["proceedSafe"] and not found["attestation"]["fatfR16Compliant"]
    assert "registeredName" not in found


def test_a_wallet_that_was_deactivated_is_not_registered(
    register: Call, verify: Call, rita: APIClient
) -> None:
    register(1)
    rita.delete(f"/compliance/register/{wallet(1)}")
    assert verify(1, NAME)["result"] == "NOT_REGISTERED"


def test_a_registration_that_was_altered_in_the_database_verifies_nobody(
    register: Call, verify: Call
) -> None:
    register(1)
    Registration.objects.update(legal_name="Harbour Lights Catering")
    found = verify(1, "Harbour Lights Catering", status=503)
    assert found["code"] == "registration_unproved"
    assert not VopCheck.objects.exists() and not Receipt.objects.exists()


def test_the_attestation_verifies_offline_and_names_nobody_who_was_submitted(
    register: Call, verify: Call
) -> None:
    register(1)
    found = verify(1, "Northwind Traders Intl")
    claims = verify_attestation(found["attestation"]["jws"], build_jwks())
    assert claims["jti"] == found["requestId"] and claims["result"] == found["result"]
    assert (claims["score"], claims["walletAddress"]) == (found["score"], wallet(1))
    record = VopCheck.objects.get()
    assert claims["submittedNameDigest"] == digest_submitted_name(
        "Northwind Traders Intl", record.request_id
    )
    assert "Intl" not in str(claims)


def test_the_record_holds_what_decided(register: Call, verify: Call) -> None:
    register(1)
    found = verify(1, "Northwind Traders")
    record = VopCheck.objects.get()
    assert record.data["response"]["requestId"] == found["requestId"]
    assert record.data["request"]["submittedName"] == "Northwind Traders"
    assert record.data["evidence"]["registered"]["legal_name"] == NAME
    assert record.data["evidence"]["comparison"]["score"] == found["score"]
    assert set(record.data["versions"]) == {"rules", "names"}
    assert Receipt.objects.get().amount * 1_000_000 == 75_000


def test_what_is_not_valid_costs_nothing(api: APIClient, sample: Any) -> None:
    answer = api.post("/compliance/vop/verify", {}, format="json")
    assert answer.status_code == 400
    assert {error["field"] for error in answer.json()["errors"]} == {
        "walletAddress",
        "submittedName",
    }


def test_who_does_not_pay_is_told_the_price(api: APIClient, sample: Any) -> None:
    body = {"walletAddress": wallet(1), "submittedName": NAME}
    answer = api.post("/compliance/vop/verify", body, format="json")
    assert answer.status_code == 402
    assert answer.json()["accepts"][0]["maxAmountRequired"] == "75000"


@pytest.fixture
def model(settings: Any) -> Iterator[Loopback]:
    loopback = Loopback()
    settings.ADVISORY_URL, settings.ADVISORY_MODEL = f"{loopback.url}/v1", "judge-1"
    yield loopback
    loopback.close()


def test_a_middling_result_carries_an_opinion_that_changes_nothing(
    register: Call, verify: Call, model: Loopback
) -> None:
    register(1)
    plain = verify(1, MIDDLING)
    assert plain["result"] in ("PROCEED_FLAGGED", "PROCEED_UNVERIFIED")
    assert "grayZoneReasoning" not in plain
    model.answers[PATH] = saying(OPINION)
    told = verify(1, MIDDLING)
    assert told["grayZoneReasoning"].items() >= OPINION.items()
    assert isinstance(told["grayZoneReasoning"]["processedAt"], int)
    assert (told["result"], told["score"]) == (plain["result"], plain["score"])


@pytest.mark.parametrize("name", [NAME, "Harbour Lights Catering"])
def test_no_model_is_asked_where_the_result_is_clear(
    register: Call, verify: Call, model: Loopback, name: str
) -> None:
    register(1)
    model.answers[PATH] = saying(OPINION)
    assert "grayZoneReasoning" not in verify(1, name) and not model.calls


@pytest.mark.parametrize(
    "said", ["approve", OPINION | {"assessment": "VERIFIED"}, OPINION | {"result": "VERIFIED"}]
)
def test_an_opinion_of_another_form_is_left_out(
    register: Call, verify: Call, model: Loopback, said: Any
) -> None:
    register(1)
    model.answers[PATH] = saying(said)
    found = verify(1, MIDDLING)
    assert "grayZoneReasoning" not in found and found["result"] != "VERIFIED"


def test_a_slow_model_holds_nobody(
    register: Call, verify: Call, model: Loopback, monkeypatch: Any
) -> None:
    from apps.compliance.payees.vop import selectors

    register(1)
    short = type(selectors.GRAY_ZONE)(
        selectors.GRAY_ZONE.task, selectors.GRAY_ZONE.fields, selectors.GRAY_ZONE.shape, 0.3
    )
    monkeypatch.setattr(selectors, "GRAY_ZONE", short)
    model.answers[PATH] = silent(3)
    assert "grayZoneReasoning" not in verify(1, MIDDLING)


def test_an_lei_for_a_wallet_that_is_not_registered_is_told_as_given(verify: Call) -> None:
    assert verify(1, NAME, MICROSOFT["lei"])["leiCheck"] == "NONE_ON_RECORD"
    assert verify(1, NAME)["leiCheck"] == "NOT_GIVEN"


def test_the_record_holds_what_gleif_said_of_the_lei_and_as_of_when(
    register: Call, verify: Call
) -> None:
    register(1, **MICROSOFT)
    assert verify(1, "anything", MICROSOFT["lei"])["dataQuality"] == "SAMPLE"
    lei = VopCheck.objects.get().data["evidence"]["lei"]
    assert (lei["registrationStatus"], lei["source"]) == ("ISSUED", "SAMPLE")
    assert lei["asOf"] and lei["legalName"]


def test_names_in_scripts_that_cannot_be_read_together_are_not_called_another_name(
    register: Call, verify: Call
) -> None:
    register(1, legalName="Somchai Jaidee")
    found = verify(1, "สมชาย ใจดี")
    assert (found["result"], found["score"]) == ("PROCEED_UNVERIFIED", 35)
    assert "cannot be read together" in found["message"]
    assert VopCheck.objects.get().data["evidence"]["comparison"]["unread"] is True


def test_another_lei_than_the_one_on_record_stands_in_the_note_and_the_statement(
    register: Call, verify: Call
) -> None:
    register(1, **MICROSOFT)
    attestation = verify(1, "Microsoft Corporation", LAPSED["lei"])["attestation"]
    assert "not the one on record" in attestation["regulatoryNote"]
    assert verify_attestation(attestation["jws"])["leiCheck"] == "ANOTHER_LEI"


def test_names_that_take_too_long_are_not_compared(
    register: Any, verify: Any, settings: Any
) -> None:
    register(7, legalName="Northwind Traders International GmbH")
    assert verify(7, "Northwind Traders International GmbH")["result"] == "VERIFIED"
    settings.SCREEN_CPU_MILLISECONDS = 0
    found = verify(7, "Northwind Traders International GmbH.")
    assert (found["result"], found["score"]) == ("PROCEED_UNVERIFIED", 35)
    assert found["message"].endswith("take too long to compare: they were not compared.")
