"""Credentials: what they say, who can check them, and when they count no more."""

import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from rest_framework.test import APIClient

from apps.compliance.agents import credentials
from apps.compliance.agents.credential_claims import canonical_credential
from apps.compliance.agents.models import Agent, AgentEvent, Credential
from apps.compliance.agents.problems import AgentRevoked, CredentialExpired, CredentialInvalid
from apps.platform.crypto.signatures import build_jwks, signing_keys
from tests.agents.conftest import ALICE, ALICE_LEI, BOB_LEI, OWNED, Acting, Clock
from tests.conftest import NOON
from tests.lei import fake_gleif

HOUR = timedelta(hours=1)
TINY = timedelta(milliseconds=1)


def encoded(credential: Any) -> str:
    return base64.b64encode(json.dumps(credential).encode()).decode()


def test_a_credential_lasts_an_hour_in_milliseconds(register: Callable[..., Acting]) -> None:
    agent = register(**OWNED)
    body = agent.verify().json()
    credential = body["credential"]
    assert body["verified"] is True and credential["agentId"] == agent.id
    assert credential["issuedAt"] == int(NOON.timestamp()) * 1000
    assert credential["expiresAt"] - credential["issuedAt"] == 3_600_000
    assert credential["attestation"] == {
        "kyaLevel": "REGISTERED",
        "ownerVerified": False,
        "mandateActive": False,
        "fatfCompliant": False,
        "dailyCapUsd": 25000,
        "maxNotionalUsd": 25000,
    }


def test_a_verified_agent_with_a_mandate_is_compliant(register: Callable[..., Acting]) -> None:
    agent = register(ownerLei=ALICE_LEI)
    bare = agent.verify().json()["credential"]
    assert bare["attestation"]["dailyCapUsd"] is None and bare["mandateId"] is None
    assert bare["attestation"]["fatfCompliant"] is False
    body = agent.mandate(maxNotionalUsd=90000, dailyCapUsd=400000.5).json()
    credential = agent.verify().json()["credential"]
    assert credential["mandateId"] == body["mandateId"]
    assert (
        credential["attestation"]["fatfCompliant"]
        is credential["attestation"]["mandateActive"]
        is True
    )
    assert credential["attestation"]["dailyCapUsd"] == 400000.5


FORMS: dict[str, Callable[[Any], str]] = {
    "json": lambda told: json.dumps(told["credential"], indent=1),
    "base64": lambda told: encoded(told["credential"]),
    "base64url without padding": lambda told: (
        encoded(told["credential"]).replace("+", "-").replace("/", "_").rstrip("=")
    ),
    "jwt": lambda told: str(told["credentialJwt"]),
}
each_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


@each_form
def test_a_credential_counts_up_to_its_end_and_no_longer(
    register: Callable[..., Acting], form: Callable[[Any], str]
) -> None:
    agent = register(ownerLei=ALICE_LEI)
    agent.mandate(dailyCapUsd=400000.5)
    text = form(agent.verify().json())
    for moment in (NOON, NOON + HOUR - TINY):
        verified_credential = credentials.verify_credential(text, now=moment)
        assert (
            verified_credential.agent.agent_id == agent.id
            and verified_credential.claims["attestation"]["fatfCompliant"]
        )
    for moment in (NOON + HOUR, NOON + 2 * HOUR):
        with pytest.raises(CredentialExpired):
            credentials.verify_credential(text, now=moment)


@each_form
def test_a_credential_counts_from_a_minute_before_it_was_issued_for_clocks_differ(
    register: Callable[..., Acting], form: Callable[[Any], str]
) -> None:
    text = form(register().verify().json())
    leeway = timedelta(minutes=1)
    assert credentials.verify_credential(text, now=NOON - leeway)
    with pytest.raises(CredentialInvalid):
        credentials.verify_credential(text, now=NOON - leeway - TINY)


@each_form
def test_a_credential_of_a_revoked_agent_counts_no_more_at_once(
    register: Callable[..., Acting], form: Callable[[Any], str]
) -> None:
    agent = register()
    text = form(agent.verify().json())
    agent.revoke()
    with pytest.raises(AgentRevoked) as refused:
        credentials.verify_credential(text, now=NOON)
    assert (refused.value.status, refused.value.code) == (403, "agent_revoked")


