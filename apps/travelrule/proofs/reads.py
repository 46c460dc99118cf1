"""GET /travel-rule/:paymentId/proof: a record's events in the signed tree."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from rest_framework.exceptions import ValidationError

from apps.core.callers import Caller
from apps.core.canonical import canonical, digest
from apps.travelrule.models import TravelEvent, TravelRecord
from apps.travelrule.proofs import roots
from apps.travelrule.proofs.evidence import covered, evidence, seals_of
from apps.travelrule.proofs.merkle import consistency
from apps.travelrule.proofs.stamping import stamps
from apps.travelrule.proofs.tiles import Tree
from apps.travelrule.reads import outbound_of
from apps.travelrule.telling import RecordUnproved, events_of, is_proved


def proof(*, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime) -> Any:
    """Return the inclusion proofs of a record; see ProofOut.

    NotFound for another institution's record, RecordUnproved (503) for one that was altered.
    """
    record = outbound_of(asked["payment_id"], caller)
    events = events_of([record])[record.pk]
    if not is_proved(record, events):
        raise RecordUnproved("The record is not as it was recorded; the operator has to look.")
    root = roots.last()
    tree = Tree(root.size if root else 0)
    since = asked.get("since")
    if since is not None and not 1 <= since <= tree.size:
        raise ValidationError({"since": [f"The signed tree has {tree.size} entries."]})
    seals = seals_of(events)
    shown = covered(events, seals, tree)
    # of later steps the payload is the operator's own: its hash is what the seal holds
    told = [evidence(one, seals[one.pk], tree, payload=one.number == 1) for one in shown]
    answer: dict[str, Any] = {
        "id": str(record.record_id),
        "payment_id": str(record.payment_id),
        "events": [one | {"sealed_at": one.pop("sealedAt")} for one in told],
        "waiting": len(events) - len(shown),
    }
    if made := first_row(record, events):
        answer["made"] = made
    if root:
        answer["root"] = root.data
        if stamp := stamps.told(stamps.first_over(_last_place(shown, seals), tree.size), tree):
            answer["stamp"] = stamp
    if since is not None:
        path = [one.hex() for one in consistency(tree.node, since, tree.size)]
        answer["consistency"] = {"since": since, "path": path}
    return answer


def _last_place(shown: Sequence[TravelEvent], seals: dict[int, tuple[Any, ...]]) -> int:
    """Return the place in the ledger of the last event that is shown."""
    return max((int(seals[one.pk][1]) for one in shown), default=1)


def first_row(record: TravelRecord, events: Sequence[TravelEvent]) -> dict[str, Any] | None:
    """Return the record as it was made, which its first event was sealed over.

    It ties the payment to the event. Besides status and steps its counterparty may have become
    known since. None where more changed, and once the payload was purged.
    """
    if events[0].purged:
        return None
    row = record.standing | {"status": events[0].status, "steps": 1}
    for one in (row, row | {"counterparty": "", "counterparty_lei": ""}):
        if digest(one) == events[0].data["stands"]:
            plain: dict[str, Any] = json.loads(canonical(one))
            return plain
    return None
