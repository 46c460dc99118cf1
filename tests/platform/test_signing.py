"""Attestations: rotation of keys, altered statements, and what JWKS readers get."""

import base64
from decimal import Decimal
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.core.exceptions import ImproperlyConfigured

from apps.platform.crypto import signatures
from apps.platform.crypto.canonical import canonical_json

OLD, NEW = f"old:{'11' * 32}", f"new:{'22' * 32}"
STATEMENT = {"entity": "Acme", "score": Decimal("0.5"), "rows": [1, {"a": None}]}


def test_a_statement_holds_and_carries_its_key(settings: Any) -> None:
    settings.ATTESTATION_KEYS = NEW
    attested = signatures.sign_statement(STATEMENT)
    assert attested["signature"]["keyId"] == "new"
    assert attested["signature"]["algorithm"] == "EdDSA"
    assert signatures.is_signed_by_us(attested)


def test_anyone_can_check_it_with_the_published_key(settings: Any) -> None:
    settings.ATTESTATION_KEYS = f"{NEW},{OLD}"
    attested = signatures.sign_statement(STATEMENT)
    key = next(
        k for k in signatures.build_jwks()["keys"] if k["kid"] == attested["signature"]["keyId"]
    )
    assert (key["kty"], key["crv"], key["alg"]) == ("OKP", "Ed25519", "EdDSA")
    public = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(key["x"] + "="))
    value = base64.urlsafe_b64decode(attested["signature"]["value"] + "==")
    public.verify(value, canonical_json(STATEMENT))
    assert "d" not in key and "11" * 32 not in str(signatures.build_jwks())


def test_rotation_signs_with_the_first_and_still_takes_the_others(settings: Any) -> None:
    settings.ATTESTATION_KEYS = OLD
    before = signatures.sign_statement(STATEMENT)
    settings.ATTESTATION_KEYS = f"{NEW}, {OLD}"
    assert signatures.sign_statement(STATEMENT)["signature"]["keyId"] == "new"
    assert signatures.is_signed_by_us(before)
    settings.ATTESTATION_KEYS = NEW
    assert not signatures.is_signed_by_us(before)


@pytest.mark.parametrize(
    "change",
    [
        {"entity": "Acme Ltd"},
        {"score": Decimal("0.50001")},
        {"added": None},
        {"rows": [1, {"a": 0}]},
        {"rows": [{"a": None}, 1]},
        {"score": 0.5},
    ],
)
def test_an_altered_statement_does_not_hold(change: dict[str, Any]) -> None:
    assert not signatures.is_signed_by_us(signatures.sign_statement(STATEMENT) | change)


@pytest.mark.parametrize(
    "change",
    [
        {"value": ""},
        {"value": "AAAA"},
        {"value": "é"},
        {"value": None},
        {"keyId": "other"},
        {"keyId": ["x"]},
        {"algorithm": "none"},
    ],
)
def test_an_altered_signature_does_not_hold(change: dict[str, Any]) -> None:
    attested = signatures.sign_statement(STATEMENT)
    assert not signatures.is_signed_by_us(attested | {"signature": attested["signature"] | change})


@pytest.mark.parametrize("signature", [None, "text", 5, [], {}])
def test_what_is_no_signature_does_not_hold(signature: Any) -> None:
    assert not signatures.is_signed_by_us(STATEMENT | {"signature": signature})
    assert not signatures.is_signed_by_us({})


@pytest.mark.parametrize(
    "keys", ["", "a", "a:zz", "a:" + "1" * 63, ":" + "11" * 32, f"{NEW},{NEW}", f"{NEW},,"]
)
def test_production_refuses_missing_or_bad_keys_with_advice(settings: Any, keys: str) -> None:
    settings.PRODUCTION, settings.ATTESTATION_KEYS = True, keys
    with pytest.raises(ImproperlyConfigured, match=r"ATTESTATION_KEYS .*(set it|write)"):
        signatures.sign_statement(STATEMENT)


def test_the_sandbox_derives_its_key_from_its_secret(settings: Any) -> None:
    settings.ATTESTATION_KEYS = ""
    attested = signatures.sign_statement(STATEMENT)
    assert attested["signature"]["keyId"] == "sandbox" and signatures.is_signed_by_us(attested)
    settings.SECRET_KEY = "another secret of another sandbox"
    assert not signatures.is_signed_by_us(attested)
