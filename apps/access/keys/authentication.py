"""Authentication by key, and of anonymous callers."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from apps.access.keys import client_address, metering, rate_limits
from apps.access.keys.integrity import KeyIntegrityError, KeyRecord, require_recorded_key
from apps.access.keys.models import LOOKUP_LENGTH, PREFIXES, Account, ApiKey, KeyKind
from apps.platform.api.authentication import Grant, GrantAuthentication, RateLimit
from apps.platform.api.callers import NOBODY, Caller
from apps.platform.api.operations import Access, Operation
from apps.platform.common.problems import DomainError
from apps.platform.db.compiled_statements import CompiledLookup
from config.prices import Unit

HEADERS = {
    KeyKind.SUBSCRIPTION: "X-API-Key",
    KeyKind.DATA: "X-API-Key",
    KeyKind.INTERNAL: "X-Internal-Key",
    KeyKind.INSTITUTION: "Authorization",
    KeyKind.MASTER: "Authorization",
    KeyKind.SIGNING: "Authorization",
}
# compared with instead of a key that does not exist; no secret has this digest
STRANGER = ApiKey(digest="0" * 64)
# key, account and newest record come in one statement: this look-up precedes every call
KEY_COLUMNS = tuple(field.attname for field in ApiKey._meta.concrete_fields)
RECORD_COLUMNS = tuple(field.attname for field in KeyRecord._meta.concrete_fields)
KEYS = CompiledLookup(
    ApiKey,
    by="lookup",
    columns=(*KEY_COLUMNS, "account__name", *(f"records__{name}" for name in RECORD_COLUMNS)),
    order=("-records__number",),
)


class MissingKey(DomainError):
    """No key was sent."""

    status, code, title = 401, "missing_key", "Key required"


class UnknownKey(DomainError):
    """The key is unknown, expired or revoked; the answer does not say which."""

    status, code, title = 401, "unknown_key", "Invalid key"


class WrongHeader(DomainError):
    """The key is valid, but this endpoint does not read it from that header."""

    status, code, title = 401, "wrong_key_header", "Key in the wrong header"


class WrongKind(DomainError):
    """The key is valid, but not for this endpoint."""

    status, code, title = 403, "wrong_key_kind", "Wrong kind of key"


BAD_KEY: tuple[type[DomainError], ...] = (UnknownKey, WrongKind, KeyIntegrityError)


def list_key_headers(kinds: tuple[str, ...]) -> list[str]:
    """Return the headers in which keys of these kinds travel, each once, in order."""
    return list(dict.fromkeys(HEADERS[KeyKind(kind)] for kind in kinds))


def _describe_header(header: str) -> str:
    """Return a header as a client writes its key into it."""
    return "as `Authorization: Bearer`" if header == "Authorization" else f"in the header {header}"


def get_presented_key(request: HttpRequest, header: str) -> str:
    """Return the key in a header, without `Bearer`, or an empty text."""
    value = request.headers.get(header, "").strip()
    if header == "Authorization":
        scheme, _, value = value.partition(" ")
        return value.strip() if scheme.lower() == "bearer" else ""
    return value


def build_challenge(headers: list[str]) -> dict[str, str]:
    """Return the WWW-Authenticate header that a 401 must have (RFC 9110 section 11.6.1)."""
    schemes = ["Bearer" if h == "Authorization" else f'ApiKey header="{h}"' for h in headers]
    return {"WWW-Authenticate": ", ".join(schemes)}


def find_key_by_secret(*, secret: str, now: datetime) -> ApiKey:
    """Return the usable key that a secret proves; UnknownKey otherwise.

    Raises KeyIntegrityError (503) for a key that is usable only because its row was altered.
    """
    # nothing is looked up for a text that cannot be a key
    prefix = next((p for p in PREFIXES.values() if secret.startswith(p)), None)
    lookup = secret[len(prefix) : len(prefix) + LOOKUP_LENGTH] if prefix else ""
    known = len(lookup) == LOOKUP_LENGTH and lookup.isascii() and lookup.isalnum()
    key, record = _load_key_and_record(lookup) if known else (None, None)
    # an unknown key costs the same work as a known one
    proved = (key or STRANGER).matches(secret)
    # the key's own prefix gives its kind: a key whose row alone was changed to another kind is
    # refused
    if (
        key is None
        or not proved
        or PREFIXES.get(KeyKind(key.kind)) != prefix
        or not key.usable(now)
    ):
        raise UnknownKey("The key is unknown, expired or revoked.")
    # last, so that only holders of the secret learn that the row was altered
    require_recorded_key(key, [record] if record else [])
    return key


def _load_key_and_record(lookup: str) -> tuple[ApiKey | None, KeyRecord | None]:
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


def find_tenant_of_extra_key(*, operation: Operation, request: HttpRequest, now: datetime) -> str:
    """Return the tenant whose key came beside a payment, or an empty text without one.

    Raises UnknownKey (401) for a header without a valid key, and WrongKind (403) for a key of
    another kind if none came in a header of its own.
    """
    if not operation.access.beside:
        return ""
    # its own headers first: a key that belongs there decides, whatever else came
    own = list_key_headers(operation.access.beside)
    others = [
        key_header for key_header in list_key_headers(tuple(HEADERS)) if key_header not in own
    ]
    sent = (
        header_name
        for header_name in (*own, *others)
        if request.headers.get(header_name, "").strip()
    )
    header = next(sent, "")
    if not header:
        return ""
    try:
        key = find_key_by_secret(secret=get_presented_key(request, header), now=now)
    except UnknownKey as refused:
        # before any payment is taken: its sender wanted more than is sold to anybody
        rate_limits.count_refused_call(request=request, now=now)
        refused.headers |= build_challenge(own)
        raise
    # a valid key of the wrong kind is 403 and not ignored: its sender expected more than a bought
    # report
    if header not in own or key.kind not in operation.access.beside:
        kinds = "/".join(operation.access.beside).lower()
        places = " or ".join(_describe_header(header_name) for header_name in own)
        raise WrongKind(
            f"The key in {header} is not for this endpoint: send an {kinds} key {places}, or none."
        )
    key.mark_used(now)
    return key.account.ref


class KeyGrant(Grant):
    """A call by key: billed to its account, in the unit of its operation."""

    def __init__(self, key: ApiKey, header: str) -> None:
        # keys have one bucket each: a client's systems do not use up each other's rate
        account, limit = key.account, key.rate_per_minute or settings.RATES[key.kind]
        super().__init__(
            Caller(account.ref, key.kind, account.name), RateLimit(f"key:{key.pk}", limit)
        )
        self.key, self.header = key, header
        self.account_id = account.pk

    def charge(self, *, operation: Operation, answer: str, status: int, now: datetime) -> None:
        """Count the call, last in its transaction, so that the row's lock is short."""
        # a bucket of stream credit is sold for payments alone and has no unit to count
        if isinstance(operation.access.price, Unit):
            metering.count_billed_call(
                account_id=self.account_id, unit=operation.access.price, now=now
            )


