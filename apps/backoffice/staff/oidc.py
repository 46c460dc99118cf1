"""Single sign-on: what is asked of an OpenID Connect provider, and what of its answer counts.

The authorisation code flow with PKCE (RFC 7636). PyJWT proves the id_token by the provider's
published keys; every call goes the way of all others (apps/platform/upstreams).
"""

import base64
import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

import jwt
from django.conf import settings

from apps.platform.upstreams.auth import BasicAuth
from apps.platform.upstreams.http import Upstream, UpstreamError

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA")
NEEDED = ["iss", "sub", "aud", "exp", "iat"]
LEEWAY = 60
DEADLINE = 8.0  # somebody waits for each call


class SignOnRefused(Exception):
    """The provider's answer proves nobody, or it could not be asked; the log says why."""


class Provider(Upstream):
    """The provider, at one of its addresses."""

    name = "single-sign-on"
    timeout = (3.0, 6.0)
    largest = 1024 * 1024

    def __init__(self, address: str) -> None:
        self.base_url = address


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """One question to the provider, as the browser's session keeps it."""

    state: str
    nonce: str
    verifier: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Claims:
    """What the provider says of somebody."""

    subject: str
    name: str
    groups: tuple[str, ...]
    amr: tuple[str, ...]
    acr: str
    proved_at: int


def is_configured() -> bool:
    """Tell whether there is a provider."""
    return bool(settings.OIDC_ISSUER)


def create_authorization_request() -> AuthorizationRequest:
    """Return a question that was never asked."""
    return AuthorizationRequest(*(secrets.token_urlsafe(32) for _ in range(3)))


def build_authorization_url(*, asked: AuthorizationRequest, back: str, again: bool) -> str:
    """Return where the browser goes to be asked; `again` asks who is signed in there anew."""
    challenge = hashlib.sha256(asked.verifier.encode()).digest()
    given = {
        "response_type": "code",
        "client_id": settings.OIDC_CLIENT_ID,
        "redirect_uri": back,
        "scope": " ".join(dict.fromkeys(["openid", *settings.OIDC_SCOPES])),
        "state": asked.state,
        "nonce": asked.nonce,
        "code_challenge": base64.urlsafe_b64encode(challenge).rstrip(b"=").decode(),
        "code_challenge_method": "S256",
    } | ({"prompt": "login", "max_age": "0"} if again else {})
    place = _require_text(_fetch_provider_metadata(), "authorization_endpoint")
    return f"{place}{'&' if '?' in place else '?'}{urlencode(given)}"


def fetch_claims(*, asked: AuthorizationRequest, code: str, back: str) -> Claims:
    """Exchange a code for the id_token and return what it proves; raises SignOnRefused."""
    about = _fetch_provider_metadata()
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": back,
        "code_verifier": asked.verifier,
    }
    token = Provider(_require_text(about, "token_endpoint"))
    methods = about.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
    if "client_secret_basic" in methods:  # RFC 6749 section 2.3.1: each part is encoded first
        token.auth = BasicAuth(quote(settings.OIDC_CLIENT_ID), quote(settings.OIDC_CLIENT_SECRET))
    else:
        form |= {"client_id": settings.OIDC_CLIENT_ID}
        form |= {"client_secret": settings.OIDC_CLIENT_SECRET}
    try:
        answer = token.post_json(form=form, deadline=DEADLINE)
        keys = Provider(_require_text(about, "jwks_uri")).get_json(deadline=DEADLINE)
    except UpstreamError as error:
        raise SignOnRefused(str(error)) from None
    found = _verify_id_token(_require_text(answer, "id_token"), keys, asked)
    name = found.get("preferred_username") or found.get("email") or found["sub"]
    proved = found.get("auth_time")
    return Claims(
        subject=str(found["sub"])[:255],
        name=str(name).strip()[:150],
        groups=_parse_text_list(found.get(settings.OIDC_GROUPS_CLAIM)),
        amr=_parse_text_list(found.get("amr")),
        acr=str(found.get("acr", "")),
        proved_at=proved if isinstance(proved, int) else 0,
    )


def _fetch_provider_metadata() -> Mapping[str, Any]:
    issuer = settings.OIDC_ISSUER
    place = f"{issuer.rstrip('/')}/.well-known/openid-configuration"
    try:
        about = Provider(place).get_json(deadline=DEADLINE)
    except UpstreamError as error:
        raise SignOnRefused(str(error)) from None
    if _require_text(about, "issuer") != issuer:
        raise SignOnRefused("the provider describes another issuer than OIDC_ISSUER")
    found: Mapping[str, Any] = about
    return found


def _require_text(given: Any, name: str) -> str:
    value = given.get(name) if isinstance(given, dict) else None
    if not isinstance(value, str) or not value:
        raise SignOnRefused(f"the provider gave no {name}")
    return value


def _verify_id_token(
    token: str, keys: Any, authorization_request: AuthorizationRequest
) -> dict[str, Any]:
    """Return the claims of an id_token (OpenID Connect Core 3.1.3.7); raises SignOnRefused."""
    try:
        known = jwt.PyJWKSet.from_dict(keys).keys
        kid = jwt.get_unverified_header(token).get("kid")
        key = next(one for one in known if one.key_id == kid or (kid is None and len(known) == 1))
        found: dict[str, Any] = jwt.decode(
            token,
            key=key,
            algorithms=list(ALGORITHMS),
            audience=settings.OIDC_CLIENT_ID,
            issuer=settings.OIDC_ISSUER,
            leeway=LEEWAY,
            options={"require": NEEDED},
        )
    except StopIteration:
        raise SignOnRefused(
            "the id_token is signed by a key that the provider does not publish"
        ) from None
    except (jwt.PyJWTError, TypeError, ValueError, AttributeError) as error:
        raise SignOnRefused(f"the id_token does not hold: {error}") from None
    if not secrets.compare_digest(
        str(found.get("nonce", "")).encode(), authorization_request.nonce.encode()
    ):
        raise SignOnRefused("the id_token answers another question")
    if found.get("azp", settings.OIDC_CLIENT_ID) != settings.OIDC_CLIENT_ID:
        raise SignOnRefused("the id_token was given to another client")
    return found


def _parse_text_list(value: Any) -> tuple[str, ...]:
    found = [value] if isinstance(value, str) else value
    return tuple(one for one in found if isinstance(one, str)) if isinstance(found, list) else ()
