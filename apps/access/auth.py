"""Who calls: keys in the header that each view declares, and the limits of their calls."""

from dataclasses import dataclass
from typing import Any, ClassVar

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from apps.access import limits
from apps.access.models import LOOKUP_LENGTH, PREFIXES, ApiKey, Kind
from apps.core.api import ApiView
from apps.core.clock import now
from apps.core.problems import DomainError

HEADERS = {
    Kind.SUBSCRIPTION: "X-API-Key",
    Kind.DATA: "X-API-Key",
    Kind.INTERNAL: "X-Internal-Key",
    Kind.INSTITUTION: "Authorization",
    Kind.MASTER: "Authorization",
    Kind.SIGNING: "Authorization",
}


NOBODY = ApiKey(digest="0" * 64)


@dataclass(frozen=True, slots=True)
class Principal:
    """Who calls: `ref` is the tenant that owns what the call makes."""

    ref: str
    account_id: int
    kind: str
    name: str
    is_authenticated: bool = True


def principal(request: Request) -> Principal:
    """Return who calls; only for views behind a key."""
    found = request.user
    if not isinstance(found, Principal):
        raise TypeError("this view does not ask for a key")
    return found


class MissingKey(DomainError):
    """No key was presented."""

    status, code, title = 401, "missing_key", "A key is needed"


class UnknownKey(DomainError):
    """The key is unknown, expired or revoked; which of them is not said."""

    status, code, title = 401, "unknown_key", "The key is not valid"


class WrongKind(DomainError):
    """The key is good, but not for this endpoint."""

    status, code, title = 403, "wrong_key_kind", "The key is of another kind"


def presented(request: Request, header: str) -> str:
    """Return the key in a header, without `Bearer`, or an empty text."""
    value = request.headers.get(header, "").strip()
    if header == "Authorization":
        scheme, _, value = value.partition(" ")
        return value.strip() if scheme.lower() == "bearer" else ""
    return value


def challenge(header: str) -> dict[str, str]:
    """Return the WWW-Authenticate header that a 401 must have (RFC 9110 section 11.6.1)."""
    scheme = "Bearer" if header == "Authorization" else f'ApiKey header="{header}"'
    return {"WWW-Authenticate": scheme}


def find(secret: str) -> ApiKey:
    """Return the usable key that a secret proves; UnknownKey otherwise."""
    prefix = next((p for p in PREFIXES.values() if secret.startswith(p)), None)
    lookup = secret[len(prefix) : len(prefix) + LOOKUP_LENGTH] if prefix else ""
    key = (
        ApiKey.objects.select_related("account").filter(lookup=lookup).first()
        if len(lookup) == LOOKUP_LENGTH and lookup.isascii() and lookup.isalnum()
        else None
    )
    # an unknown key costs the same work as a known one
    proved = (key or NOBODY).matches(secret)
    if key is None or not proved or not key.usable(now()):
        raise UnknownKey("The key is unknown, expired or revoked.")
    return key


class KeyAuthentication(BaseAuthentication):
    """Reads the key that the view's `key_kinds` ask for and counts the call against its rate."""

    def authenticate(self, request: Request) -> tuple[Principal, ApiKey] | None:
        kinds = request.parser_context["view"].key_kinds
        header = HEADERS[kinds[0]]
        secret = presented(request, header)
        if not secret:
            raise MissingKey(
                f"Send a {'/'.join(kinds).lower()} key in the header {header}.",
                headers=challenge(header),
            )
        try:
            key = find(secret)
        except UnknownKey as unknown:
            unknown.headers |= challenge(header)
            raise
        moment = now()
        limit = key.rate_per_minute or settings.SCREEN_RATE_PER_MINUTE
        limits.hit(bucket=f"key:{key.pk}", limit=limit, now=moment)
        if key.kind not in kinds:
            raise WrongKind("This key is not for this endpoint.")
        key.mark_used(moment)
        return Principal(key.account.ref, key.account_id, key.kind, key.account.name), key

    def authenticate_header(self, request: Request) -> str:
        return challenge(HEADERS[request.parser_context["view"].key_kinds[0]])["WWW-Authenticate"]


class KeyView(ApiView):
    """A view that needs a key of one of `key_kinds` (all of them travel in one header)."""

    key_kinds: tuple[Kind, ...] = ()
    authentication_classes = (KeyAuthentication,)


class ByAddress(BasePermission):
    """Not a permission at all: counts calls of a free endpoint by address."""

    def has_permission(self, request: Request, view: Any) -> bool:
        bucket = f"ip:{limits.client_address(request)}"
        limits.hit(bucket=bucket, limit=settings.FREE_RATE_PER_MINUTE, now=now())
        return True


class FreeView(ApiView):
    """A view that anyone may call, as often as an address may."""

    permission_classes = (ByAddress,)


SCHEMES: dict[str, dict[str, str]] = {
    "X-API-Key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
    "X-Internal-Key": {"type": "apiKey", "in": "header", "name": "X-Internal-Key"},
    "Bearer": {"type": "http", "scheme": "bearer"},
}


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Names the key's header in the OpenAPI document."""

    target_class = KeyAuthentication
    name: ClassVar[list[str]] = list(SCHEMES)

    def get_security_requirement(self, auto_schema: Any) -> Any:
        header = HEADERS[auto_schema.view.key_kinds[0]]
        return {"Bearer" if header == "Authorization" else header: []}

    def get_security_definition(self, auto_schema: Any) -> Any:
        return list(SCHEMES.values())
