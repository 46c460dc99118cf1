"""Bank-Signature: the published vectors, and ours (document 2 section 5)."""

import json
from contextlib import nullcontext
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from apps.payments.banking.encryption import check_encryption_settings
from apps.payments.banking.rules.webhook_signatures import (
    WINDOW_SECONDS,
    build_signature_header,
    find_signature_fault,
    sign_body,
)
from apps.platform.common.clock import now
from tests.banking.webhook_deliveries import event, post
from tests.shared_data import folder

SECRET, BODY, AT = "whk_test_4d1f", b'{"id":"1"}', 1_795_000_000
V1 = sign_body(secret=SECRET, at=AT, body=BODY)
PUBLISHED = folder() / "bank" / "webhook_signature_vectors.json"
VECTORS: list[dict[str, Any]] = (
    json.loads(PUBLISHED.read_text(encoding="utf-8"))["signature_vectors"]
    if PUBLISHED.exists()
    else []
)


def why(
    sent: str, *, body: bytes = BODY, now: int = AT, secrets: tuple[str, ...] = (SECRET,)
) -> str:
    return find_signature_fault(sent=sent, body=body, secrets=secrets, now=now)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda one: one["name"])
def test_a_published_vector_comes_out_as_published(vector: dict[str, Any]) -> None:
    found = why(
        vector["header"],
        body=vector["body"].encode(),
        now=vector["now"],
        secrets=(vector["secret"],),
    )
    expected = vector["expected"]
    assert expected == "IMPLEMENTATION_DEFINED" or (found == "") is (expected == "ACCEPT")


def test_a_signature_is_that_of_the_secret_as_text() -> None:
    # printf '1735689600.{}' | openssl dgst -sha256 -hmac secret
    expected = "bb3efca2cccfb3880e5a86f476e669209a304cdedc1ca0e5e94f5a544e91f326"
    assert sign_body(secret="secret", at=1735689600, body=b"{}") == expected


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        (f"t={AT},v1={V1}", ""),
        (f"v1={V1},t={AT}", ""),
        (f"t={AT}, v1={V1}", ""),
        (f"t={AT},v0=deadbeef,v1={V1}", ""),
        (f"t={AT},v1={'0' * 64},v1={V1}", ""),
        (f"t={AT},v1={V1.upper()}", "WRONG"),
        (f"t={AT},v1={V1[:-2]}", "WRONG"),
        (f"t={AT},v1=é{V1[1:]}", "WRONG"),
        (f"t={AT},v1=\ud800", "WRONG"),
        (f"t={AT + 1},v1={V1}", "WRONG"),
        (f"t={AT},t={AT},v1={V1}", "MALFORMED"),
        (f"t={AT}", "MALFORMED"),
        (f"v1={V1}", "MALFORMED"),
        (f"t=-{AT},v1={V1}", "MALFORMED"),
        (f"t=٣{AT},v1={V1}", "MALFORMED"),
        (f"t={'9' * 13},v1={V1}", "MALFORMED"),
        ("v1=,t=abc,,=", "MALFORMED"),
        ("," * 100 + f"t={AT},v1={V1}", "MALFORMED"),
        ("", "MALFORMED"),
    ],
)
def test_a_header_is_read_part_by_part(sent: str, found: str) -> None:
    assert why(sent) == found


@pytest.mark.parametrize("off", [0, WINDOW_SECONDS, -WINDOW_SECONDS])
def test_within_300_seconds_to_either_side_a_delivery_is_taken(off: int) -> None:
    assert why(f"t={AT},v1={V1}", now=AT + off) == ""


@pytest.mark.parametrize("off", [WINDOW_SECONDS + 1, -WINDOW_SECONDS - 1])
def test_beyond_300_seconds_to_either_side_it_is_stale(off: int) -> None:
    assert why(f"t={AT},v1={V1}", now=AT + off) == "STALE"


def test_while_a_secret_is_changed_both_are_taken_and_without_one_none() -> None:
    assert why(f"t={AT},v1={V1}", secrets=("another", SECRET)) == ""
    assert why(f"t={AT},v1={V1}", secrets=()) == "WRONG"


@pytest.mark.django_db
@pytest.mark.parametrize("sent", ["", "nonsense", "t=1,v1=é", f"t={AT},v1={V1}"])
def test_the_webhook_refuses_a_signature_that_does_not_hold(sent: str) -> None:
    answer = post(b"{}", sent=sent)
    assert (answer.status_code, answer.json()["code"]) == (401, "bad_signature")


@pytest.mark.django_db
@pytest.mark.parametrize(("off", "status"), [(-295, 200), (295, 200), (-305, 401), (305, 401)])
def test_the_webhook_takes_what_was_signed_within_300_seconds(off: int, status: int) -> None:
    raw = json.dumps(event()).encode()
    assert post(raw, at=off).status_code == status


@pytest.mark.django_db
def test_the_raw_bytes_are_what_is_proved() -> None:
    raw = json.dumps(event(), indent=1).encode()
    held = header_of(raw)
    assert post(raw, sent=held).status_code == 200
    assert post(json.dumps(json.loads(raw)).encode(), sent=held).status_code == 401


def header_of(raw: bytes) -> str:
    return build_signature_header(
        secret=settings.BANK_WEBHOOK_SECRET, at=int(now().timestamp()), body=raw
    )


@pytest.mark.parametrize(
    ("secret", "weak"),
    [
        ("", False),
        ("s" * 16, False),
        ("s" * 15, True),
        (f"{'s' * 16},{'t' * 16}", False),
        (f"{'s' * 16},{'t' * 15}", True),
        (f"{'s' * 10},{'t' * 10}", True),
    ],
)
def test_in_production_each_secret_of_a_change_is_long_enough(
    settings: Any, secret: str, weak: bool
) -> None:
    settings.PRODUCTION, settings.BANK_WEBHOOK_SECRET = True, secret
    with pytest.raises(ImproperlyConfigured) if weak else nullcontext():
        check_encryption_settings()
