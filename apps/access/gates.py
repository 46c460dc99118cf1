"""The ways in by key, and without one: both count calls, and say so in the answer's headers."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from apps.access import limits, metering
from apps.access.models import LOOKUP_LENGTH, PREFIXES, Account, ApiKey, Kind
from apps.access.proof import KeyRecord, insist
from apps.core.callers import NOBODY, Caller
from apps.core.endpoints import Endpoint
from apps.core.gates import Ticket
from apps.core.prepared import Lookup
from apps.core.problems import DomainError
from config.prices import Unit

HEADERS = {
    Kind.SUBSCRIPTION: "X-API-Key",
    Kind.DATA: "X-API-Key",
    Kind.INTERNAL: "X-Internal-Key",
    Kind.INSTITUTION: "Authorization",
    Kind.MASTER: "Authorization",
    Kind.SIGNING: "Authorization",
}
STRANGER = ApiKey(digest="0" * 64)
KEY_COLUMNS = tuple(field.attname for field in ApiKey._meta.concrete_fields)
RECORD_COLUMNS = tuple(field.attname for field in KeyRecord._meta.concrete_fields)
KEYS = Lookup(
    ApiKey,
    by="lookup",
    columns=(*KEY_COLUMNS, "account__name", *(f"records__{name}" for name in RECORD_COLUMNS)),
    order=("-records__number",),
)


class MissingKey(DomainError):
    """No key was presented."""

    status, code, title = 401, "missing_key", "A key is needed"


class UnknownKey(DomainError):
    """The key is unknown, expired or revoked; which of them is not said."""

    status, code, title = 401, "unknown_key", "The key is not valid"


class WrongKind(DomainError):
    """The key is good, but not for this endpoint."""

    status, code, title = 403, "wrong_key_kind", "The key is of another kind"


def headers_for(kinds: tuple[str, ...]) -> list[str]:
    """Return the headers in which keys of these kinds travel, each once, in order."""
    return list(dict.fromkeys(HEADERS[Kind(kind)] for kind in kinds))


def _as_sent(header: str) -> str:
    """Return a header as its key is written into it."""
    return "as `Authorization: Bearer`" if header == "Authorization" else f"in the header {header}"


def presented(request: HttpRequest, header: str) -> str:
    """Return the key in a header, without `Bearer`, or an empty text."""
    value = request.headers.get(header, "").strip()
    if header == "Authorization":
        scheme, _, value = value.partition(" ")
        return value.strip() if scheme.lower() == "bearer" else ""
    return value


def challenge(headers: list[str]) -> dict[str, str]:
    """Return the WWW-Authenticate header that a 401 must have (RFC 9110 section 11.6.1)."""
    schemes = ["Bearer" if h == "Authorization" else f'ApiKey header="{h}"' for h in headers]
    return {"WWW-Authenticate": ", ".join(schemes)}


def find(*, secret: str, now: datetime) -> ApiKey:
    """Return the usable key that a secret proves; UnknownKey otherwise.

    KeyUnproved (503) for one that would be, were the database believed.
    """
    prefix = next((p for p in PREFIXES.values() if secret.startswith(p)), None)
    lookup = secret[len(prefix) : len(prefix) + LOOKUP_LENGTH] if prefix else ""
    known = len(lookup) == LOOKUP_LENGTH and lookup.isascii() and lookup.isalnum()
    key, record = _held(lookup) if known else (None, None)
    # an unknown key costs the same work as a known one
    proved = (key or STRANGER).matches(secret)
    # the key itself says of which kind it is: one that the row alone was turned into is none
    if key is None or not proved or PREFIXES.get(Kind(key.kind)) != prefix or not key.usable(now):
        raise UnknownKey("The key is unknown, expired or revoked.")
    insist(key, [record] if record else [])
    return key


def _held(lookup: str) -> tuple[ApiKey | None, KeyRecord | None]:
    """Return the key of a lookup with its account and its newest record.

    One statement, which is composed once.
    """
    row = KEYS.first(lookup)
    if row is None:
        return None, None
    columns, name = row[: len(KEY_COLUMNS)], row[len(KEY_COLUMNS)]
    recorded = row[len(KEY_COLUMNS) + 1 :]
    key = ApiKey.from_db(None, KEY_COLUMNS, columns)
    key.account = Account(pk=key.account_id, name=name)
    return key, KeyRecord.from_db(None, RECORD_COLUMNS, recorded) if recorded[0] else None


def beside(*, row: Endpoint, request: HttpRequest, now: datetime) -> str:
    """Return the tenant whose key came beside a payment, or an empty text where none came.

    A header that holds no good key refuses the call, before any payment is taken: whoever sent it
    asked for more than is sold to anybody. So does a key in the header of another kind, where none
    came in its own. UnknownKey (401), WrongKind (403).
    """
    if not row.access.beside:
        return ""
    own = headers_for(row.access.beside)
    others = [one for one in headers_for(tuple(HEADERS)) if one not in own]
    sent = (one for one in (*own, *others) if request.headers.get(one, "").strip())
    header = next(sent, "")
    if not header:
        return ""
    try:
        key = find(secret=presented(request, header), now=now)
    except UnknownKey as refused:
        limits.refuse(request=request, now=now)
        refused.headers |= challenge(own)
        raise
    if header not in own or key.kind not in row.access.beside:
        kinds = "/".join(row.access.beside).lower()
        places = " or ".join(_as_sent(one) for one in own)
        raise WrongKind(
            f"The key in {header} is not for this endpoint: send an {kinds} key {places}, or none."
        )
    key.mark_used(now)
    return key.account.ref


class KeyTicket(Ticket):
    """A call by key: billed to its account, in the unit of its row."""

    def __init__(self, key: ApiKey, window: limits.Window) -> None:
        account = key.account
        super().__init__(Caller(account.ref, key.kind, account.name), window.headers())
        self.account_id = account.pk

    def charge(self, *, row: Endpoint, answer: str, status: int, now: datetime) -> None:
        """Count the call, last in its transaction, so that the row's lock is short."""
        if isinstance(row.access.price, Unit):
            metering.count(account_id=self.account_id, unit=row.access.price, now=now)


