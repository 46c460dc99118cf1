"""Single sign-on: requests to an OpenID Connect provider, and verification of its answers.

The authorisation code flow with PKCE (RFC 7636). PyJWT verifies the id_token with the provider's
published keys; calls use the common HTTP client (apps/platform/upstreams).
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

# asymmetric ones only: with HS256 a published key could be used as the secret, and `none` signs
# nothing
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA")
NEEDED = ["iss", "sub", "aud", "exp", "iat"]
LEEWAY = 60  # seconds by which the clocks of provider and platform may differ
DEADLINE = 8.0  # seconds; a user waits for each call


class SignOnRefused(Exception):
    """The provider's answer proves no identity, or it could not be called; the log says why."""


class Provider(Upstream):
    """The provider, at one of its addresses."""

    name = "single-sign-on"
    timeout = (3.0, 6.0)
    largest = 1024 * 1024

    def __init__(self, address: str) -> None:
        self.base_url = address


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """One request to the provider, as the browser's session keeps it."""

    state: str
    nonce: str
    verifier: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Claims:
    """The provider's claims about a user."""

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
    """Return a new request with random state, nonce and verifier."""
    return AuthorizationRequest(*(secrets.token_urlsafe(32) for _ in range(3)))


def build_authorization_url(
    *, authorization_request: AuthorizationRequest, back: str, again: bool
) -> str:
    """Return the provider's address for the browser; `again` requires a new sign-in there."""
    challenge = hashlib.sha256(authorization_request.verifier.encode()).digest()
    parameters = {
        "response_type": "code",
        "client_id": settings.OIDC_CLIENT_ID,
        "redirect_uri": back,
        "scope": " ".join(dict.fromkeys(["openid", *settings.OIDC_SCOPES])),
        "state": authorization_request.state,
        "nonce": authorization_request.nonce,
        "code_challenge": base64.urlsafe_b64encode(challenge).rstrip(b"=").decode(),
        "code_challenge_method": "S256",
        # OpenID Connect Core 3.1.2.1; whether the provider heeded them is checked by `auth_time`
        # when the user returns (views/sign_on.py)
    } | ({"prompt": "login", "max_age": "0"} if again else {})
    place = _require_text(_fetch_provider_metadata(), "authorization_endpoint")
    return f"{place}{'&' if '?' in place else '?'}{urlencode(parameters)}"


def fetch_claims(*, authorization_request: AuthorizationRequest, code: str, back: str) -> Claims:
    """Exchange a code for the id_token and return what it proves; raises SignOnRefused."""
    about = _fetch_provider_metadata()
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": back,
        "code_verifier": authorization_request.verifier,
    }
    token = Provider(_require_text(about, "token_endpoint"))
    # the default of OpenID Connect Discovery
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
    id_token = _verify_id_token(_require_text(answer, "id_token"), keys, authorization_request)
    name = id_token.get("preferred_username") or id_token.get("email") or id_token["sub"]
    # required only where `max_age` was requested (OpenID Connect Core 2)
    proved = id_token.get("auth_time")
    return Claims(
        subject=str(id_token["sub"])[:255],
        name=str(name).strip()[:150],
        groups=_parse_text_list(id_token.get(settings.OIDC_GROUPS_CLAIM)),
        amr=_parse_text_list(id_token.get("amr")),
        acr=str(id_token.get("acr", "")),
        proved_at=proved if isinstance(proved, int) else 0,
    )


def _fetch_provider_metadata() -> Mapping[str, Any]:
    issuer = settings.OIDC_ISSUER
    place = f"{issuer.rstrip('/')}/.well-known/openid-configuration"
    try:
        about = Provider(place).get_json(deadline=DEADLINE)
    except UpstreamError as error:
        raise SignOnRefused(str(error)) from None
    # OpenID Connect Discovery 4.3: otherwise another provider could speak for this one
    if _require_text(about, "issuer") != issuer:
        raise SignOnRefused("the provider describes another issuer than OIDC_ISSUER")
    provider_metadata: Mapping[str, Any] = about
    return provider_metadata


def _require_text(claims: Any, name: str) -> str:
    value = claims.get(name) if isinstance(claims, dict) else None
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
        key = next(
            # a token may omit `kid` only where there is a single key (OpenID Connect Core 10.1)
            py_jwk
            for py_jwk in known
            if py_jwk.key_id == kid or (kid is None and len(known) == 1)
        )
        claims: dict[str, Any] = jwt.decode(
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
        raise SignOnRefused(f"the id_token is invalid: {error}") from None
    # the nonce ties the token to this browser's request: a stolen token is refused
    if not secrets.compare_digest(
        str(claims.get("nonce", "")).encode(), authorization_request.nonce.encode()
    ):
        raise SignOnRefused("the id_token answers another request")
    # OpenID Connect Core 3.1.3.7: a token for several audiences says to which of them it was given
    audiences = claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]]
    given_to = claims.get("azp", audiences[0] if len(audiences) == 1 else None)
    if given_to != settings.OIDC_CLIENT_ID:
        raise SignOnRefused("the id_token was given to another client")
    return claims


def _parse_text_list(value: Any) -> tuple[str, ...]:
    texts = [value] if isinstance(value, str) else value
    return tuple(text for text in texts if isinstance(text, str)) if isinstance(texts, list) else ()
