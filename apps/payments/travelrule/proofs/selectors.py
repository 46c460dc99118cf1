"""GET /travel-rule/:paymentId/proof: a record's events in the signed tree."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from rest_framework.exceptions import ValidationError

from apps.payments.travelrule.models import TravelEvent, TravelRecord
from apps.payments.travelrule.proofs import roots
from apps.payments.travelrule.proofs.merkle import consistency_path
from apps.payments.travelrule.proofs.merkle_tiles import SealTree
from apps.payments.travelrule.proofs.seal_evidence import (
    build_event_evidence,
    load_seals,
    select_covered_events,
)
from apps.payments.travelrule.proofs.stamping import stamps
from apps.payments.travelrule.selectors.records import load_outbound_record
from apps.payments.travelrule.selectors.verified_records import (
    RecordIntegrityError,
    is_record_verified,
    load_verified_events,
)
from apps.platform.api.callers import Caller
from apps.platform.crypto.canonical import canonical_digest, canonical_json


def build_record_proof(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> Any:
    """Return the inclusion proofs of a record; see ProofOut.

    NotFound for another institution's record, RecordIntegrityError (503) for one that was altered.
    """
    record = load_outbound_record(asked["payment_id"], caller)
    events = load_verified_events([record])[record.pk]
    if not is_record_verified(record, events):
        raise RecordIntegrityError("Integrity check failed for this record. Contact the operator.")
    root = roots.load_last_root()
    tree = SealTree(root.size if root else 0)
    since = asked.get("since")
    if since is not None and not 1 <= since <= tree.size:
        raise ValidationError({"since": [f"The signed tree has {tree.size} entries."]})
    seals = load_seals(events)
    covered_events = select_covered_events(events, seals, tree)
    # the payload of a later step is the operator's own (attempts, screens): the institution gets
    # its hash, which is all that the seal needs
    event_evidences = [
        build_event_evidence(
            covered_event, seals[covered_event.pk], tree, payload=covered_event.number == 1
        )
        for covered_event in covered_events
    ]
    answer: dict[str, Any] = {
        "id": str(record.record_id),
        "payment_id": str(record.payment_id),
        "events": [
            evidence | {"sealed_at": evidence.pop("sealedAt")} for evidence in event_evidences
        ],
        "waiting": len(events) - len(covered_events),
    }
    if first_row := rebuild_first_row(record, events):
        answer["made"] = first_row
    if root:
        answer["root"] = root.data
        last_position = max(
            (int(seals[travel_event.pk][1]) for travel_event in covered_events), default=1
        )
        if stamp := stamps.serialize_stamp(
            stamps.load_first_covering_stamp(last_position, tree.size),
            tree,
        ):
            answer["stamp"] = stamp
    if since is not None:
        path = [digest.hex() for digest in consistency_path(tree.node, since, tree.size)]
        answer["consistency"] = {"since": since, "path": path}
    return answer


def rebuild_first_row(record: TravelRecord, events: Sequence[TravelEvent]) -> dict[str, Any] | None:
    """Return the original record, over which its first event was sealed.

    It ties the payment to the event. None if it cannot be rebuilt, or once the payload was purged.
    """
    if events[0].purged:
        return None
    # what transitions change: status and steps, and SEND_LATER also the counterparty
    row = record.standing | {"status": events[0].status, "steps": 1}
    for candidate in (row, row | {"counterparty": "", "counterparty_lei": ""}):
        if canonical_digest(candidate) == events[0].data["stands"]:
            plain: dict[str, Any] = json.loads(canonical_json(candidate))
            return plain
    return None
