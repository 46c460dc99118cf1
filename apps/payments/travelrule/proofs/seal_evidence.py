"""What a sealed event is recomputed from: its seal, what was sealed, and its place in the tree."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from apps.payments.travelrule.models import TravelEvent
from apps.payments.travelrule.proofs.merkle import inclusion_path
from apps.payments.travelrule.proofs.merkle_tiles import LEDGER, SealTree
from apps.platform.common.clock import EPOCH
from apps.platform.ledger.models import Seal

SEAL_COLUMNS = ("record_id", "position", "previous", "content", "digest", "sealed_at")


def load_seals(events: Iterable[TravelEvent]) -> dict[int, tuple[Any, ...]]:
    """Return the seals of events by their number, in the order of SEAL_COLUMNS; one query."""
    rows = Seal.objects.filter(ledger=LEDGER, record_id__in=[event.pk for event in events])
    return {row[0]: row for row in rows.values_list(*SEAL_COLUMNS)}


def build_event_evidence(
    event: TravelEvent, seal: tuple[Any, ...], tree: SealTree, *, payload: bool
) -> dict[str, Any]:
    """Return an event as its seal can be recomputed from it.

    The names are those of `encode_link_input`. Moments are microseconds since 1970. `path`
    is the inclusion path (RFC 9162 section 2.1.3). Without `payload`, as for a purged event,
    its hash is given instead.
    """
    _, position, previous, content, digest, sealed_at = seal
    event_evidence = {
        "position": position,
        "previous": previous,
        "record": {name: to_microseconds(value) for name, value in event.envelope().items()},
        "content": content,
        "sealedAt": to_microseconds(sealed_at),
        "digest": digest,
        "path": [
            node_digest.hex() for node_digest in inclusion_path(tree.node, position - 1, tree.size)
        ],
    }
    if payload and not event.purged:
        event_evidence |= {"payload": event.payload, "salt": event.salt}
    return event_evidence


def to_microseconds(value: Any) -> Any:
    """Return a moment as the chain has it; anything else as it is."""
    return (value - EPOCH) // timedelta(microseconds=1) if isinstance(value, datetime) else value


def select_covered_events(
    events: Sequence[TravelEvent], seals: dict[int, tuple[Any, ...]], tree: SealTree
) -> list[TravelEvent]:
    """Return the events that the tree holds: the newest may not be sealed yet."""
    return [event for event in events if event.pk in seals and seals[event.pk][1] <= tree.size]