class KeyGate:
    """Lets in who has a key of a kind that the row names, in any header of those kinds."""

    def admit(self, *, row: Endpoint, request: HttpRequest, now: datetime) -> Ticket | None:
        """Return the ticket of the first good key; 401, 403 or 429 when none is."""
        refusal: DomainError | None = None
        for header in headers_for(row.access.known):
            secret = presented(request, header)
            if not secret:
                continue
            try:
                return self._ticket(row, find(secret=secret, now=now), header, now)
            except (UnknownKey, WrongKind) as refused:
                refusal = refusal or refused
        if isinstance(refusal, UnknownKey):
            limits.refuse(request=request, now=now)
            refusal.headers |= challenge(headers_for(row.access.known))
        if refusal is not None:
            raise refusal
        return None

    def _ticket(self, row: Endpoint, key: ApiKey, header: str, now: datetime) -> Ticket:
        limit = key.rate_per_minute or settings.RATES[key.kind]
        window = limits.hit(bucket=f"key:{key.pk}", limit=limit, now=now)
        if key.kind not in row.access.known or HEADERS[Kind(key.kind)] != header:
            raise WrongKind("This key is not for this endpoint.", headers=window.headers())
        key.mark_used(now)
        return KeyTicket(key, window)

    def challenge(
        self, *, row: Endpoint, request: HttpRequest, values: Mapping[str, Any] | None
    ) -> DomainError | None:
        """Say which key to send, and where."""
        if not row.access.keys:
            return None
        kinds = "/".join(row.access.keys).lower()
        headers = headers_for(row.access.keys)
        article = "an" if kinds[:1] in "aeiou" else "a"
        return MissingKey(
            f"Send {article} {kinds} key {' or '.join(_as_sent(one) for one in headers)}.",
            headers=challenge(headers),
        )


class OpenGate:
    """Lets in anybody where the row is open, as often as an address may call."""

    def admit(self, *, row: Endpoint, request: HttpRequest, now: datetime) -> Ticket | None:
        """Return nobody's ticket; 429 past the limit of the address."""
        if not row.access.open:
            return None
        address = limits.client_address(request)
        caller = Caller(f"address:{address}", NOBODY)
        if not row.access.limited:
            return Ticket(caller)
        rate = row.access.rate
        limit = getattr(settings, f"{rate.upper()}_RATE_PER_MINUTE")
        window = limits.hit(bucket=f"{rate}:{address}", limit=limit, now=now)
        return Ticket(caller, window.headers())

    def challenge(
        self, *, row: Endpoint, request: HttpRequest, values: Mapping[str, Any] | None
    ) -> DomainError | None:
        """Ask for nothing: who comes to an open row is let in."""
        return None
