"""Pages of signing in: password and second factor; and the proof that some steps require."""

from typing import Any, cast

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from apps.access.keys.middleware import PENDING_SIGN_IN
from apps.backoffice.staff import forms_awaiting_proof, identity_proofs, sign_in_session
from apps.platform.common.clock import now

SEE_OTHER = 303  # 302 is what a right password answers (apps/access/keys/middleware.py)


def render_sign_in_page(request: HttpRequest, template: str, **shown: Any) -> HttpResponse:
    """Render a page of sign-in in the desk's look."""
    return render(request, template, admin.site.each_context(request) | shown)


def clean_local_url(request: HttpRequest, address: str) -> str:
    """Return an address if it is one of ours, else an empty text."""
    ours = url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return address if ours else ""


class SignInView(LoginView):
    """The password page; a user with a second factor is then asked for it."""

    authentication_form = AdminAuthenticationForm
    template_name = "staff/sign_in.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        # already signed in: the form would only ask again
        if admin.site.has_permission(request):
            return HttpResponseRedirect(reverse("admin:index"))
        return super().get(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        site = admin.site.each_context(self.request)
        shown = {"title": "Sign in", "subtitle": None, "app_path": self.request.get_full_path()}
        shown["sign_on"] = settings.OIDC_NAME if settings.OIDC_ISSUER else ""
        return (
            super().get_context_data(**kwargs)
            | site
            | shown
            | {"username": self.request.user.get_username()}
        )

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        user = form.get_user()
        if sign_in_session.has_second_factor(user):
            going = self.get_redirect_url()
            sign_in_session.await_second_factor(
                request=self.request, user=user, next_page=going, now=now()
            )
            return HttpResponseRedirect(reverse("staff:second"))
        sign_in_session.complete_sign_in(
            request=self.request, user=user, how="Password", strong=False
        )
        return HttpResponseRedirect(self.get_success_url())


@never_cache
@sensitive_post_parameters()
def ask_second_factor(request: HttpRequest) -> HttpResponse:
    """Ask who gave the right password for the second factor."""
    moment = now()
    user = sign_in_session.get_pending_user(request, moment)
    if user is None:
        request.session.pop(PENDING_SIGN_IN, None)
        return HttpResponseRedirect(reverse("admin:login"), status=SEE_OTHER)
    fault = ""
    if request.method == "POST":
        second_factor = identity_proofs.verify_second_factor(request, user, moment)
        if second_factor.how:
            first_factor = request.session[PENDING_SIGN_IN].get("how", "Password")
            how = f"{first_factor} and {second_factor.how}"
            going = sign_in_session.complete_sign_in(
                request=request, user=user, how=how, strong=True
            )
            if second_factor.note:
                messages.warning(request, second_factor.note)
            return HttpResponseRedirect(going or reverse("admin:index"))
        fault = second_factor.fault
    proof_options = identity_proofs.get_proof_options(request, user)
    return render_sign_in_page(
        request, "staff/second.html", title="Second factor", asked=proof_options, fault=fault
    )


@never_cache
@sensitive_post_parameters()
def ask_identity_proof(request: HttpRequest) -> HttpResponse:
    """Ask the user for a new proof of identity; then return to their page."""
    moment, user = now(), cast(User, request.user)
    going = clean_local_url(request, request.GET.get(REDIRECT_FIELD_NAME, "")) or reverse(
        "staff:security"
    )
    fault = ""
    if request.method == "POST":
        proof = identity_proofs.verify_proof(request, user, moment)
        if proof.how:
            sign_in_session.update_sign_in_state(
                request, proved=int(moment.timestamp()), proof=proof.how
            )
            if proof.note:
                messages.warning(request, proof.note)
            return HttpResponseRedirect(going)
        fault = proof.fault
    proof_options = identity_proofs.get_proof_options(request, user)
    shown: dict[str, Any] = {
        "minutes": settings.STEP_UP_MINUTES,
        "waits": forms_awaiting_proof.get_held_form(request, moment),
    }
    shown |= {"sign_on": settings.OIDC_NAME if settings.OIDC_ISSUER else "", "going": going}
    return render_sign_in_page(
        request,
        "staff/prove.html",
        title="Confirm your identity",
        asked=proof_options,
        fault=fault,
        **shown,
    )


@never_cache
def resend_held_form(request: HttpRequest) -> HttpResponse:
    """Send the form that waited: it is in this page as it was typed."""
    form = forms_awaiting_proof.get_held_form(request, now())
    if form is None:
        messages.warning(request, "Your request has expired. Nothing was changed.")
        return HttpResponseRedirect(reverse("admin:index"))
    return render_sign_in_page(
        request, "staff/go_on.html", title="One more step", place=form[0], fields=form[1]
    )
