"""The owner's proof: a wallet registered to the LEI signs that its owner stands behind an agent."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import jwt
import pytest
from eth_account import Account
from eth_account.messages import encode_defunct
from rest_framework.test import APIClient

from apps.compliance.agents.integrity import verify_all_agents
from apps.compliance.agents.models import Agent, AgentEvent
from apps.compliance.agents.rules.owner_proofs import (
    PROOF_RULES,
    WalletProof,
    find_ending_rule,
    find_refusing_rule,
)
from apps.compliance.payees.models import Registration
from tests.agents.conftest import ALICE, ALICE_LEI, BOB_LEI, OWNED, Acting, Clock
from tests.conftest import NOON
from tests.lei import fake_gleif
from tests.screening.conftest import sample  # noqa: F401

NOW = int(NOON.timestamp())
HERS, OTHER = Account.from_key("0x" + "a1" * 32), Account.from_key("0x" + "b2" * 32)
TRON = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"


# --- the rules ------------------------------------------------------------------------

GOOD: dict[str, Any] = {
    "lei": ALICE_LEI, "registered": True, "held": ALICE_LEI, "readable": True, "signed": True,
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({}, None),
        ({"lei": "", "held": ""}, "proof.no_lei"),
        ({"age": timedelta(minutes=5)}, None),
        ({"age": timedelta(minutes=5, microseconds=1)}, "proof.not_fresh"),
        ({"registered": False, "held": ""}, "proof.not_registered"),
        ({"held": BOB_LEI}, "proof.other_lei"),
        ({"held": ""}, "proof.other_lei"),
        ({"under_review": True}, "proof.under_review"),
        ({"waits": True}, "proof.not_counting"),
        ({"readable": False, "signed": False}, "proof.other_chain"),
        ({"signed": False}, "proof.not_signed"),
    ],
)
def test_a_proof_is_refused_by_the_first_rule_that_holds(change: Any, code: str | None) -> None:
    rule = find_refusing_rule(WalletProof(**GOOD | change))
    assert (rule.code if rule else None) == code


def test_every_rule_is_reached_and_nothing_known_is_no_proof() -> None:
    assert find_refusing_rule(WalletProof()) is PROOF_RULES[0]
    assert len({rule.code for rule in PROOF_RULES}) == len(PROOF_RULES) == 8


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"age": timedelta(days=400), "readable": False, "signed": False}, None),
        ({"registered": False, "held": ""}, "proof.not_registered"),
        ({"held": BOB_LEI}, "proof.other_lei"),
        ({"under_review": True}, "proof.under_review"),
        ({"waits": True}, "proof.not_counting"),
    ],
)
def test_a_proof_that_was_taken_lasts_as_long_as_the_registration_stands(
    change: Any, code: str | None
) -> None:
    rule = find_ending_rule(WalletProof(**GOOD | change))
    assert (rule.code if rule else None) == code


# --- as clients see it ----------------------------------------------------------------


def signed(acting: Acting, by: Any = HERS, **changes: Any) -> dict[str, Any]:
    """Sign the words of docs/agents.md, written from the page."""
    said = {"wallet": by.address, "lei": ALICE_LEI, "agent": acting.id, "at": NOW} | changes
    words = (
        f"The wallet {said['wallet']}, registered to LEI {said['lei']}, stands behind the agent "
        f"{said['agent']}.\nSigned at {said['at']}."
    )
    signature = by.sign_message(encode_defunct(text=words)).signature.to_0x_hex()
    return {"wallet": said["wallet"], "signature": signature, "signedAt": said["at"]}


@pytest.fixture
def registrar(sample: Any, administrator: APIClient, gleif: Any) -> Callable[..., Any]:  # noqa: F811
    """Register a wallet: hers, to Alice's LEI, unless said otherwise."""
    gleif.add(fake_gleif.record(BOB_LEI, "Bob Shipping SA"))

    def call(wallet: str = HERS.address, **changes: Any) -> Any:
        body = {"walletAddress": wallet, "legalName": ALICE, "lei": ALICE_LEI, "country": "DE"}
        answer = administrator.post("/compliance/register", body | changes, format="json")
        assert answer.status_code == 201, answer.content
        return answer.json()

    return call


