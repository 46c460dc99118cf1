"""Describe changes of the directory that wait for another officer."""

from typing import Any

from apps.payments.travelrule.ivms import DIALECTS
from apps.payments.travelrule.models import Vasp, VaspChange
from apps.payments.travelrule.rules.directory import RESEND_PERIOD
from apps.platform.desk.proposal_admin import PendingProposals

LABELS = {
    "lei": "LEI",
    "name": "Legal name",
    "endpoint": "Endpoint",
    "dialect": "Message dialect",
    "valid_from": "First day",
    "valid_until": "Last day",
    "wallets": "Wallets served",
    "leis": "Customer LEIs",
}
MAX_SHOWN = 20  # of a list


def _list_changed_fields(change: VaspChange) -> list[tuple[str, str, str]]:
    # a decided change is shown as it was proposed, not compared with the current entry
    if change.state != VaspChange.State.PROPOSED or not change.based_on:
        current_entry = None
    else:
        current_entry = Vasp.objects.filter(lei=change.lei, version=change.based_on).first()
    before, after = (current_entry.stated() if current_entry else {}), change.stated()
    changed_fields = [
        (label, format_entry_value(name, before.get(name)), format_entry_value(name, after[name]))
        for name, label in LABELS.items()
        if before.get(name) != after[name]
    ]
    if change.new_key:
        changed_fields.append(("Shared secret", "", f"a further one, {change.new_key[:8]}"))
    if change.drop_older:
        changed_fields.append(("Older secret", "live", "proves nothing any more"))
    return changed_fields


def format_entry_value(name: str, value: Any) -> str:
    """Return a value of an entry as people read it."""
    if isinstance(value, list):
        more = f"\n… and {len(value) - MAX_SHOWN} more" if len(value) > MAX_SHOWN else ""
        return "\n".join(value[:MAX_SHOWN]) + more or "none"
    if name == "dialect" and value in DIALECTS:
        return DIALECTS[value].title
    if hasattr(value, "strftime"):
        return f"{value:%d %b %Y}"
    return str(value or "none")


def describe_change_effects(change: VaspChange) -> tuple[str, ...]:
    """Return what follows from a proposal when it is approved, in sentences."""
    until = f", until {change.valid_until:%d %b %Y}" if change.valid_until else ""
    return (
        "Names, accounts and amounts of payments to its customers are sent to the "
        f"endpoint{until}.",
        f"So are records of the last {RESEND_PERIOD.days} days that were stored because no "
        f"endpoint was known, from its first day on.",
        "Messages signed with its secret count as this VASP’s, whatever name they state.",
    )


PENDING = PendingProposals(VaspChange, kind="Counterparty", title=str, changes=_list_changed_fields)
