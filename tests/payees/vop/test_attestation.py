"""Attestations of payee checks: true as they were signed, untrue after any change."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any
from uuid import UUID

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from apps.compliance.payees.rules.payee_check import TIERS
from apps.compliance.payees.vop.attestation import (
    ISSUER,
    TYPE,
    InvalidAttestation,
    digest_submitted_name,
    sign_attestation,
    verify_attestation,
)
from apps.platform.crypto.signatures import build_jwks
from tests.api.endpoint_walk import payer
from tests.conftest import NOON
from tests.payees.registration.conftest import wallet

REQUEST = UUID("11111111-2222-4333-8444-555555555555")
FIRST, SECOND = "a:" + "1" * 64, "b:" + "2" * 64


def signed(**claims: Any) -> str:
    return sign_attestation(
        request_id=REQUEST, claims={"result": "VERIFIED", "score": 97} | claims, now=NOON
    )


def test_an_attestation_says_what_was_found_and_when() -> None:
    attestation = verify_attestation(signed())
    assert (attestation["result"], attestation["score"], attestation["jti"]) == (
        "VERIFIED",
        97,
        str(REQUEST),
    )
    assert attestation["iat"] == int(NOON.timestamp())


def test_a_stranger_verifies_it_with_the_published_keys_alone() -> None:
    token, published = signed(), json.loads(json.dumps(build_jwks()))
    [key] = [
        one for one in published["keys"] if one["kid"] == jwt.get_unverified_header(token)["kid"]
    ]
    told = jwt.decode(token, jwt.PyJWK(key), algorithms=["EdDSA"])
    assert told["result"] == "VERIFIED"


def test_after_a_rotation_what_the_old_key_signed_still_verifies(settings: Any) -> None:
    settings.ATTESTATION_KEYS = FIRST
    old = signed()
    settings.ATTESTATION_KEYS = f"{SECOND},{FIRST}"
    assert jwt.get_unverified_header(signed())["kid"] == "b"
    assert verify_attestation(old)["score"] == 97
    settings.ATTESTATION_KEYS = SECOND
    with pytest.raises(InvalidAttestation, match="key"):
        verify_attestation(old)


@pytest.mark.parametrize("part", [0, 1, 2])
def test_an_altered_part_is_noticed(part: int) -> None:
    pieces = signed().split(".")
    middle = len(pieces[part]) // 2
    other = "A" if pieces[part][middle] != "A" else "B"
    pieces[part] = pieces[part][:middle] + other + pieces[part][middle + 1 :]
    with pytest.raises(InvalidAttestation):
        verify_attestation(".".join(pieces))


@pytest.mark.parametrize(
    "header",
    [{"kid": "sandbox", "typ": "JWT"}, {"typ": TYPE}, {"kid": "another", "typ": TYPE}],
)
def test_a_token_of_another_kind_or_key_is_none(header: dict[str, str]) -> None:
    claims = {"iss": "compliance-oracle", "jti": "1", "iat": 1}
    token = jwt.encode(claims, Ed25519PrivateKey.generate(), algorithm="EdDSA", headers=header)
    with pytest.raises(InvalidAttestation):
        verify_attestation(token)


@pytest.mark.parametrize("algorithm", ["none", "HS256"])
def test_another_algorithm_than_ours_is_refused(algorithm: str) -> None:
    kid = build_jwks()["keys"][0]["kid"]
    key = None if algorithm == "none" else build_jwks()["keys"][0]["x"]
    claims = {"iss": "compliance-oracle", "jti": "1", "iat": 1}
    token = jwt.encode(claims, key, algorithm=algorithm, headers={"kid": kid, "typ": TYPE})
    with pytest.raises(InvalidAttestation):
        verify_attestation(token)


@pytest.mark.parametrize("text", ["", ".", "a.b.c", "x" * 5000, "é.é.é"])
def test_what_is_no_token_is_untrue(text: str) -> None:
    with pytest.raises(InvalidAttestation):
        verify_attestation(text)


def test_a_name_stands_in_it_as_a_digest_that_its_holder_can_check() -> None:
    assert digest_submitted_name("Acme Ltd", REQUEST) == digest_submitted_name("Acme Ltd", REQUEST)
    assert digest_submitted_name("Acme Ltd", REQUEST) != digest_submitted_name("ACME Ltd", REQUEST)
    assert digest_submitted_name("Acme Ltd", REQUEST) != digest_submitted_name(
        "Acme Ltd", UUID(int=1)
    )


def test_the_notes_for_clients_name_every_result_and_every_claim_they_promise() -> None:
    notes = (Path(__file__).parents[3] / "docs" / "api.md").read_text(encoding="utf-8")
    told = notes.partition("**A payee check and what to do with it.**")[2].partition("**Cached")[0]
    assert {tier.result for tier in TIERS} <= set(re.findall(r"[A-Z_]{5,}", told))
    assert TYPE in told and ISSUER in told


@pytest.mark.django_db
def test_who_holds_the_name_finds_it_by_the_recipe_of_the_notes(register: Any) -> None:
    register(1)
    body = {"walletAddress": wallet(1), "submittedName": "  Zoë Traders  "}
    answer = payer("Alice Ltd").post("/compliance/vop/verify", body, format="json").json()
    attestation = verify_attestation(answer["attestation"]["jws"])
    assert (
        attestation["jti"] == answer["requestId"] and attestation["leiCheck"] == answer["leiCheck"]
    )
    named = f"{attestation['jti']}\nZoë Traders".encode()
    assert attestation["submittedNameDigest"] == hashlib.sha256(named).hexdigest()
    assert not {"proceedSafe", "regulatoryNote"} & set(attestation)