def test_an_owner_who_signed_is_verified(
    register: Callable[..., Acting], registrar: Callable[..., Any]
) -> None:
    registrar()
    agent = register(ownerLei=ALICE_LEI)
    assert agent.verify().json()["credential"]["attestation"]["ownerVerified"] is False
    proof = signed(agent)
    body = agent.verify(ownerProof=proof).json()
    assert body["credential"]["attestation"]["ownerVerified"] is True and "proofNote" not in body
    claims = jwt.decode(body["credentialJwt"], options={"verify_signature": False})
    assert claims["wallet"] == HERS.address and agent.record()["ownerVerified"] is True
    data = AgentEvent.objects.get(step="PROVED").data
    assert (data["wallet"], data["signature"]) == (HERS.address, proof["signature"])
    assert data["registration"] == Registration.objects.get().pk and str(NOW) in data["statement"]
    assert agent.verify().json()["credential"]["attestation"]["ownerVerified"] is True


def test_a_wallet_may_be_written_in_small_letters(
    register: Callable[..., Acting], registrar: Callable[..., Any]
) -> None:
    registrar()
    agent = register(ownerLei=ALICE_LEI)
    told = agent.verify(ownerProof=signed(agent, wallet=HERS.address.lower()))
    assert told.status_code == 200 and Agent.objects.get().owner_wallet == HERS.address


def refused(agent: Acting, proof: Any) -> str:
    answer = agent.verify(ownerProof=proof)
    assert (answer.status_code, answer.json()["code"]) == (422, "proof_refused")
    assert agent.record()["ownerVerified"] is False
    return str(answer.json()["detail"])


def test_what_does_not_hold_is_refused_and_says_why(
    register: Callable[..., Acting], registrar: Callable[..., Any]
) -> None:
    registrar()
    registrar(OTHER.address, legalName="Bob Shipping SA", lei=BOB_LEI)
    registrar(TRON)
    agent = register(ownerLei=ALICE_LEI)
    nobody = Account.from_key("0x" + "c3" * 32)
    for proof, says in (
        (signed(agent, at=NOW - 301), "five minutes"),
        (signed(agent, at=NOW + 301), "five minutes"),
        (signed(agent, nobody), "has no registration"),
        (signed(agent, wallet="not an address"), "has no registration"),
        (signed(agent, OTHER), "not registered to the LEI"),
        (signed(agent, wallet=TRON), "EVM"),
        (signed(agent, agent="agt_another"), f"stands behind the agent {agent.id}"),
        (signed(agent, lei=BOB_LEI), "does not match"),
        (signed(agent) | {"signedAt": NOW - 1}, "does not match"),
        (signed(agent, OTHER, wallet=HERS.address), "does not match"),
        (signed(agent) | {"signature": "0x"}, "does not match"),
    ):
        assert says in refused(agent, proof), proof
    assert agent.verify(ownerProof=signed(agent)).status_code == 200


def test_without_an_lei_there_is_nothing_to_prove(
    register: Callable[..., Acting], registrar: Callable[..., Any]
) -> None:
    registrar(lei=None)
    agent = register(**OWNED)
    assert "stated no LEI" in refused(agent, signed(agent, lei=""))


def test_a_wallet_under_review_proves_nothing(
    register: Callable[..., Acting], registrar: Callable[..., Any]
) -> None:
    assert registrar(legalName="Somebody Else Ltd")["underReview"] is True
    agent = register(ownerLei=ALICE_LEI)
    assert "under review" in refused(agent, signed(agent))


def test_an_owner_whose_wallet_is_deactivated_is_verified_no_more(
    register: Callable[..., Acting], registrar: Callable[..., Any], administrator: APIClient
) -> None:
    registrar()
    agent, other = register(ownerLei=ALICE_LEI), register(ownerLei=ALICE_LEI)
    for one in (agent, other):
        assert one.verify(ownerProof=signed(one)).status_code == 200
    assert administrator.delete(f"/compliance/register/{HERS.address}").status_code == 200
    body = agent.verify().json()
    assert body["credential"]["attestation"]["ownerVerified"] is False
    assert "has no registration" in body["proofNote"] and agent.record()["ownerVerified"] is False
    claims = jwt.decode(body["credentialJwt"], options={"verify_signature": False})
    assert "wallet" not in claims
    ended = AgentEvent.objects.get(step="UNPROVED").data
    assert (ended["was"], ended["rule"]) == (HERS.address, "proof.not_registered")
    assert list(verify_all_agents(lambda _: None)) == []
    assert "proofNote" not in agent.verify().json()  # it is told once
    registrar()  # registered anew, the wallet may prove anew
    proved = agent.verify(ownerProof=signed(agent)).json()
    assert proved["credential"]["attestation"]["ownerVerified"] is True


