"""The headers of a callback, which prove to its receiver that it is authentic and recent."""

import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from apps.payments.callbacks.signing_secrets import LiveSecrets

# descriptions of the headers for documents; those of a rotation are sent while it lasts
SIGNED_HEADERS: Mapping[str, str] = {
    "X-SVC-Signature": "HMAC-SHA256 of the raw body with your secret, in hexadecimal.",
    "X-SVC-PaymentId": "The svcPaymentId.",
    "X-SVC-Timestamp": "When this attempt was sent, in Unix seconds.",
    "X-SVC-Signature-V1": "`t=<timestamp>,id=<event id>,v1=<hex>`: an HMAC-SHA256 of "
    "`<timestamp>.<event id>.<raw body>`; one `v1` for each live secret.",
    "X-SVC-EventId": "The event: the same at every attempt and every resend.",
    "X-SVC-Event": "What happened: payment.settled, payment.blocked or payment.failed.",
    "X-SVC-Attempt": "The number of this attempt, from 1.",
}
USER_AGENT = "compliance-oracle/1 (callbacks)"


def build_signed_headers(
    *,
    body: bytes,
    live: LiveSecrets,
    event: UUID,
    name: str,
    subject: UUID,
    attempt: int,
    now: datetime,
) -> dict[str, str]:
    """Return the headers of one attempt.

    `X-SVC-Signature` and `X-SVC-PaymentId` are document 2 section 6: the HMAC covers the raw body
    and nothing else. `X-SVC-Signature-V1` covers time and event as well, once for each live secret,
    so that a receiver can refuse old and repeated callbacks. During a rotation,
    `X-SVC-Signature-Next` is the specified signature with the new secret.
    """
    moment = int(now.timestamp())
    # the time of this attempt, not of the event: a receiver refuses by it what is too old
    stated = f"{moment}.{event}.".encode() + body
    keys = [live.current] + ([live.following] if live.following else [])
    proofs = ",".join(f"v1={sign_message(key, stated)}" for key in keys)
    signed_headers = {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        # during a rotation with the old secret, which a receiver knows that has not changed yet
        "X-SVC-Signature": sign_message(live.current, body),
        "X-SVC-PaymentId": str(subject),
        "X-SVC-Timestamp": str(moment),
        "X-SVC-Signature-V1": f"t={moment},id={event},{proofs}",
        "X-SVC-EventId": str(event),
        "X-SVC-Event": name,
        "X-SVC-Attempt": str(attempt),
    }
    if live.following:
        signed_headers["X-SVC-Signature-Next"] = sign_message(live.following, body)
    return signed_headers


def sign_message(key: bytes, message: bytes) -> str:
    """Return the HMAC-SHA256 of a message, in hexadecimal."""
    return hmac.new(key, message, hashlib.sha256).hexdigest()
