"""One form for every proof beside signing in: a code or a passkey, else the password."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.http import HttpRequest

from apps.backoffice.staff import passkeys, second_factor_codes, services, sign_in_session
from apps.backoffice.staff.models import Factor, FactorKind

WRONG_CODE = "This code is wrong or has already been used. Wait for the next one."
WRONG_PASSKEY = "The passkey was not accepted. Try again."
PROOF_REFUSED = "This password is wrong."
LONGEST_CODE = 20


@dataclass(frozen=True, slots=True)
class ProofOptions:
    """The proofs of identity a user has; `passkey` are the browser's options as JSON."""

    code: bool
    passkey: str
    password: bool
    recovery: bool


@dataclass(frozen=True, slots=True)
class ProofResult:
    """The outcome: `how` in words when it is proved, else `fault`; `note` for who signs in."""

    how: str = ""
    fault: str = ""
    note: str = ""


def get_proof_options(request: HttpRequest, user: User) -> ProofOptions:
    """Return the proofs to request from a user; a passkey challenge is for the next answer."""
    kinds = set(Factor.objects.filter(user=user).values_list("kind", flat=True))
    strong = bool(kinds & {FactorKind.APP, FactorKind.PASSKEY})
    return ProofOptions(
        code=strong,
        passkey=passkeys.begin_authentication(request=request, user=user),
        password=not strong and user.has_usable_password(),
        recovery=FactorKind.RECOVERY in kinds,
    )


def verify_proof(request: HttpRequest, user: User, now: datetime) -> ProofResult:
    """Return whether the submitted proof is valid for a user; it uses up a code or challenge."""
    # a user with a second factor must use it: a password never replaces it
    if request.POST.get("passkey") or sign_in_session.has_second_factor(user):
        return verify_second_factor(request, user, now)
    if user.check_password(request.POST.get("password", "")):
        return ProofResult(how="password")
    return ProofResult(fault=PROOF_REFUSED)


def verify_second_factor(request: HttpRequest, user: User, now: datetime) -> ProofResult:
    """Return whether a second factor was sent: a password never counts as one."""
    if answer := request.POST.get("passkey"):
        try:
            passkeys.complete_authentication(request=request, user=user, answer=answer, now=now)
        except passkeys.PasskeyRefused:
            return ProofResult(fault=WRONG_PASSKEY)
        return ProofResult(how="passkey")
    code = request.POST.get("code", "")
    factor = (
        second_factor_codes.redeem_code(user=user, code=code, now=now)
        if len(code) <= LONGEST_CODE
        else None
    )
    if factor is None:
        return ProofResult(fault=WRONG_CODE)
    if factor.kind == FactorKind.APP:
        return ProofResult(how="authenticator app")
    codes_left = services.record_used_recovery_code(user=user, now=now)
    if not codes_left:
        words = "This was your last recovery code"
    elif codes_left == 1:
        words = "1 recovery code is left"
    else:
        words = f"{codes_left} recovery codes are left"
    return ProofResult(how="recovery code", note=f"{words}. Create new ones soon.")
