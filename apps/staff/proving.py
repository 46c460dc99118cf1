"""One form for every proof beside signing in: a code or a passkey, else the password."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.http import HttpRequest

from apps.staff import actions, browser, codes, passkeys
from apps.staff.models import Factor, FactorKind

WRONG_CODE = "This code is wrong, or was used before. Wait for the next one."
WRONG_PASSKEY = "The passkey was not accepted. Try again."
NOT_IT = "This password is wrong."
LONGEST_CODE = 20


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody can prove themselves with; `passkey` are the browser's options as JSON."""

    code: bool
    passkey: str
    password: bool
    recovery: bool


@dataclass(frozen=True, slots=True)
class Proved:
    """The outcome: `how` in words when it is proved, else `fault`; `note` for who signs in."""

    how: str = ""
    fault: str = ""
    note: str = ""


def asked(request: HttpRequest, user: User) -> Asked:
    """Return what to ask of somebody now; a passkey's challenge counts for the next answer."""
    kinds = set(Factor.objects.filter(user=user).values_list("kind", flat=True))
    strong = bool(kinds & {FactorKind.APP, FactorKind.PASSKEY})
    return Asked(
        code=strong,
        passkey=passkeys.ask(request=request, user=user),
        password=not strong and user.has_usable_password(),
        recovery=FactorKind.RECOVERY in kinds,
    )


def judge(request: HttpRequest, user: User, now: datetime) -> Proved:
    """Return whether what was sent proves somebody; a code or challenge is used up by it."""
    if request.POST.get("passkey") or browser.has_second(user):
        return judge_second(request, user, now)
    if user.check_password(request.POST.get("password", "")):
        return Proved(how="password")
    return Proved(fault=NOT_IT)


def judge_second(request: HttpRequest, user: User, now: datetime) -> Proved:
    """Return whether a second factor was sent: a password is none, whoever has no other."""
    if answer := request.POST.get("passkey"):
        return _passkey(request, user, answer, now)
    return _code(user, request.POST.get("code", ""), now)


def _passkey(request: HttpRequest, user: User, answer: str, now: datetime) -> Proved:
    try:
        passkeys.take(request=request, user=user, answer=answer, now=now)
    except passkeys.Refused:
        return Proved(fault=WRONG_PASSKEY)
    return Proved(how="passkey")


def _code(user: User, code: str, now: datetime) -> Proved:
    found = codes.take(user=user, code=code, now=now) if len(code) <= LONGEST_CODE else None
    if found is None:
        return Proved(fault=WRONG_CODE)
    if found.kind == FactorKind.APP:
        return Proved(how="authenticator app")
    left = actions.used_recovery(user=user, now=now)
    words = "This was your last recovery code" if not left else f"{left} recovery codes are left"
    return Proved(how="recovery code", note=f"{words}: make new ones in time.")
