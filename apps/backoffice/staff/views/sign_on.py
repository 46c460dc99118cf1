"""The pages of single sign-on: to the provider, and back with its answer."""

import logging
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from apps.access.keys.client_address import get_client_address
from apps.backoffice.staff import oidc, services, sign_in_session
from apps.backoffice.staff.integrity import changed_by
from apps.backoffice.staff.models import PeopleEventType, SignIn, SignOn
from apps.backoffice.staff.rules import session_lifetimes, single_sign_on
from apps.backoffice.staff.views.sign_in import clean_local_url
from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError

REQUEST_KEY = "staff_sign_on"
HOW = "Single sign-on"
logger = logging.getLogger(__name__)


@never_cache
@require_safe
def start_sign_on(request: HttpRequest) -> HttpResponse:
    """Redirect to the provider; a user who is signed in here must prove it there again."""
    if not oidc.is_configured():
        raise Http404
    authorization_request, again = (
        oidc.create_authorization_request(),
        request.user.is_authenticated,
    )
    going = clean_local_url(request, request.GET.get(REDIRECT_FIELD_NAME, ""))
    try:
        place = oidc.build_authorization_url(
            authorization_request=authorization_request,
            back=_build_callback_url(request),
            again=again,
        )
    except oidc.SignOnRefused as error:
        return _refuse_sign_on(
            request, str(error), "The single sign-on provider cannot be reached."
        )
    at = int(now().timestamp())
    request.session[REQUEST_KEY] = asdict(authorization_request) | {
        "at": at,
        "next": going,
        "again": again,
    }
    return HttpResponseRedirect(place)


@never_cache
@require_safe
def finish_sign_on(request: HttpRequest) -> HttpResponse:
    """Take the provider's answer: let in whom it proves and who has a role here."""
    if not oidc.is_configured():
        raise Http404
    moment = now()
    kept_request: dict[str, Any] = request.session.pop(REQUEST_KEY, {})
    fresh = session_lifetimes.is_recent(
        kept_request.get("at"), int(moment.timestamp()), session_lifetimes.PENDING_SECONDS
    )
    same = constant_time_compare(request.GET.get("state", ""), kept_request.get("state", ""))
    # a callback that this browser did not request, or too late (RFC 6749 section 10.12)
    if not fresh or not same:
        return _refuse_sign_on(
            request, "an answer to no question", "That took too long. Try again."
        )
    authorization_request = oidc.AuthorizationRequest(
        kept_request["state"], kept_request["nonce"], kept_request["verifier"]
    )
    code = request.GET.get("code", "")
    try:
        if not code:
            raise oidc.SignOnRefused(f"it said {request.GET.get('error', 'nothing')[:60]!r}")
        claims = oidc.fetch_claims(
            authorization_request=authorization_request,
            code=code,
            back=_build_callback_url(request),
        )
        user = load_or_create_person(claims=claims, now=moment)
    except oidc.SignOnRefused as error:
        return _refuse_sign_on(request, str(error), "Single sign-on failed.")
    if kept_request["again"]:
        # providers may ignore `prompt`: only a login after our request counts as recent proof
        recent = claims.proved_at >= kept_request["at"] - oidc.LEEWAY
        if user.pk != request.user.pk or not recent or sign_in_session.has_second_factor(user):
            return _refuse_sign_on(
                request,
                "no recent proof of identity",
                "Your identity was not confirmed again.",
            )
        # without `proof`, the record of a decision would name the proof that was given before
        sign_in_session.update_sign_in_state(request, proved=int(now().timestamp()), proof=HOW)
        return HttpResponseRedirect(kept_request["next"] or reverse("admin:index"))
    going = kept_request["next"]
    strong = single_sign_on.is_second_factor_claimed(
        amr=claims.amr, acr=claims.acr, accepted=settings.OIDC_MFA_ACR
    )
    if not strong and sign_in_session.has_second_factor(user):
        sign_in_session.await_second_factor(
            request=request, user=user, next_page=going, now=moment, how=HOW
        )
        return HttpResponseRedirect(reverse("staff:second"))
    how = f"{HOW} with a second factor" if strong else HOW
    sign_in_session.complete_sign_in(request=request, user=user, how=how, strong=strong)
    return HttpResponseRedirect(going or reverse("admin:index"))


def load_or_create_person(*, claims: oidc.Claims, now: datetime) -> User:
    """Return the user that the provider names, with the roles of their groups; raises
    SignOnRefused.

    A new account is created; an existing one of the same name is used only if it has no password of
    its own. Superusers sign in by password.
    """
    roles = single_sign_on.map_groups_to_roles(groups=claims.groups, mapping=settings.OIDC_ROLES)
    with transaction.atomic(), changed_by(HOW):
        try:
            known = SignOn.objects.filter(issuer=settings.OIDC_ISSUER, subject=claims.subject)
            link = known.select_related("user").first()
            # strangers with an account at the provider get none here
            if link is None and not roles:
                raise oidc.SignOnRefused("none of their groups has a role here")
            user = link.user if link else _create_linked_user(claims, now)
            if not (user.is_active and user.is_staff) or user.is_superuser:
                raise oidc.SignOnRefused(f"{user} does not sign in this way")
        except DomainError as error:  # a new name that looks like another's
            raise oidc.SignOnRefused(error.detail) from None
        held_roles = set(user.groups.values_list("name", flat=True))
        if held_roles != set(roles):
            user.groups.set(Group.objects.filter(name__in=roles))
            role_names = ", ".join(roles) or "none"
            services.record_people_event(
                person=user, what=PeopleEventType.ROLES, by=HOW, now=now, roles=role_names
            )
        if not roles:
            services.end_sign_ins(rows=SignIn.objects.filter(user=user))
    # after the transaction, so that the loss of the roles is stored in spite of the refusal
    if not roles:
        raise oidc.SignOnRefused(f"no group of {user} has a role here any more")
    return user


def _create_linked_user(claims: oidc.Claims, now: datetime) -> User:
    user = User.objects.filter(username=claims.name).first()
    if user is None:
        user = User(username=claims.name)
        user.set_unusable_password()
    # the provider's users may choose their names: nobody must take over another's account
    elif user.has_usable_password() or user.is_superuser or SignOn.objects.filter(user=user):
        raise oidc.SignOnRefused(
            "an account of that name belongs to another person, or has a password"
        )
    user.is_staff = True
    user.save()
    SignOn.objects.create(user=user, issuer=settings.OIDC_ISSUER, subject=claims.subject)
    services.record_people_event(person=user, what=PeopleEventType.JOINED, by=HOW, now=now)
    return user


def _build_callback_url(request: HttpRequest) -> str:
    return request.build_absolute_uri(reverse("staff:sign_on_back"))


def _refuse_sign_on(request: HttpRequest, why: str, words: str) -> HttpResponse:
    logger.warning("single sign-on refused from %s: %s", get_client_address(request), why)
    messages.error(request, words)
    place = "staff:security" if request.user.is_authenticated else "admin:login"
    return HttpResponseRedirect(reverse(place))