@pytest.mark.parametrize(
    "change",
    [
        {"agentId": "agt_another"},
        {"expiresAt": 9_999_999_999_999},
        {"issuedAt": 0},
        {"mandateId": "mnd_other"},
        {"strange": True},
        {"signature": "0" * 64},
        {"signature": None},
        {"signature": "\u00e9"},
        {"attestation": None},
        {"attestation": {}},
        {"jti": "x"},
    ],
)
def test_an_altered_credential_is_refused(register: Callable[..., Acting], change: Any) -> None:
    credential = register(**OWNED).verify().json()["credential"]
    for text in (json.dumps(credential | change), encoded(credential | change)):
        with pytest.raises(CredentialInvalid):
            credentials.verify_credential(text, now=NOON)


@pytest.mark.parametrize("name", ["kyaLevel", "dailyCapUsd", "maxNotionalUsd", "fatfCompliant"])
@pytest.mark.parametrize("value", ["VERIFIED", "1e999999", 10**30, None, True, 25000.5])
def test_an_altered_attestation_is_refused(
    register: Callable[..., Acting], name: str, value: Any
) -> None:
    credential = register(**OWNED).verify().json()["credential"]
    credential["attestation"][name] = value
    with pytest.raises(CredentialInvalid):
        credentials.verify_credential(json.dumps(credential), now=NOON)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", "null", "a.b.c", "....", "Bearer x", "ÿ", "{" * 9000, "eyJ9", "A" * 9000],
)
def test_what_is_no_credential_is_refused(text: str) -> None:
    with pytest.raises(CredentialInvalid):
        credentials.verify_credential(text, now=NOON)


def test_a_credential_that_was_never_issued_is_refused(register: Callable[..., Acting]) -> None:
    """Signed by us and not on record: whoever holds a key still cannot make one."""
    from apps.compliance.agents.credential_claims import sign_credential

    told = register().verify().json()["credential"] | {"jti": str(uuid4())}
    told["signature"] = sign_credential(
        {name: v for name, v in told.items() if name != "signature"}
    )
    with pytest.raises(CredentialInvalid):
        credentials.verify_credential(json.dumps(told), now=NOON)


def test_the_canonical_form_is_as_documented(register: Callable[..., Acting]) -> None:
    credential = register(**OWNED).verify().json()["credential"]
    attested = credential["attestation"]
    text = (
        f'{{"agentId":"{credential["agentId"]}","attestation":{{"dailyCapUsd":"25000",'
        '"fatfCompliant":false,"kyaLevel":"REGISTERED","mandateActive":false,'
        '"maxNotionalUsd":"25000","ownerVerified":false},'
        f'"expiresAt":{credential["expiresAt"]},"issuedAt":{credential["issuedAt"]},'
        f'"jti":"{credential["jti"]}","mandateId":null}}'
    )
    exact = credential | {"attestation": {**attested, "dailyCapUsd": Decimal("25000.000")}}
    assert canonical_credential(credential) == canonical_credential(exact) == text.encode()
    assert len(credential["signature"]) == hashlib.sha256().digest_size * 2
    assert hmac.new(b"guessed", text.encode(), "sha256").hexdigest() != credential["signature"]


# --- the JWT ------------------------------------------------------------------------


def test_anybody_checks_the_jwt_with_the_published_keys(register: Callable[..., Acting]) -> None:
    agent = register(ownerLei=ALICE_LEI)
    answer = agent.verify(audience="https://shop.example").json()
    published = APIClient().get("/compliance/.well-known/jwks.json").json()["keys"]
    header = jwt.get_unverified_header(answer["credentialJwt"])
    [public] = [one for one in published if one["kid"] == header["kid"]]
    said = jwt.decode(
        answer["credentialJwt"],
        jwt.PyJWK(public),
        algorithms=["EdDSA"],
        audience="https://shop.example",
        issuer="compliance-oracle",
        options={"verify_exp": False, "verify_iat": False},
    )
    assert header["typ"] == "kya-credential+jwt" and said["sub"] == agent.id
    credential = answer["credential"]
    assert {name: said[name] for name in credential if name != "signature"} == {
        name: value for name, value in credential.items() if name != "signature"
    }
    assert (said["iat"], said["exp"]) == (
        credential["issuedAt"] // 1000,
        credential["expiresAt"] // 1000,
    )
    assert "cnf" not in said


