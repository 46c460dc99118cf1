"""Requests for keys that wait for another operator, in words."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.urls import reverse

from apps.access.keys.models import ApiKey, KeyRequest
from apps.platform.core.api.routers import operations_of_service
from apps.platform.desk.approvals import Approvals, PendingApproval
from apps.platform.desk.proposal_admin import pending_approvals
from config.services import SERVICES

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def list_waiting_requests(user: "User", now: datetime) -> Approvals | None:
    """Return requests that wait for this user."""
    if not user.has_perm("access.decide_keyrequest"):
        return None
    return pending_approvals(KeyRequest.objects.select_related("account"), user, build_waiting_line)


def describe_key_powers(request: KeyRequest, now: datetime) -> tuple[str, ...]:
    """Return what a key would let whoever holds it do, in sentences; none once it is decided."""
    if request.state != KeyRequest.State.PROPOSED:
        return ()
    return (
        _describe_endpoints(request),
        _describe_rate(request),
        _describe_expiry(request),
        _describe_other_keys(request, now),
    )


def _describe_endpoints(request: KeyRequest) -> str:
    taken = {
        one.title: sum(request.kind in row.access.keys for row in operations_of_service(one.name))
        for one in SERVICES.values()
    }
    found = [f"{many} address{'' if many == 1 else 'es'} of the {title}"
             for title, many in taken.items() if many]  # fmt: skip
    return (
        f"Whoever holds its secret calls {' and '.join(found)} as {request.account}, at its cost."
    )


def _describe_rate(request: KeyRequest) -> str:
    general = settings.RATES[request.kind]
    if request.rate_per_minute:
        rate = f"{request.rate_per_minute:,} times a minute"
        return f"It may call {rate}; others of this kind may {general:,} times."
    return f"It may call {general:,} times a minute, as others of this kind."


def _describe_expiry(request: KeyRequest) -> str:
    if request.days:
        return f"It ends by itself {request.days:,} days after its secret is drawn."
    return "It never ends by itself: it works until somebody revokes it."


def _describe_other_keys(request: KeyRequest, now: datetime) -> str:
    working = ApiKey.objects.usable(now).filter(account=request.account_id)
    kinds = list(working.values_list("kind", flat=True))
    if not kinds:
        return f"It would be the only working key of {request.account}."
    same = kinds.count(request.kind)
    many = f"{len(kinds):,} working key{'' if len(kinds) == 1 else 's'}"
    return f"{request.account} has {many} already, {same or 'none'} of this kind."


def build_waiting_line(request: KeyRequest) -> PendingApproval:
    """Return a request as a line of what waits for approval."""
    rate = request.rate_per_minute
    changes = (
        ("Account", "", request.account.name),
        ("Kind", "", request.get_kind_display()),
        ("Label", "", request.label or "none"),
        ("Ends", "", f"{request.days} days after it is drawn" if request.days else "never"),
        ("Calls a minute", "", f"{rate:,}" if rate else "the platform's default"),
    )
    return PendingApproval(
        kind="Key",
        title=f"Issue a key: {request.account.name}, {request.get_kind_display().lower()}",
        changes=changes,
        by=request.proposed_by.get_username(),
        at=request.proposed_at,
        why=request.reason,
        address=reverse("admin:access_keyrequest_change", args=[request.pk]),
    )