def is_key_accepted(operation: Operation, grant: KeyGrant) -> bool:
    """Tell whether an operation accepts a key of this kind in the header that it came in."""
    kind = grant.key.kind
    return kind in operation.access.known and HEADERS[KeyKind(kind)] == grant.header


class ApiKeyAuthentication(GrantAuthentication):
    """Authentication by a key, in any header of the kinds that the operation accepts."""

    def admit(self, *, operation: Operation, request: HttpRequest, now: datetime) -> Grant | None:
        """Return the grant of the first valid key of an accepted kind; 401 if none is valid.

        A key of a wrong kind passes here and is refused by HasKeyKind. A valid key in another
        header is refused (WrongHeader).
        """
        wrong: KeyGrant | None = None
        unknown: UnknownKey | None = None
        for header in list_key_headers(operation.access.known):
            secret = get_presented_key(request, header)
            if not secret:
                continue
            try:
                grant = KeyGrant(find_key_by_secret(secret=secret, now=now), header)
            except UnknownKey as refusal:
                unknown = unknown or refusal
                continue
            if is_key_accepted(operation, grant):
                return grant
            # the first fault decides: 401 for a broken key is not hidden behind a 403 for another
            if unknown is None:
                wrong = wrong or grant
        if wrong is None and unknown is not None:
            rate_limits.count_refused_call(request=request, now=now)
            unknown.headers |= build_challenge(list_key_headers(operation.access.known))
            raise unknown
        # only here, where no accepted header held anything: a call that is let in costs no more
        # look-ups
        if wrong is None and operation.access.known:
            self._refuse_misplaced(operation, request, now)
        return wrong

    def _refuse_misplaced(self, operation: Operation, request: HttpRequest, now: datetime) -> None:
        # if a misplaced key were ignored, its holder would be asked to pay, and clients that pay
        # automatically would
        known = operation.access.known
        for header in list_key_headers(tuple(HEADERS)):
            # the last word, after whatever scheme precedes it
            *_, secret = ("", *request.headers.get(header, "").split())
            try:
                key = find_key_by_secret(secret=secret, now=now)
            except UnknownKey:
                continue
            rate_limits.count_refused_call(request=request, now=now)
            kinds = (key.kind,) if key.kind in known else known
            own = list_key_headers(kinds)
            places = " or ".join(_describe_header(header_name) for header_name in own)
            raise WrongHeader(
                f"A key came in the header {header}. "
                f"Send your {'/'.join(kinds).lower()} key {places}.",
                headers=build_challenge(own),
            )

    def challenge(
        self, *, operation: Operation, request: HttpRequest, values: Mapping[str, Any] | None
    ) -> DomainError | None:
        """Say which key to send, and in which header."""
        if not operation.access.keys:
            return None
        kinds = "/".join(operation.access.keys).lower()
        headers = list_key_headers(operation.access.keys)
        # `an institution key`, `an internal key`
        article = "an" if kinds[:1] in "aeiou" else "a"
        ways = " or ".join(_describe_header(header) for header in headers)
        return MissingKey(f"Send {article} {kinds} key {ways}.", headers=build_challenge(headers))

    def requirements(self, access: Access) -> Iterable[tuple[str, ...]]:
        return [(header,) for header in list_key_headers(access.known)]

    # multiplying by a bool: the tuple or none of it
    def problems(self, access: Access) -> tuple[type[DomainError], ...]:
        return (MissingKey,) * bool(access.keys) + (*BAD_KEY, WrongHeader) * bool(access.known)


class AnonymousAuthentication(GrantAuthentication):
    """Admit anybody to open operations, up to the rate of an address."""

    def admit(self, *, operation: Operation, request: HttpRequest, now: datetime) -> Grant | None:
        """Return the grant of an anonymous caller."""
        if not operation.access.open:
            return None
        address = client_address.get_client_address(request)
        caller = Caller(f"address:{address}", NOBODY)
        if not operation.access.rate:
            return Grant(caller)
        # the setting `<NAME>_RATE_PER_MINUTE`, and a bucket of its own for each such rate
        rate = operation.access.rate
        limit = getattr(settings, f"{rate.upper()}_RATE_PER_MINUTE")
        return Grant(caller, RateLimit(f"{rate}:{address}", limit))