def test_a_jwt_for_another_audience_does_not_count_here(register: Callable[..., Acting]) -> None:
    body = register().verify(audience="https://shop.example").json()
    with pytest.raises(CredentialInvalid):
        credentials.verify_credential(body["credentialJwt"], now=NOON)
    verified_credential = credentials.verify_credential(
        body["credentialJwt"], now=NOON, audience="https://shop.example"
    )
    assert verified_credential.credential.audience == "https://shop.example"


def _again(token: str, *, key: Any = None, kid: str | None = None, **changes: Any) -> str:
    name, ours = next(iter(signing_keys().items()))
    said = jwt.decode(token, options={"verify_signature": False}) | changes
    headers = {"kid": kid or name, "typ": changes.pop("typ", "kya-credential+jwt")}
    return jwt.encode(said, key or ours, algorithm="EdDSA", headers=headers)


def test_a_jwt_of_another_key_type_or_kind_is_refused(register: Callable[..., Acting]) -> None:
    token = register().verify().json()["credentialJwt"]
    stranger = Ed25519PrivateKey.generate()
    public = build_jwks()["keys"][0]["x"]
    bad = [
        _again(token, key=stranger),
        _again(token, kid="another"),
        _again(token, typ="vop+jwt"),
        _again(token, iss="somebody"),
        _again(token, jti=str(uuid4())),
        _again(token, agentId="agt_another"),
        token[:-4] + ("AAAA" if token[-4:] != "AAAA" else "BBBB"),
        jwt.encode({"sub": "x"}, public, algorithm="HS256", headers={"kid": "sandbox"}),
        jwt.encode({"sub": "x"}, "", algorithm="none"),
    ]
    assert credentials.verify_credential(_again(token), now=NOON)
    for text in bad:
        with pytest.raises(CredentialInvalid):
            credentials.verify_credential(text, now=NOON)


def test_after_a_rotation_of_keys_the_old_jwt_still_counts(
    register: Callable[..., Acting], settings: Any
) -> None:
    settings.ATTESTATION_KEYS = "a:" + "1" * 64
    token = register().verify().json()["credentialJwt"]
    settings.ATTESTATION_KEYS = "b:" + "2" * 64 + ",a:" + "1" * 64
    assert credentials.verify_credential(token, now=NOON)
    settings.ATTESTATION_KEYS = "b:" + "2" * 64
    with pytest.raises(CredentialInvalid):
        credentials.verify_credential(token, now=NOON)


# --- levels that move, and agents that end -------------------------------------------


def test_the_lei_is_looked_at_again_and_a_level_that_fell_is_told(
    register: Callable[..., Acting], gleif: Any, clock: Clock
) -> None:
    gleif.add(fake_gleif.record(ALICE_LEI, ALICE, nextRenewalDate="2026-11-20T23:00:00Z"))
    agent = register(**OWNED, ownerLei=ALICE_LEI)
    assert agent.verify().json()["kyaLevel"] == "VERIFIED"
    clock.later(days=1)
    fallen = agent.verify().json()
    assert (fallen["kyaLevel"], fallen["leiStatus"]) == ("REGISTERED", "LAPSED")
    assert "fell from VERIFIED to REGISTERED" in fallen["tierNote"] and fallen["_next"]
    assert fallen["credential"]["attestation"]["dailyCapUsd"] == 25000
    assert agent.record()["kyaLevel"] == "REGISTERED"
    gleif.add(fake_gleif.record(ALICE_LEI, ALICE, nextRenewalDate="2027-11-20T00:00:00Z"))
    clock.later(days=1)
    risen = agent.verify().json()
    assert risen["kyaLevel"] == "VERIFIED" and "rose from REGISTERED" in risen["tierNote"]
    steps = AgentEvent.objects.filter(step="LEVEL").order_by("pk")
    assert [(step.level, step.data["before"]) for step in steps] == [
        ("REGISTERED", "VERIFIED"),
        ("VERIFIED", "REGISTERED"),
    ]


def test_a_revoked_agent_verifies_as_such_and_gets_nothing(register: Callable[..., Acting]) -> None:
    agent = register(**OWNED)
    ended = agent.revoke()
    assert (ended.status_code, ended.json()["status"]) == (200, "REVOKED")
    assert agent.revoke().json() == ended.json()
    after = agent.verify()
    body = after.json()
    assert (after.status_code, body["verified"], body["status"]) == (200, False, "REVOKED")
    assert body["credential"] is None and body["credentialJwt"] is None
    assert not Credential.objects.exists() and agent.record()["status"] == "REVOKED"
    refused = agent.mandate(dailyCapUsd=5)
    assert (refused.status_code, refused.json()["code"]) == (403, "agent_revoked")


