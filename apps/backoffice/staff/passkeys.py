"""Passkeys (WebAuthn): python-fido2 verifies them, this module keeps their state."""

import base64
import json
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Q
from django.http import HttpRequest
from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from apps.backoffice.staff.models import Factor, FactorKind
from apps.platform.common.hidden_characters import find_hidden_character
from apps.platform.desk.note_validation import find_text_fault

CHALLENGE = "staff_challenge"
LONGEST = 20_000  # characters of a browser's answer
# a passkey is the second factor here: a key without PIN or fingerprint is accepted too
PREFERRED = UserVerificationRequirement.PREFERRED
LONGEST_NAME = 60  # the column `Factor.name`
UNNAMED = "Passkey"


class PasskeyRefused(Exception):
    """What the browser sent proves no passkey."""


def find_name_fault(name: str) -> str:
    """Return why a passkey cannot be called so, in a sentence, or an empty text."""
    fault = find_hidden_character(name) or find_text_fault(name, most=LONGEST_NAME)
    return f"The name: {fault}" if fault else ""


def _build_fido2_server(request: HttpRequest) -> Fido2Server:
    host = request.get_host().rsplit(":", 1)[0]
    origin = f"{request.scheme}://{request.get_host()}"
    party = PublicKeyCredentialRpEntity(id=host, name="Compliance Oracle")
    return Fido2Server(party, verify_origin=lambda claimed_origin: claimed_origin == origin)


def _load_credentials(user: User) -> dict[int, AttestedCredentialData]:
    rows = Factor.objects.filter(user=user, kind=FactorKind.PASSKEY).order_by("pk")
    return {row.pk: AttestedCredentialData(base64.b64decode(row.secret)) for row in rows}


def begin_registration(*, request: HttpRequest, user: User) -> str:
    """Begin to add a passkey: return the options for the browser as JSON."""
    options, state = _build_fido2_server(request).register_begin(
        PublicKeyCredentialUserEntity(
            id=f"staff:{user.pk}".encode(), name=user.get_username(), display_name=str(user)
        ),
        list(_load_credentials(user).values()),
        resident_key_requirement=ResidentKeyRequirement.DISCOURAGED,
        user_verification=PREFERRED,
    )
    request.session[CHALLENGE] = state
    return json.dumps(dict(options))


def complete_registration(
    *, request: HttpRequest, user: User, answer: str, name: str, now: datetime
) -> Factor:
    """Keep the passkey that a browser made, under a name without fault; raises PasskeyRefused."""
    state, response = _pop_challenge(request, answer)
    try:
        registration = _build_fido2_server(request).register_complete(state, response)
        credential = registration.credential_data
        if credential is None:
            raise ValueError("no credential")
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise PasskeyRefused(str(error)) from None
    return Factor.objects.create(
        user=user,
        kind=FactorKind.PASSKEY,
        name=name or UNNAMED,
        secret=base64.b64encode(credential).decode(),
        counter=registration.counter,
        created_at=now,
    )


def begin_authentication(*, request: HttpRequest, user: User) -> str:
    """Begin to ask for a passkey: return the options as JSON, empty for who has none."""
    known = list(_load_credentials(user).values())
    if not known:
        return ""
    options, state = _build_fido2_server(request).authenticate_begin(
        known, user_verification=PREFERRED
    )
    request.session[CHALLENGE] = state
    return json.dumps(dict(options))


def complete_authentication(
    *, request: HttpRequest, user: User, answer: str, now: datetime
) -> Factor:
    """Return the passkey that a browser's answer proves; raises PasskeyRefused."""
    state, response = _pop_challenge(request, answer)
    credentials = _load_credentials(user)
    try:
        used = _build_fido2_server(request).authenticate_complete(
            state, list(credentials.values()), response
        )
        count = AuthenticationResponse.from_dict(response).response.authenticator_data.counter
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise PasskeyRefused(str(error)) from None
    pk = next(
        pk
        for pk, credential_data in credentials.items()
        if credential_data.credential_id == used.credential_id
    )
    # compare-and-set (WebAuthn 7.2): a count that does not rise is a copy's. Many passkeys do not
    # count and always send 0.
    rows = Factor.objects.filter(Q(counter__lt=count) if count else Q(counter=0), pk=pk)
    if not rows.update(counter=count, used_at=now):
        raise PasskeyRefused("its signature count did not rise: it may be a copy")
    return Factor.objects.get(pk=pk)


def _pop_challenge(request: HttpRequest, answer: str) -> tuple[Any, dict[str, Any]]:
    """Return the challenge, which counts once, and the browser's answer to it."""
    # popped: a challenge counts once, also for a wrong answer
    state = request.session.pop(CHALLENGE, None)
    try:
        response = json.loads(answer) if len(answer) <= LONGEST else None
    except ValueError:
        response = None
    if not state or not isinstance(response, dict):
        raise PasskeyRefused("it answers no pending challenge")
    return state, response
