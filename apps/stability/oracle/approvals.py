"""Changes of tier weights that wait for another operator, in words."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.desk.approvals import Approvals, Waiting
from apps.desk.proposals import pending
from apps.stability.models import TierChange
from apps.stability.oracle.answers import LAYER_TITLES

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def changes(user: "User", now: datetime) -> Approvals | None:
    """Return proposals that wait for this user."""
    if not user.has_perm("stability.decide_tierchange"):
        return None
    return pending(TierChange.objects.all(), user, waiting)


def waiting(change: TierChange) -> Waiting:
    """Return a proposal as a line of what waits for approval."""
    address = reverse("admin:stability_tierchange_change", args=[change.pk]) if change.pk else ""
    return Waiting(
        kind="Weights of the oracle",
        title=str(change),
        changes=tuple(_turn(one) for one in change.grounds),
        by=change.proposed_by.get_username(),
        at=change.proposed_at,
        why=change.reason,
        address=address,
    )


def _turn(one: dict[str, object]) -> tuple[str, str, str]:
    named = LAYER_TITLES.get(str(one["tier"]), str(one["tier"]))
    was, becomes = (f"{int(str(one[name])) / 10:g} %" for name in ("was", "becomes"))
    return f"{named}: {one['why']}", was, becomes


def means(change: TierChange) -> tuple[str, ...]:
    """Return what follows from a change, and how it tells bad weeks from good ones."""
    (before, pairs), (after, _) = change.measured["before"], change.measured["after"]
    ranks = (
        [f"Of {change.measured['weeks']} weeks: AUC {before / pairs:.3f} becomes "
         f"{after / pairs:.3f}."]
        if pairs
        else []
    )  # fmt: skip
    return (*ranks, "Runs from then on are weighed so; those before stay as they are.")
