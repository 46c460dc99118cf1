"""The way in for the bank: a delivery of its webhook is proved by an HMAC of the raw body.

Document 2 section 5: header `Bank-Signature: t=<unix seconds>,v1=<hex>`.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from apps.access import limits
from apps.banking.rules.signatures import Fault, fault
from apps.core.callers import Caller
from apps.core.endpoints import Endpoint
from apps.core.gates import Ticket
from apps.core.parsing import BodyTooLarge
from apps.core.problems import DomainError
from apps.core.reading import LengthRequired
from apps.core.shapes import epoch

KIND = "BANK"
HEADER = "Bank-Signature"
BANK = "bank"
RATE = 6000  # deliveries a minute
WHY: Mapping[Fault, str] = {
    "MALFORMED": "The signature is not written as t=<unix seconds>,v1=<hex>.",
    "WRONG": "The signature is not that of the raw body.",
    "STALE": "The delivery is more than 300 seconds from now: send it with a new signature.",
}


class MissingBankSignature(DomainError):
    """No signature was sent."""

    status, code, title = 401, "missing_signature", "A signature is needed"


class BadBankSignature(DomainError):
    """The signature is not that of the raw body, or its moment is not now."""

    status, code, title = 401, "bad_signature", "The signature does not hold"


class BankGate:
    """Lets in the bank, where the row is for its webhook."""

    def admit(self, *, row: Endpoint, request: HttpRequest, now: datetime) -> Ticket | None:
        """Return the bank's ticket; 401 for a signature that does not hold."""
        if not row.access.bank:
            return None
        sent = request.headers.get(HEADER)
        if sent is None:
            return None
        secrets = [one.strip() for one in settings.BANK_WEBHOOK_SECRET.split(",") if one.strip()]
        why = fault(sent=sent, body=_body(row, request), secrets=secrets, now=epoch(now))
        if why:
            limits.refuse(request=request, now=now)
            raise BadBankSignature(WHY[why])
        window = limits.hit(bucket=BANK, limit=RATE, now=now)
        return Ticket(Caller(BANK, KIND, BANK), window.headers())

    def challenge(
        self, *, row: Endpoint, request: HttpRequest, values: Mapping[str, Any] | None
    ) -> DomainError | None:
        """Say which signature to send."""
        if not row.access.bank:
            return None
        return MissingBankSignature(
            f"Send the header {HEADER}: t=<unix seconds>,v1=<HMAC-SHA256 of t, a period and the "
            "raw body, in hexadecimal>.",
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
