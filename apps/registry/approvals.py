"""Changes of entity that wait for another person, in words."""

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from django.db.models import QuerySet
from django.urls import reverse

from apps.core.clock import now as clock
from apps.core.places import country_name
from apps.core.problems import DomainError
from apps.desk.approvals import Approvals, Waiting
from apps.desk.proposals import pending
from apps.registry.changing import screened
from apps.registry.models import EntityChange
from apps.registry.register.gather import Checks
from apps.registry.rules.steps import COOLING_OFF
from apps.review.models import UNDECIDED, Case

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MOST = 10  # open cases of the wallet that are shown
HOURS = int(COOLING_OFF.total_seconds() // 3600)


def changes(user: "User", now: datetime) -> Approvals | None:
    """Return proposals that wait for this user."""
    if not user.has_perm("registry.decide_entitychange"):
        return None
    return pending(EntityChange.objects.select_related("registration"), user, waiting)


def waiting(change: EntityChange) -> Waiting:
    """Return a proposal as a line of what waits for approval."""
    row = change.registration
    return Waiting(
        kind="Entity",
        title=f"Another entity for {row.wallet}",
        changes=(
            ("Wallet", "", row.wallet),
            ("Legal name", row.legal_name, change.legal_name),
            ("LEI", row.lei or "none", change.lei or "none"),
            ("Country", country_name(row.country), country_name(change.country)),
        ),
        by=change.proposed_by.get_username(),
        at=change.proposed_at,
        why=change.reason,
        address=reverse("admin:registry_entitychange_change", args=[change.pk])
        if change.pk
        else "",
    )


def means(change: EntityChange) -> tuple[str, ...]:
    """Return what follows from a proposal when it is approved, in sentences."""
    return (
        *_today(change),
        f"The present entity counts for {HOURS} more hours; then the new one does.",
        "It is held against the lists and GLEIF again then; what is in doubt goes to review.",
        "Aliases and the proof of ownership are the present entity's: they do not pass on.",
        "Deactivating the wallet before then stops the change.",
    )


def open_cases(change: EntityChange) -> QuerySet[Case]:
    """Return the open cases of a proposal's wallet, of whatever kind, the newest first."""
    found = Case.objects.filter(wallet_key=change.registration.wallet.lower())
    return found.filter(status__in=UNDECIDED).defer("evidence").order_by("-pk")


def _today(change: EntityChange) -> Iterator[str]:
    """Yield what lists and GLEIF have of a proposed entity now, while it is to be decided."""
    if change.state != EntityChange.State.PROPOSED:
        return
    try:
        checks, judgement = screened(change, now=clock())
    except DomainError as error:
        yield f"Lists and GLEIF cannot be asked now: {error.detail}"
        return
    if judgement.refused:
        yield "It cannot be approved: a senior officer sees why. Tell the client nothing of it."
        return
    if not checks.sanctions.matches:
        yield f"Nobody on the lists of today is like {change.legal_name}."
    yield _gleif(change, checks)
    for one in judgement.findings:
        yield f"To be looked at: {one.reason}"


def _gleif(change: EntityChange, checks: Checks) -> str:
    if checks.entity is None:
        return "No LEI is given: GLEIF bears nothing of it out."
    entity = checks.entity
    state = checks.lei_status.lower()
    return f"GLEIF has {entity.legal_name}, {country_name(entity.country)}; the LEI is {state}."
