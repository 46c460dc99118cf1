"""Proof of control of a key that is the agent's own."""

import base64
import hashlib
import json
from collections.abc import Callable
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from jwt.algorithms import ECAlgorithm, OKPAlgorithm

from apps.compliance.agents import key_proofs
from apps.compliance.agents.models import Agent, AgentEvent
from tests.agents.conftest import OWNED, Acting
from tests.conftest import NOON

NOW = int(NOON.timestamp())


def ed25519() -> tuple[Any, dict[str, Any], str]:
    key = Ed25519PrivateKey.generate()
    return key, dict(OKPAlgorithm.to_jwk(key.public_key(), as_dict=True)), "EdDSA"


def p256() -> tuple[Any, dict[str, Any], str]:
    key = ec.generate_private_key(ec.SECP256R1())
    return key, dict(ECAlgorithm.to_jwk(key.public_key(), as_dict=True)), "ES256"


def proof(agent_id: str, made: Any, **changes: Any) -> str:
    key, public, algorithm = made
    typ = changes.pop("typ", "kya-proof+jwt")
    public = changes.pop("jwk", public)
    said = {"aud": "compliance-oracle", "sub": agent_id, "iat": NOW} | changes
    return jwt.encode(said, key, algorithm=algorithm, headers={"typ": typ, "jwk": public})


def thumbprint(public: dict[str, Any]) -> str:
    """RFC 7638 section 3, written from the page."""
    kept = {name: public[name] for name in sorted(public) if name in ("crv", "kty", "x", "y")}
    raw = hashlib.sha256(json.dumps(kept, separators=(",", ":")).encode()).digest()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def test_a_thumbprint_is_that_of_the_rfc() -> None:
    """RFC 8037, appendix A.3."""
    public = {
        "kty": "OKP",
        "crv": "Ed25519",
        "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    }
    assert key_proofs.jwk_thumbprint(public) == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"


@pytest.mark.parametrize("make", [ed25519, p256])
def test_a_key_that_was_proved_is_in_every_later_jwt(
    register: Callable[..., Acting], make: Any
) -> None:
    agent, made = register(**OWNED), make()
    said = [agent.verify(keyProof=proof(agent.id, made)).json(), agent.verify().json()]
    for told in said:
        claims = jwt.decode(told["credentialJwt"], options={"verify_signature": False})
        assert claims["cnf"] == {"jkt": thumbprint(made[1])}
    assert AgentEvent.objects.get(step="PROVED").data["key"] == thumbprint(made[1])


@pytest.mark.parametrize("seconds", [-300, 300])
def test_a_proof_lasts_five_minutes(register: Callable[..., Acting], seconds: int) -> None:
    agent, made = register(), ed25519()
    good = agent.verify(keyProof=proof(agent.id, made, iat=NOW + seconds))
    late = agent.verify(keyProof=proof(agent.id, made, iat=NOW + seconds + seconds // 300))
    assert (good.status_code, late.status_code) == (200, 422)


@pytest.mark.parametrize(
    "change",
    [
        {"typ": "JWT"},
        {"aud": "somebody"},
        {"sub": "agt_another"},
        {"iat": "now"},
        {"iat": None},
        {"jwk": None},
        {"jwk": "x"},
        {"jwk": {"kty": "oct", "k": "c2VjcmV0"}},
        {"jwk": {"kty": "OKP", "crv": "Ed25519"}},
        {"jwk": ed25519()[1]},
        {"jwk": ed25519()[1] | {"d": "AAAA"}},
    ],
)
def test_a_proof_that_does_not_hold_is_refused_and_nothing_is_issued(
    register: Callable[..., Acting], change: Any
) -> None:
    agent = register()
    refused = agent.verify(keyProof=proof(agent.id, ed25519(), **change))
    assert (refused.status_code, refused.json()["code"]) == (422, "proof_refused")
    assert Agent.objects.get().key_thumbprint == ""


@pytest.mark.parametrize("text", ["x", "a.b.c", "eyJhbGciOiJub25lIn0.e30."])
def test_what_is_no_proof_is_refused(register: Callable[..., Acting], text: str) -> None:
    assert register().verify(keyProof=text).status_code == 422
