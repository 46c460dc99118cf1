"""The way in for a counterparty: its message is proved by an HMAC of the raw body.

Document 2 section 5: no bearer; header X-SVC-Signature, HMAC-SHA256.
"""

import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from apps.access import limits
from apps.core.callers import Caller
from apps.core.endpoints import Endpoint
from apps.core.gates import Ticket
from apps.core.parsing import BodyTooLarge
from apps.core.problems import DomainError
from apps.core.reading import LengthRequired
from apps.travelrule import headers
from apps.travelrule.directory import keys, looking

KIND = "COUNTERPARTY"
HEADER = headers.SIGNATURE
SHARED, VASP = "counterparty:shared", "vasp:"
SIGNATURE_LENGTH = 64
RATE = 1200  # messages a minute by one key


class MissingSignature(DomainError):
    """No signature was sent."""

    status, code, title = 401, "missing_signature", "A signature is needed"


class BadSignature(DomainError):
    """The signature is not that of the body by any key that is live."""

    status, code, title = 401, "bad_signature", "The signature does not hold"


class CounterpartyGate:
    """Lets in who proves the body of a message, where the row is for counterparties."""

    def admit(self, *, row: Endpoint, request: HttpRequest, now: datetime) -> Ticket | None:
        """Return the counterparty's ticket; 401 for a signature that does not hold."""
        if not row.access.signed:
            return None
        sent = request.headers.get(HEADER, "").strip().lower()
        if not sent:
            return None
        sender = sender_of(body=_body(row, request), signature=sent, now=now)
        if not sender:
            limits.refuse(request=request, now=now)
            raise BadSignature("The signature is not that of the raw body by a key that is live.")
        window = limits.hit(bucket=sender, limit=RATE, now=now)
        return Ticket(Caller(sender, KIND, sender), window.headers())

    def challenge(
        self, *, row: Endpoint, request: HttpRequest, values: Mapping[str, Any] | None
    ) -> DomainError | None:
        """Say which signature to send."""
        if not row.access.signed:
            return None
        return MissingSignature(
            f"Send the header {HEADER}: the HMAC-SHA256 of the raw body, in hexadecimal.",
            headers={"WWW-Authenticate": f'HMAC header="{HEADER}"'},
        )


def _body(row: Endpoint, request: HttpRequest) -> bytes:
    """Return the raw body; it can be read again behind the gate."""
    if "Transfer-Encoding" in request.headers and "Content-Length" not in request.headers:
        raise LengthRequired("Send the body with a Content-Length, not in chunks.")
    limit = row.max_body or settings.API_MAX_BODY
    if int(request.headers.get("Content-Length") or 0) > limit:
        raise BodyTooLarge(f"The body is larger than {limit} bytes.")
    return request.body


def sender_of(*, body: bytes, signature: str, now: datetime) -> str:
    """Return who proves a body, or an empty text; every live key is tried, in constant time."""
    given = signature if len(signature) == SIGNATURE_LENGTH and signature.isascii() else ""
    found = ""
    for sender, key in live_keys(now):
        expected = hmac.new(key, body, hashlib.sha256).hexdigest()
        if hmac.compare_digest(expected, given):
            found = found or sender
    return found


def live_keys(now: datetime) -> list[tuple[str, bytes]]:
    """Return the keys that counterparties may prove messages by, each with whose it is.

    Those of the directory's entries that hold today, then those that are shared by all; three
    queries. A key of the directory says who sends, whatever else it opens.
    """
    shared = [part.strip() for part in settings.TRAVEL_RULE_SIGNING_KEY.split(",")]
    vasps = keys.live(looking.live(now.date()))
    own = [(f"{VASP}{lei}", secret) for lei, secrets in vasps.items() for secret in secrets]
    return [*own, *((SHARED, part.encode()) for part in shared if part)]
