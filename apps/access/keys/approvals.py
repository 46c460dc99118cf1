"""Describe requests for keys that wait for another operator."""

from collections.abc import Iterator
from datetime import datetime

from django.conf import settings

from apps.access.keys.models import ApiKey, KeyRequest
from apps.platform.api.routers import operations_of_service
from apps.platform.desk.proposal_admin import PendingProposals
from config.services import SERVICES


def describe_key_powers(request: KeyRequest, now: datetime) -> tuple[str, ...]:
    """Describe what a key would let its holder do; nothing once the request is decided."""
    if request.state != KeyRequest.State.PROPOSED:
        return ()
    if request.days:
        expiry = f"It expires {request.days:,} days after its secret is collected."
    else:
        expiry = "It does not expire and works until it is revoked."
    working = ApiKey.objects.usable(now).filter(account=request.account_id)
    kinds = list(working.values_list("kind", flat=True))
    if not kinds:
        other_keys = f"It would be the only active key of {request.account}."
    else:
        same = kinds.count(request.kind)
        many = f"{len(kinds):,} active key{'' if len(kinds) == 1 else 's'}"
        other_keys = f"{request.account} already has {many}, {same or 'none'} of this type."
    # counted from the declared operations, so that the text follows every change of them
    taken = {
        service.title: sum(
            request.kind in row.access.keys for row in operations_of_service(service.name)
        )
        for service in SERVICES.values()
    }
    parts = [f"{many} address{'' if many == 1 else 'es'} of the {title}"
             for title, many in taken.items() if many]  # fmt: skip
    endpoints = (
        f"Anyone with the secret can call {' and '.join(parts)} as {request.account}, at its cost."
    )
    return (
        endpoints,
        _describe_rate(request),
        expiry,
        other_keys,
    )


def _describe_rate(request: KeyRequest) -> str:
    general = settings.RATES[request.kind]
    if request.rate_per_minute:
        rate = f"{request.rate_per_minute:,} times a minute"
        return f"Limit: {rate}. Other keys of this type: {general:,} times."
    return f"Limit: {general:,} times a minute, like other keys of this type."


def _list_requested_terms(request: KeyRequest) -> Iterator[tuple[str, str, str]]:
    rate = request.rate_per_minute
    yield "Account", "", request.account.name
    yield "Kind", "", request.get_kind_display()
    yield "Label", "", request.label or "none"
    yield "Ends", "", f"{request.days} days after it is collected" if request.days else "never"
    yield "Calls per minute", "", f"{rate:,}" if rate else "the platform's default"


PENDING = PendingProposals(
    KeyRequest,
    kind="Key",
    title=lambda request: (
        f"Issue a key: {request.account.name}, {request.get_kind_display().lower()}"
    ),
    changes=_list_requested_terms,
    related=("account",),
)
