"""Pages of one's own account: second factors, recovery codes, and current sign-ins."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from apps.backoffice.staff import (
    passkeys,
    second_factor_codes,
    secret_encryption,
    services,
    sign_in_session,
)
from apps.backoffice.staff.models import STRONG, Factor, FactorKind, SignIn
from apps.backoffice.staff.session_store import hash_session_key
from apps.backoffice.staff.views.sign_in import render_sign_in_page
from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError

NEW_APP = "staff_new_app"


def _get_user(request: HttpRequest) -> User:
    return cast(User, request.user)


def _redirect_to_security() -> HttpResponse:
    return HttpResponseRedirect(reverse("staff:security"))


@never_cache
def show_security(request: HttpRequest) -> HttpResponse:
    """Show one's second factors, and what can be done about them."""
    rows = list(Factor.objects.filter(user=_get_user(request)).order_by("pk"))
    factors = [row for row in rows if row.kind in STRONG]
    shown = {
        "factors": factors,
        "has_app": any(row.kind == FactorKind.APP for row in factors),
        "recovery": len(rows) - len(factors),
        "due": not factors and not sign_in_session.get_sign_in_state(request).get("strong"),
    }
    return render_sign_in_page(request, "staff/security.html", title="Your sign-in", **shown)


@never_cache
def set_up_authenticator_app(request: HttpRequest) -> HttpResponse:
    """Show a new secret for an authenticator app, and keep it once a code of it was typed."""
    moment, fault = now(), ""
    if request.method == "POST":
        sealed = request.session.get(NEW_APP, "")
        secret = secret_encryption.decrypt_secret(sealed) if sealed else ""
        code = request.POST.get("code", "")[:20]
        step = (
            second_factor_codes.find_time_step(secret=secret, code=code, now=moment)
            if secret
            else None
        )
        if step is not None:
            del request.session[NEW_APP]
            authenticator = services.add_authenticator_app(
                user=_get_user(request), secret=secret, step=step, now=moment
            )
            return _finish_factor_setup(
                request, "The authenticator app has been set up.", authenticator
            )
        fault = "This code is not correct. Check the app again and make sure its clock is right."
    else:
        secret = second_factor_codes.generate_app_secret()
        # sessions are rows of the database, where no secret is kept in clear
        request.session[NEW_APP] = secret_encryption.encrypt_secret(secret)
    if not secret:
        return _redirect_to_security()
    address = second_factor_codes.build_otpauth_url(
        secret=secret, name=_get_user(request).get_username()
    )
    spaced = " ".join(secret[i : i + 4] for i in range(0, len(secret), 4))
    picture = mark_safe(second_factor_codes.draw_qr_code(address))  # noqa: S308  drawn here, of squares alone
    return render_sign_in_page(
        request, "staff/app.html", title="Authenticator app", picture=picture, secret=spaced,
        fault=fault,
    )  # fmt: skip


@never_cache
def set_up_passkey(request: HttpRequest) -> HttpResponse:
    """Let the browser make a passkey, and keep it."""
    moment, fault, name = now(), "", passkeys.UNNAMED
    if request.method == "POST":
        name, answer = request.POST.get("name", "").strip(), request.POST.get("passkey", "")
        fault = passkeys.find_name_fault(name)
        if not fault:
            try:
                passkey = passkeys.complete_registration(
                    request=request, user=_get_user(request), answer=answer, name=name, now=moment
                )
            except passkeys.PasskeyRefused:
                fault = "The browser's answer was not accepted. Try again."
            else:
                recovery = services.record_added_factor(
                    user=_get_user(request), name=passkey.name, now=moment
                )
                return _finish_factor_setup(
                    request, f"The passkey “{passkey.name}” has been set up.", recovery
                )
    options = passkeys.begin_registration(request=request, user=_get_user(request))
    shown = {"options": options, "fault": fault, "name": name, "longest": passkeys.LONGEST_NAME}
    return render_sign_in_page(request, "staff/passkey.html", title="Passkey", **shown)


def _finish_factor_setup(request: HttpRequest, words: str, recovery: list[str]) -> HttpResponse:
    """Go on with a sign-in that has its second factor now; recovery codes are shown once."""
    sign_in_session.update_sign_in_state(request, strong=True)
    messages.success(request, words)
    return _render_recovery_codes(request, recovery) if recovery else _redirect_to_security()


def _render_recovery_codes(request: HttpRequest, recovery_codes: list[str]) -> HttpResponse:
    return render_sign_in_page(
        request, "staff/recovery.html", title="Recovery codes", codes=recovery_codes
    )


def show_new_recovery_codes(request: HttpRequest) -> HttpResponse:
    """Make new recovery codes and show them once; who comes back to them is led on."""
    if request.method != "POST":
        return _redirect_to_security()
    if not sign_in_session.has_second_factor(_get_user(request)):
        raise Http404
    return _render_recovery_codes(
        request, services.renew_recovery_codes(user=_get_user(request), now=now())
    )


@require_POST
def remove_own_factor(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove one of one's second factors."""
    factor = get_object_or_404(Factor, pk=pk, user=_get_user(request), kind__in=STRONG)
    try:
        services.remove_factor(user=_get_user(request), factor=factor, now=now())
    except DomainError as error:
        messages.error(request, error.detail)
    else:
        messages.success(request, f"{factor} has been removed.")
    return _redirect_to_security()


@never_cache
def manage_sign_ins(request: HttpRequest) -> HttpResponse:
    """Show where one is signed in; end one of them, or all others."""
    rows = services.list_current_sign_ins(_get_user(request), now())
    here = hash_session_key(request.session.session_key)
    if request.method == "POST":
        others = rows.exclude(key=here)
        which = request.POST.get("which", "")
        if which != "others":
            known = which.isascii() and which.isdigit() and len(which) < 19
            others = (
                SignIn.objects.filter(pk=int(which), user=_get_user(request))
                if known
                else rows.none()
            )
            others = others.exclude(key=here)
        count = services.end_sign_ins(rows=others)
        ended = "1 sign-in ended." if count == 1 else f"{count} sign-ins ended."
        messages.success(request, ended)
        return HttpResponseRedirect(reverse("staff:sign_ins"))
    return render_sign_in_page(
        request, "staff/sign_ins.html", title="Where you are signed in", rows=rows, here=here
    )
