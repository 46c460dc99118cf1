"""Secrets of callbacks: each owner's own, two live while rotating, never kept or logged."""

import hashlib
import hmac
import logging
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings as configured
from django.core import serializers

from apps.payments.callbacks import signing_secrets
from apps.payments.callbacks.models import Secret
from tests.callbacks.receivers import ALICE, BOB, Receivers, later, run_until, tell
from tests.conftest import NOON

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def signed(key: str, body: bytes) -> str:
    return hmac.new(key.encode(), body, hashlib.sha256).hexdigest()


def test_an_owner_without_a_secret_is_signed_for_by_the_platforms_key(
    receivers: Receivers,
) -> None:
    tell()
    run_until(NOON)
    (call,) = receivers.calls
    assert call.headers["X-SVC-Signature"] == signed(configured.WEBHOOK_SIGNING_KEY, call.content)
    assert "X-SVC-Signature-Next" not in call.headers


def test_while_rotating_both_sign_and_the_old_one_signs_as_specified(receivers: Receivers) -> None:
    issued = signing_secrets.issue_secret(owner=ALICE, by="olga", now=NOON - DAY)
    tell()
    run_until(NOON)
    (call,) = receivers.calls
    assert call.headers["X-SVC-Signature"] == signed(configured.WEBHOOK_SIGNING_KEY, call.content)
    assert call.headers["X-SVC-Signature-Next"] == signed(issued.secret, call.content)


@pytest.mark.parametrize(("after", "next_signs_alone"), [(timedelta(0), False),
    (timedelta(days=7) - timedelta(seconds=1), False), (timedelta(days=7), True)])  # fmt: skip
def test_a_rotation_ends_by_time(after: timedelta, next_signs_alone: bool) -> None:
    issued = signing_secrets.issue_secret(owner=ALICE, by="olga", now=NOON)
    live = signing_secrets.load_live_secrets(owner=ALICE, now=NOON + after)
    own = issued.secret.encode()
    expected = (own, None) if next_signs_alone else (configured.WEBHOOK_SIGNING_KEY.encode(), own)
    assert (live.current, live.following) == expected


def test_a_rotation_ends_by_a_step() -> None:
    issued = signing_secrets.issue_secret(owner=ALICE, by="olga", now=NOON)
    assert signing_secrets.end_secret_rotation(owner=ALICE, now=NOON)
    assert signing_secrets.load_live_secrets(owner=ALICE, now=NOON) == signing_secrets.LiveSecrets(
        issued.secret.encode()
    )
    assert not signing_secrets.end_secret_rotation(owner=ALICE, now=NOON)


def test_there_is_no_third_secret_while_two_sign() -> None:
    signing_secrets.issue_secret(owner=ALICE, by="olga", now=NOON)
    with pytest.raises(signing_secrets.RotationInProgress):
        signing_secrets.issue_secret(owner=ALICE, by="olga", now=NOON + DAY)
    second = signing_secrets.issue_secret(owner=ALICE, by="olga", now=NOON + 7 * DAY)
    assert second.generation == 2
    live = signing_secrets.load_live_secrets(owner=ALICE, now=NOON + 8 * DAY)
    assert live.following == second.secret.encode()
    assert live.current == signing_secrets.derive_secret(owner=ALICE, generation=1).encode()


def test_a_leaked_secret_is_replaced_without_an_overlap() -> None:
    issued = signing_secrets.issue_secret(owner=ALICE, by="olga", now=NOON, overlap=timedelta(0))
    assert signing_secrets.load_live_secrets(owner=ALICE, now=NOON) == signing_secrets.LiveSecrets(
        issued.secret.encode()
    )


@pytest.mark.parametrize("days", [-1, 91])
def test_an_overlap_has_its_bounds(days: int) -> None:
    with pytest.raises(ValueError, match="90 days"):
        signing_secrets.issue_secret(owner=ALICE, by="olga", now=NOON, overlap=timedelta(days=days))


def test_secrets_differ_by_owner_and_generation_and_follow_the_platforms_key(
    settings: Any,
) -> None:
    secrets = {
        signing_secrets.derive_secret(owner=o, generation=g)
        for o in (ALICE, BOB, "account:11")
        for g in (1, 2)
    }
    assert len(secrets) == 6
    settings.WEBHOOK_SIGNING_KEY = "another"  # handed out: nobody may derive anything by it
    assert signing_secrets.derive_secret(owner=ALICE, generation=1) in secrets
    settings.SECRET_KEY = "another" * 9
    assert signing_secrets.derive_secret(owner=ALICE, generation=1) not in secrets


def test_an_owners_secret_signs_its_callbacks_alone(receivers: Receivers) -> None:
    signing_secrets.issue_secret(owner=ALICE, by="olga", now=NOON, overlap=timedelta(0))
    tell(owner=BOB)
    run_until(NOON)
    (call,) = receivers.calls
    assert call.headers["X-SVC-Signature"] == signed(configured.WEBHOOK_SIGNING_KEY, call.content)


def test_no_secret_is_in_the_database_or_in_a_log(receivers: Receivers, caplog: Any) -> None:
    with caplog.at_level(logging.DEBUG):
        issued = signing_secrets.issue_secret(owner=ALICE, by="olga", now=NOON)
        tell()
        run_until(NOON)
    kept = serializers.serialize("json", Secret.objects.all())
    for text in (kept, caplog.text):
        assert issued.secret not in text and configured.WEBHOOK_SIGNING_KEY not in text


def test_the_second_signature_covers_time_and_event_by_each_live_secret(
    receivers: Receivers,
) -> None:
    issued = signing_secrets.issue_secret(owner=ALICE, by="olga", now=NOON)
    subject = uuid4()
    published_event = tell(subject=subject)
    run_until(later(seconds=1))
    (call,) = receivers.calls
    moment = call.headers["X-SVC-Timestamp"]
    stated = f"{moment}.{published_event.event}.".encode() + call.content
    proofs = [
        hmac.new(key.encode(), stated, hashlib.sha256).hexdigest()
        for key in (configured.WEBHOOK_SIGNING_KEY, issued.secret)
    ]
    said = f"t={moment},id={published_event.event},v1={proofs[0]},v1={proofs[1]}"
    assert call.headers["X-SVC-Signature-V1"] == said
    assert call.headers["X-SVC-PaymentId"] == str(subject)
