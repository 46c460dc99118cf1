"""Authenticate a counterparty's message by an HMAC of the raw body.

Document 2 section 5: no bearer; header X-SVC-Signature, HMAC-SHA256.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from apps.access.keys import rate_limits
from apps.payments.travelrule import message_headers
from apps.payments.travelrule.directory import selectors, shared_secrets
from apps.platform.api.authentication import Grant, GrantAuthentication, RateLimit
from apps.platform.api.callers import Caller
from apps.platform.api.operations import Access, Operation
from apps.platform.api.parsers import read_signed_body
from apps.platform.common.problems import DomainError

KIND = "COUNTERPARTY"
HEADER = message_headers.SIGNATURE_HEADER
# who a message is from, as records keep it: any holder of a shared key, or the VASP of this LEI
SHARED_SENDER, VASP_PREFIX = "counterparty:shared", "vasp:"
SIGNATURE_LENGTH = 64  # hexadecimal digits of an HMAC-SHA256
RATE = 1200  # messages a minute by one key


class MissingSignature(DomainError):
    """No signature was sent."""

    status, code, title = 401, "missing_signature", "Signature required"


class BadSignature(DomainError):
    """The signature does not match the body under any live key."""

    status, code, title = 401, "bad_signature", "Invalid signature"


class CounterpartyAuthentication(GrantAuthentication):
    """Admit senders of an authenticated message to operations for counterparties."""

    def admit(self, *, operation: Operation, request: HttpRequest, now: datetime) -> Grant | None:
        """Return the counterparty's grant; 401 for an invalid signature."""
        if operation.access.signature != HEADER:
            return None
        sent = request.headers.get(HEADER, "").strip().lower()
        if not sent:
            return None
        sender = identify_signer(
            body=read_signed_body(operation=operation, request=request), signature=sent, now=now
        )
        if not sender:
            # guessing is limited by address: there is no account yet to count against
            rate_limits.count_refused_call(request=request, now=now)
            raise BadSignature("The signature does not match the raw body under any live key.")
        return Grant(Caller(sender, KIND, sender), RateLimit(sender, RATE))

    def challenge(
        self, *, operation: Operation, request: HttpRequest, values: Mapping[str, Any] | None
    ) -> DomainError | None:
        """Say which signature to send."""
        if operation.access.signature != HEADER:
            return None
        return MissingSignature(
            f"Send the header {HEADER}: the HMAC-SHA256 of the raw body, in hexadecimal.",
            headers={"WWW-Authenticate": f'HMAC header="{HEADER}"'},
        )

    def requirements(self, access: Access) -> Iterable[tuple[str, ...]]:
        return [(HEADER,)] if access.signature == HEADER else []

    def problems(self, access: Access) -> tuple[type[DomainError], ...]:
        return (MissingSignature, BadSignature) if access.signature == HEADER else ()


def identify_signer(*, body: bytes, signature: str, now: datetime) -> str:
    """Return the signer of a body, or an empty text."""
    # compare_digest raises for text that is not ASCII
    given_signature = (
        signature if len(signature) == SIGNATURE_LENGTH and signature.isascii() else ""
    )
    signer = ""
    # every key is tried, also after a match: the time tells nothing about which key it was
    for sender, key in load_live_keys(now):
        expected = hmac.new(key, body, hashlib.sha256).hexdigest()
        if hmac.compare_digest(expected, given_signature):
            signer = signer or sender
    return signer


def load_live_keys(now: datetime) -> list[tuple[str, bytes]]:
    """Return the live keys of counterparties, each with its owner.

    They are those of the directory's entries that are valid today, then the shared ones; three
    queries.
    """
    shared = [part.strip() for part in settings.TRAVEL_RULE_SIGNING_KEY.split(",")]
    vasps = shared_secrets.load_live_secrets(selectors.load_live_entries(now.date()))
    own = [(f"{VASP_PREFIX}{lei}", secret) for lei, secrets in vasps.items() for secret in secrets]
    # own keys first: the first match wins, so that a key of the directory identifies the sender
    # even if it is also a shared key
    return [*own, *((SHARED_SENDER, part.encode()) for part in shared if part)]
