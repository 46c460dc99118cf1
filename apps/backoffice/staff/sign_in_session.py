"""The sign-in state of a browser's session: since when, how, and when last proved.

A sign-in has two steps if there is a second factor: `await_second_factor` remembers the user who
gave the right password, `complete_sign_in` signs in. Moments are whole seconds, because sessions
are JSON.
"""

from datetime import UTC, datetime
from typing import Any, cast

from django.conf import settings
from django.contrib.auth import get_user_model, login
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from apps.access.keys.client_address import get_client_address
from apps.access.keys.middleware import PENDING_SIGN_IN
from apps.backoffice.staff.integrity import require_recorded_person
from apps.backoffice.staff.models import STRONG, Factor, SignIn
from apps.backoffice.staff.rules import devices, session_lifetimes
from apps.backoffice.staff.session_store import hash_session_key
from apps.platform.common.clock import format_utc

STATE = "staff"
BACKEND = "apps.backoffice.staff.backends.RecordedStaff"


def has_second_factor(user: User) -> bool:
    """Tell whether a user has an authenticator app or a passkey."""
    return bool(_list_factor_ids(user))


def _list_factor_ids(user: User) -> list[int]:
    """Return the ids of a user's authenticator apps and passkeys."""
    factors = Factor.objects.filter(user=user, kind__in=STRONG).order_by("pk")
    return list(factors.values_list("pk", flat=True))


def get_sign_in_state(request: HttpRequest) -> dict[str, Any]:
    """Return what is known of a sign-in: since, seen, proved, strong."""
    return cast(dict[str, Any], request.session.get(STATE, {}))


def update_sign_in_state(request: HttpRequest, **known: Any) -> None:
    """Add to what is known of a sign-in."""
    request.session[STATE] = get_sign_in_state(request) | known


def await_second_factor(
    *, request: HttpRequest, user: User, next_page: str, now: datetime, how: str = "Password"
) -> None:
    """Remember a user who passed the first factor, without signing them in.

    StaffIntegrityError (503) for an account that differs from its record.
    """
    require_recorded_person(user)
    # another key than before the password: a planted session id is of no use
    request.session.cycle_key()
    request.session[PENDING_SIGN_IN] = {
        "user": user.pk,
        "name": user.get_username(),
        "at": int(now.timestamp()),
        "next": next_page,
        "how": how,
        # changes with the password: a sign-in that was begun before ends with it
        "hash": user.get_session_auth_hash(),
        "factors": _list_factor_ids(user),
    }


def get_pending_user(request: HttpRequest, now: datetime) -> User | None:
    """Return the user who just passed the first factor, if nothing changed since."""
    pending = request.session.get(PENDING_SIGN_IN, {})
    if not session_lifetimes.is_recent(
        pending.get("at"), int(now.timestamp()), session_lifetimes.PENDING_SECONDS
    ):
        return None
    user = (
        get_user_model().objects.filter(pk=pending["user"], is_active=True, is_staff=True).first()
    )
    if user is None or not constant_time_compare(pending["hash"], user.get_session_auth_hash()):
        return None
    # if the second factors were reset or replaced in the meantime, the password alone must not go
    # on
    return user if pending.get("factors") and pending["factors"] == _list_factor_ids(user) else None


def complete_sign_in(*, request: HttpRequest, user: User, how: str, strong: bool) -> str:
    """Sign a user in, and return the page they requested (an empty text: none).

    StaffIntegrityError (503) for an account that differs from its record.
    """
    require_recorded_person(user)
    going = str(request.session.pop(PENDING_SIGN_IN, {}).get("next", ""))
    request.entering = (how, strong)  # type: ignore[attr-defined]
    login(request, user, backend=BACKEND)
    return going


def begin_sign_in_session(*, request: HttpRequest, user: User, now: datetime) -> None:
    """Store a sign-in in the session and in the list of sign-ins; Django's `login` triggers it."""
    how, strong = getattr(request, "entering", ("Password", False))
    moment = int(now.timestamp())
    known = {"since": moment, "seen": moment, "proved": moment, "strong": strong, "how": how}
    request.session[STATE] = known
    if not request.session.session_key:
        request.session.save()
    _store_sign_in(request, user, now)


def follow_session_key(*, request: HttpRequest, user: User, now: datetime) -> None:
    """Store the sign-in of a session that got another key, as by a change of the password."""
    _store_sign_in(request, user, now)


def _store_sign_in(request: HttpRequest, user: User, now: datetime) -> None:
    sign_in_state = get_sign_in_state(request)
    SignIn.objects.update_or_create(
        key=hash_session_key(request.session.session_key),
        defaults={
            "user": user,
            "device": devices.describe_device(request.META.get("HTTP_USER_AGENT", "")),
            "address": get_client_address(request),
            "how": sign_in_state.get("how", "Password"),
            "since": datetime.fromtimestamp(
                sign_in_state.get("since", now.timestamp()), tz=now.tzinfo
            ),
            "seen": now,
        },
    )


def is_recently_proved(request: HttpRequest, now: datetime) -> bool:
    """Tell whether who is signed in proved within STEP_UP_MINUTES who they are."""
    proved = get_sign_in_state(request).get("proved")
    return session_lifetimes.is_recent(proved, int(now.timestamp()), settings.STEP_UP_MINUTES * 60)


def get_last_proof(request: HttpRequest) -> dict[str, str]:
    """Return when (`at`, ISO, UTC) and how who is signed in proved last who they are.

    Signing in is such a proof too. Empty where the session knows of none.
    """
    sign_in_state = get_sign_in_state(request)
    if not sign_in_state.get("proved"):
        return {}
    at = format_utc(datetime.fromtimestamp(sign_in_state["proved"], tz=UTC))
    return {
        "at": at,
        "how": str(sign_in_state.get("proof") or sign_in_state.get("how", "Password")),
    }
