"""Authentication of a counterparty: its message is proved by an HMAC of the raw body.

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
SHARED, VASP = "counterparty:shared", "vasp:"
SIGNATURE_LENGTH = 64
RATE = 1200  # messages a minute by one key


class MissingSignature(DomainError):
    """No signature was sent."""

    status, code, title = 401, "missing_signature", "Signature required"


class BadSignature(DomainError):
    """The signature does not match the body under any live key."""

    status, code, title = 401, "bad_signature", "Invalid signature"


class CounterpartyAuthentication(GrantAuthentication):
    """Lets in who proves the body of a message, where the operation is for counterparties."""

    def admit(self, *, operation: Operation, request: HttpRequest, now: datetime) -> Grant | None:
        """Return the counterparty's grant; 401 for a signature that does not hold."""
        if not operation.access.signed:
            return None
        sent = request.headers.get(HEADER, "").strip().lower()
        if not sent:
            return None
        sender = identify_signer(
            body=read_signed_body(operation=operation, request=request), signature=sent, now=now
        )
        if not sender:
            rate_limits.count_refused_call(request=request, now=now)
            raise BadSignature("The signature does not match the raw body under any live key.")
        return Grant(Caller(sender, KIND, sender), RateLimit(sender, RATE))

    def challenge(
        self, *, operation: Operation, request: HttpRequest, values: Mapping[str, Any] | None
    ) -> DomainError | None:
        """Say which signature to send."""
        if not operation.access.signed:
            return None
        return MissingSignature(
            f"Send the header {HEADER}: the HMAC-SHA256 of the raw body, in hexadecimal.",
            headers={"WWW-Authenticate": f'HMAC header="{HEADER}"'},
        )

    def requirements(self, access: Access) -> Iterable[tuple[str, ...]]:
        return [(HEADER,)] if access.signed else []

    def problems(self, access: Access) -> tuple[type[DomainError], ...]:
        return (MissingSignature, BadSignature) if access.signed else ()


def identify_signer(*, body: bytes, signature: str, now: datetime) -> str:
    """Return who proves a body, or an empty text; every live key is tried, in constant time."""
    given = signature if len(signature) == SIGNATURE_LENGTH and signature.isascii() else ""
    found = ""
    for sender, key in load_live_keys(now):
        expected = hmac.new(key, body, hashlib.sha256).hexdigest()
        if hmac.compare_digest(expected, given):
            found = found or sender
    return found


def load_live_keys(now: datetime) -> list[tuple[str, bytes]]:
    """Return the keys that counterparties may prove messages by, each with whose it is.

    Those of the directory's entries that hold today, then those that are shared by all; three
    queries. A key of the directory says who sends, whatever else it opens.
    """
    shared = [part.strip() for part in settings.TRAVEL_RULE_SIGNING_KEY.split(",")]
    vasps = shared_secrets.load_live_secrets(selectors.load_live_entries(now.date()))
    own = [(f"{VASP}{lei}", secret) for lei, secrets in vasps.items() for secret in secrets]
    return [*own, *((SHARED, part.encode()) for part in shared if part)]
