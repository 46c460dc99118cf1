"""Changes of entity that wait for another person, in words."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.core.places import country_name
from apps.desk.approvals import Approvals, Waiting
from apps.desk.proposals import pending
from apps.registry.models import EntityChange
from apps.registry.rules.steps import COOLING_OFF

if TYPE_CHECKING:
    from django.contrib.auth.models import User

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
        f"The present entity counts for {HOURS} more hours; then the new one does.",
        "It is held against the lists and GLEIF at that moment; what is in doubt goes to review.",
        "Aliases and the proof of ownership are the present entity's: they do not pass on.",
        "Deactivating the wallet before then stops the change.",
    )
