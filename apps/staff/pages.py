"""One's own pages: second factors, recovery codes, and where one is signed in."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from apps.core.clock import now
from apps.core.problems import DomainError
from apps.staff import actions, browser, codes, passkeys, vault
from apps.staff.entering import draw
from apps.staff.models import STRONG, Factor, FactorKind, SignIn

NEW_APP = "staff_new_app"


def _me(request: HttpRequest) -> User:
    return cast(User, request.user)


def _to_security() -> HttpResponse:
    return HttpResponseRedirect(reverse("staff:security"))


@never_cache
def security(request: HttpRequest) -> HttpResponse:
    """Show one's second factors, and what can be done about them."""
    rows = list(Factor.objects.filter(user=_me(request)).order_by("pk"))
    factors = [row for row in rows if row.kind in STRONG]
    shown = {
        "factors": factors,
        "has_app": any(row.kind == FactorKind.APP for row in factors),
        "recovery": len(rows) - len(factors),
        "due": not factors and not browser.state(request).get("strong"),
    }
    return draw(request, "staff/security.html", title="Your sign-in", **shown)


@never_cache
def app(request: HttpRequest) -> HttpResponse:
    """Show a new secret for an authenticator app, and keep it once a code of it was typed."""
    moment, fault = now(), ""
    if request.method == "POST":
        sealed = request.session.get(NEW_APP, "")
        secret = vault.unseal(sealed) if sealed else ""
        code = request.POST.get("code", "")[:20]
        step = codes.step_of(secret=secret, code=code, now=moment) if secret else None
        if step is not None:
            del request.session[NEW_APP]
            made = actions.add_app(user=_me(request), secret=secret, step=step, now=moment)
            return _added(request, "The authenticator app is set up.", made)
        fault = "This code does not fit. Look at the app once more; its clock must be right."
    else:
        secret = codes.new_secret()
        request.session[NEW_APP] = vault.seal(secret)
    if not secret:
        return _to_security()
    address = codes.address(secret=secret, name=_me(request).get_username())
    spaced = " ".join(secret[i : i + 4] for i in range(0, len(secret), 4))
    picture = mark_safe(codes.picture(address))  # noqa: S308  drawn here, of squares alone
    return draw(
        request, "staff/app.html", title="Authenticator app", picture=picture, secret=spaced,
        fault=fault,
    )  # fmt: skip


@never_cache
def passkey(request: HttpRequest) -> HttpResponse:
    """Let the browser make a passkey, and keep it."""
    moment, fault, name = now(), "", passkeys.UNNAMED
    if request.method == "POST":
        name, answer = request.POST.get("name", "").strip(), request.POST.get("passkey", "")
        fault = passkeys.name_fault(name)
        if not fault:
            try:
                made = passkeys.add(
                    request=request, user=_me(request), answer=answer, name=name, now=moment
                )
            except passkeys.Refused:
                fault = "The browser's answer was not accepted. Try again."
            else:
                recovery = actions.added(user=_me(request), name=made.name, now=moment)
                return _added(request, f"The passkey “{made.name}” is set up.", recovery)
    options = passkeys.offer(request=request, user=_me(request))
    shown = {"options": options, "fault": fault, "name": name, "longest": passkeys.LONGEST_NAME}
    return draw(request, "staff/passkey.html", title="Passkey", **shown)


def _added(request: HttpRequest, words: str, recovery: list[str]) -> HttpResponse:
    """Go on with a sign-in that has its second factor now; recovery codes are shown once."""
    browser.note(request, strong=True)
    messages.success(request, words)
    return _codes(request, recovery) if recovery else _to_security()


def _codes(request: HttpRequest, made: list[str]) -> HttpResponse:
    return draw(request, "staff/recovery.html", title="Recovery codes", codes=made)


def recovery(request: HttpRequest) -> HttpResponse:
    """Make new recovery codes and show them once; who comes back to them is led on."""
    if request.method != "POST":
        return _to_security()
    if not browser.has_second(_me(request)):
        raise Http404
    return _codes(request, actions.renew_recovery(user=_me(request), now=now()))


@require_POST
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove one of one's second factors."""
    factor = get_object_or_404(Factor, pk=pk, user=_me(request), kind__in=STRONG)
    try:
        actions.remove(user=_me(request), factor=factor, now=now())
    except DomainError as error:
        messages.error(request, error.detail)
    else:
        messages.success(request, f"{factor} is removed.")
    return _to_security()


@never_cache
def sign_ins(request: HttpRequest) -> HttpResponse:
    """Show where one is signed in; end one of them, or all others."""
    rows = actions.standing(_me(request), now())
    here = request.session.session_key
    if request.method == "POST":
        others = rows.exclude(key=here)
        which = request.POST.get("which", "")
        if which != "others":
            known = which.isascii() and which.isdigit() and len(which) < 19
            others = (
                SignIn.objects.filter(pk=int(which), user=_me(request)) if known else rows.none()
            )
            others = others.exclude(key=here)
        count = actions.end(rows=others)
        ended = "1 sign-in is ended." if count == 1 else f"{count} sign-ins are ended."
        messages.success(request, ended)
        return HttpResponseRedirect(reverse("staff:sign_ins"))
    return draw(
        request, "staff/sign_ins.html", title="Where you are signed in", rows=rows, here=here
    )
