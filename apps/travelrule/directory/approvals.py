"""Changes of the directory that wait for another officer, in words."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.urls import reverse

from apps.desk.approvals import Approvals, Waiting
from apps.desk.proposals import pending
from apps.travelrule.ivms import DIALECTS
from apps.travelrule.models import Vasp, VaspChange
from apps.travelrule.rules.directory import REACHES_BACK

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LABELS = {
    "lei": "LEI",
    "name": "Legal name",
    "endpoint": "Endpoint",
    "dialect": "Dialect it reads",
    "valid_from": "First day",
    "valid_until": "Last day",
    "wallets": "Wallets that it serves",
    "leis": "LEIs of its customers",
}
SHOWN = 20  # of a list


def changes(user: "User", now: datetime) -> Approvals | None:
    """Return proposals that wait for this user."""
    if not user.has_perm("travelrule.decide_vaspchange"):
        return None
    return pending(VaspChange.objects.all(), user, waiting)


def waiting(change: VaspChange) -> Waiting:
    """Return a proposal as a line of what waits for approval."""
    address = reverse("admin:travelrule_vaspchange_change", args=[change.pk]) if change.pk else ""
    return Waiting(
        kind="Counterparty",
        title=str(change),
        changes=tuple(_turns(change)),
        by=change.proposed_by.get_username(),
        at=change.proposed_at,
        why=change.reason,
        address=address,
    )


def _turns(change: VaspChange) -> list[tuple[str, str, str]]:
    held = _held(change)
    before, after = (held.stated() if held else {}), change.stated()
    found = [
        (label, words(name, before.get(name)), words(name, after[name]))
        for name, label in LABELS.items()
        if before.get(name) != after[name]
    ]
    if change.new_key:
        found.append(("Shared secret", "", f"a further one, {change.new_key[:8]}"))
    if change.drop_older:
        found.append(("Older secret", "live", "proves nothing any more"))
    return found


def _held(change: VaspChange) -> Vasp | None:
    """Return what a proposal that waits is to change; one that was decided is told as it was."""
    if change.state != VaspChange.State.PROPOSED or not change.based_on:
        return None
    return Vasp.objects.filter(lei=change.lei, version=change.based_on).first()


def words(name: str, value: Any) -> str:
    """Return a value of an entry as people read it."""
    if isinstance(value, list):
        more = f"\n… and {len(value) - SHOWN} more" if len(value) > SHOWN else ""
        return "\n".join(value[:SHOWN]) + more or "none"
    if name == "dialect" and value in DIALECTS:
        return DIALECTS[value].title
    if hasattr(value, "strftime"):
        return f"{value:%d %b %Y}"
    return str(value or "none")


def means(change: VaspChange) -> tuple[str, ...]:
    """Return what follows from a proposal when it is approved, in sentences."""
    return (
        "Names, accounts and amounts of payments to those whom it serves are sent to the endpoint.",
        f"So are records of the last {REACHES_BACK.days} days that were stored because no endpoint "
        "was known, from its first day on.",
        "Messages that its secret proves are taken as this VASP’s, whatever name they bear.",
    )