def test_the_revoked_are_published_the_last_one_first(
    register: Callable[..., Acting], clock: Clock
) -> None:
    first, second, _ = (register() for _ in range(3))
    first.revoke()
    clock.later(hours=2)
    second.revoke()
    path = "/compliance/agent/revocations"
    body = APIClient().get(path).json()
    assert [row["agentId"] for row in body["items"]] == [second.id, first.id]
    assert body["items"][1]["revokedAt"] == int(NOON.timestamp())
    since = APIClient().get(path, {"revokedFrom": "2026-11-20T13:00:00Z"}).json()
    assert [row["agentId"] for row in since["items"]] == [second.id]
    paged = APIClient().get(path, {"limit": 1}).json()
    assert APIClient().get(paged["next"]).json()["items"][0]["agentId"] == first.id


def test_every_credential_is_on_record(register: Callable[..., Acting]) -> None:
    credential = register(**OWNED).verify().json()["credential"]
    agent_event = AgentEvent.objects.get(step="CREDENTIAL")
    assert (agent_event.about, agent_event.mac_fault()) == (credential["jti"], "")
    assert agent_event.data["attestation"]["dailyCapUsd"] == "25000"
    assert str(Credential.objects.get().jti) == credential["jti"]


# --- who may -------------------------------------------------------------------------


@pytest.mark.parametrize("other", ["ANOTHER", "NOBODY"])
def test_no_agent_acts_for_another_and_learns_nothing(
    register: Callable[..., Acting], other: str
) -> None:
    mine, theirs = register(), register(ownerLei=BOB_LEI)
    number = theirs.id if other == "ANOTHER" else "agt_nobody"
    path = f"/compliance/agent/{number}"
    for answer in (
        mine.client.post(f"{path}/verify"),
        mine.client.delete(path),
        mine.mandate(agentId=number, dailyCapUsd=5),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert not Credential.objects.exists() and theirs.record()["status"] == "ACTIVE"


@pytest.mark.parametrize(
    "header", [None, "", "Bearer svc_agt_x", "Bearer svc_agt_" + "A" * 55, "Basic abc", "Bearer ÿ"]
)
def test_without_the_secret_nobody_gets_in(register: Callable[..., Acting], header: Any) -> None:
    agent = register(**OWNED)
    agent.client.credentials(**({} if header is None else {"HTTP_AUTHORIZATION": header}))
    for answer in (agent.verify(), agent.mandate(dailyCapUsd=5), agent.revoke()):
        assert answer.status_code == 401 and "Bearer" in answer["WWW-Authenticate"]


def test_a_secret_that_differs_in_its_last_letter_is_none(register: Callable[..., Acting]) -> None:
    agent = register()
    last = "a" if agent.secret[-1] != "a" else "b"
    agent.client.credentials(HTTP_AUTHORIZATION=f"Bearer {agent.secret[:-1]}{last}")
    assert agent.verify().json()["code"] == "unknown_key"


def test_an_administrator_acts_for_any_agent(
    register: Callable[..., Acting], administrator: APIClient
) -> None:
    agent = register(**OWNED)
    path = f"/compliance/agent/{agent.id}"
    assert administrator.post(f"{path}/verify").json()["verified"] is True
    body = {"agentId": agent.id, "dailyCapUsd": 5}
    response = administrator.post("/compliance/agent/mandate", body, format="json")
    assert response.status_code == 201 and Agent.objects.get().mandates.get().made_by.startswith(
        "acc"
    )
    unnamed = administrator.post("/compliance/agent/mandate", {"dailyCapUsd": 5}, format="json")
    assert unnamed.status_code == 400 and unnamed.json()["errors"][0]["field"] == "agentId"
    assert administrator.delete(path).json()["status"] == "REVOKED"
    assert agent.verify().json()["verified"] is False


def test_a_repeat_of_verify_is_a_new_credential(register: Callable[..., Acting]) -> None:
    """A stored answer would still say `verified` after the agent was revoked."""
    agent = register()
    path = f"/compliance/agent/{agent.id}/verify"
    key = {"Idempotency-Key": "once"}
    first, again = (agent.client.post(path, headers=key).json() for _ in range(2))
    assert first["credential"]["jti"] != again["credential"]["jti"]
    agent.revoke()
    assert agent.client.post(path, headers=key).json()["verified"] is False
