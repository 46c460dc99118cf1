"""Authenticate the bank's webhook: an HMAC of the raw body proves a delivery.

Document 2 section 5: header `Bank-Signature: t=<unix seconds>,v1=<hex>`.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from apps.access.keys import rate_limits
from apps.payments.banking.rules.webhook_signatures import SignatureFault, find_signature_fault
from apps.platform.api.authentication import Grant, GrantAuthentication, RateLimit
from apps.platform.api.callers import Caller
from apps.platform.api.operations import Access, Operation
from apps.platform.api.parsers import read_signed_body
from apps.platform.common.clock import to_epoch_seconds
from apps.platform.common.problems import DomainError

KIND = "BANK"
HEADER = "Bank-Signature"
BANK = "bank"
# deliveries a minute, for the one bank that there is
RATE = 6000
FAULT_SENTENCES: Mapping[SignatureFault, str] = {
    "MALFORMED": "The signature is not written as t=<unix seconds>,v1=<hex>.",
    "WRONG": "The signature is not that of the raw body.",
    "STALE": "The delivery is more than 300 seconds from now: send it with a new signature.",
}


class MissingBankSignature(DomainError):
    """No signature was sent."""

    status, code, title = 401, "missing_signature", "Signature required"


class BadBankSignature(DomainError):
    """The signature does not match the raw body, or its timestamp is out of range."""

    status, code, title = 401, "bad_signature", "Invalid signature"


class BankSignatureAuthentication(GrantAuthentication):
    """Admit the bank to operations for its webhook."""

    def admit(self, *, operation: Operation, request: HttpRequest, now: datetime) -> Grant | None:
        """Return the bank's grant; 401 for an invalid signature."""
        if operation.access.signature != HEADER:
            return None
        sent = request.headers.get(HEADER)
        if sent is None:
            return None
        # `new,old` while the bank changes its secret: either one may have signed
        secrets = [part.strip() for part in settings.BANK_WEBHOOK_SECRET.split(",") if part.strip()]
        why = find_signature_fault(
            sent=sent,
            body=read_signed_body(operation=operation, request=request),
            secrets=secrets,
            now=to_epoch_seconds(now),
        )
        if why:
            # guessing signatures uses up the caller's rate as guessing keys does
            rate_limits.count_refused_call(request=request, now=now)
            raise BadBankSignature(FAULT_SENTENCES[why])
        return Grant(Caller(BANK, KIND, BANK), RateLimit(BANK, RATE))

    def challenge(
        self, *, operation: Operation, request: HttpRequest, values: Mapping[str, Any] | None
    ) -> DomainError | None:
        """Say which signature to send."""
        if operation.access.signature != HEADER:
            return None
        return MissingBankSignature(
            f"Send the header {HEADER}: t=<unix seconds>,v1=<HMAC-SHA256 of t, a period and the "
            "raw body, in hexadecimal>.",
            headers={"WWW-Authenticate": f'HMAC header="{HEADER}"'},
        )

    def requirements(self, access: Access) -> Iterable[tuple[str, ...]]:
        return [(HEADER,)] if access.signature == HEADER else []

    def problems(self, access: Access) -> tuple[type[DomainError], ...]:
        return (MissingBankSignature, BadBankSignature) if access.signature == HEADER else ()