def test_an_owner_whose_lei_lapsed_is_verified_no_more(
    register: Callable[..., Acting], registrar: Callable[..., Any], gleif: Any, clock: Clock
) -> None:
    gleif.add(fake_gleif.record(ALICE_LEI, ALICE, nextRenewalDate="2026-11-20T23:00:00Z"))
    registrar()
    agent = register(ownerLei=ALICE_LEI)
    agent.verify(ownerProof=signed(agent))
    clock.now = NOON + timedelta(days=1)
    body = agent.verify().json()
    assert body["credential"]["attestation"]["ownerVerified"] is False


def test_a_registration_that_somebody_altered_proves_nothing(
    register: Callable[..., Acting], registrar: Callable[..., Any]
) -> None:
    registrar(OTHER.address, legalName="Bob Shipping SA", lei=BOB_LEI)
    Registration.objects.update(lei=ALICE_LEI)
    agent = register(ownerLei=ALICE_LEI)
    answer = agent.verify(ownerProof=signed(agent, OTHER))
    assert (answer.status_code, answer.json()["code"]) == (503, "registration_unproved")
    assert agent.record()["ownerVerified"] is False


@pytest.mark.parametrize(
    "waits",
    [{"effective_at": NOON + timedelta(hours=1)}, {"pending": {"lei": True}}],
    ids=["cooling off", "the LEI waits"],
)
def test_a_registration_that_does_not_count_yet_proves_nothing(
    register: Callable[..., Acting], registrar: Callable[..., Any], monkeypatch: Any, waits: Any
) -> None:
    registrar()
    agent = register(ownerLei=ALICE_LEI)
    assert agent.verify(ownerProof=signed(agent)).status_code == 200
    Registration.objects.update(**waits)
    monkeypatch.setattr(
        "apps.compliance.payees.selectors.registrations.verify_registrations", lambda rows: rows
    )
    refused = agent.verify(ownerProof=signed(agent))
    assert (refused.status_code, refused.json()["code"]) == (422, "proof_refused")
    assert "does not count yet" in refused.json()["detail"]
    body = agent.verify().json()
    assert body["credential"]["attestation"]["ownerVerified"] is False


# --- what an owner allows ---------------------------------------------------------------


def allowing(acting: Acting, terms: str, by: Any = HERS) -> dict[str, Any]:
    """Sign that an agent may have these limits, in the words of docs/agents.md."""
    words = (
        f"The wallet {by.address}, registered to LEI {ALICE_LEI}, allows the agent {acting.id} "
        f"{terms}.\nSigned at {NOW}."
    )
    signature = by.sign_message(encode_defunct(text=words)).signature.to_0x_hex()
    return {"wallet": by.address, "signature": signature, "signedAt": NOW}


LIMITS = (
    "maxNotionalUsd 2500, dailyCapUsd none, currencyPairs any, counterpartyWhitelist anybody, "
    "esgFloor 0"
)


def test_an_owner_lifts_the_limits_that_it_signed(
    register: Callable[..., Acting], registrar: Callable[..., Any]
) -> None:
    registrar()
    agent = register(ownerLei=ALICE_LEI, mandate={"maxNotionalUsd": 1000})
    told = agent.mandate(maxNotionalUsd=2500, ownerProof=allowing(agent, LIMITS))
    assert (told.status_code, told.json()["maxNotionalUsd"]) == (200, 2500)


@pytest.mark.parametrize("proof", ["of the agent", "of other terms", "of another wallet"])
def test_another_proof_lifts_nothing(
    register: Callable[..., Acting], registrar: Callable[..., Any], proof: str
) -> None:
    registrar()
    agent = register(ownerLei=ALICE_LEI, mandate={"maxNotionalUsd": 1000})
    given = {
        "of the agent": lambda: signed(agent),
        "of other terms": lambda: allowing(agent, LIMITS.replace("2500", "2499")),
        "of another wallet": lambda: allowing(agent, LIMITS, OTHER),
    }[proof]()
    told = agent.mandate(maxNotionalUsd=2500, ownerProof=given)
    assert (told.status_code, told.json()["code"]) == (422, "proof_refused")
    assert agent.record()["mandate"]["maxNotionalUsd"] == 1000


def test_the_refusal_says_which_words_to_sign(
    register: Callable[..., Acting], registrar: Callable[..., Any]
) -> None:
    registrar()
    agent = register(ownerLei=ALICE_LEI, mandate={"maxNotionalUsd": 1000})
    body = agent.mandate(maxNotionalUsd=2500, ownerProof=signed(agent)).json()
    assert LIMITS in body["detail"]
