"""What review lets people export: cases, and every step of them."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from apps.core.batches import chunks
from apps.core.chain import proven
from apps.core.models import Seal
from apps.core.shapes import iso
from apps.desk.exports import BATCH, Asked, Export, Row
from apps.review.models import Case, DecisionEvent
from apps.review.verdicts import Verdict, verdicts


def _cases(asked: Asked) -> Iterator[Row]:
    """Yield each case with what is recorded of its decision, whatever its own columns say."""
    found = Case.objects.filter(opened_at__gte=asked.since, opened_at__lt=asked.until)
    names = (
        "pk", "kind", "ref", "owner", "party", "country", "lei", "wallet", "reference", "amount",
        "currency", "risk", "risk_score",
    )  # fmt: skip
    rows = found.order_by("pk").values_list(*names, "opened_at", "due_at")
    for batch in chunks(rows.iterator(BATCH), BATCH):
        recorded = verdicts([row[0] for row in batch])
        for *known, opened, due in batch:
            one = recorded.get(known[0], Verdict())
            said = (one.status, one.outcome, one.reason_code, one.first, one.second)
            yield _plain((*known, *said, opened, due, one.decided_at))


def _decisions(asked: Asked) -> Iterator[Row]:
    found = DecisionEvent.objects.filter(
        recorded_at__gte=asked.since, recorded_at__lt=asked.until
    ).select_related("by")
    for events in chunks(found.order_by("pk").iterator(BATCH), BATCH):
        seals = {
            record: (position, digest)
            for record, position, digest in Seal.objects.filter(
                ledger=DecisionEvent.LEDGER, record_id__in=[event.pk for event in events]
            ).values_list("record_id", "position", "digest")
        }
        for event in proven(events):  # what somebody wrote in is not told under our name
            yield _decision(event, seals.get(event.pk, ("", "")))


def _decision(event: DecisionEvent, sealed: tuple[Any, Any]) -> Row:
    data = event.data
    said = (data.get("reason_code", ""), data.get("note", ""), data.get("digest", ""))
    who = event.by.get_username() if event.by else ""
    done = (event.pk, event.case_id, iso(event.recorded_at), event.action, event.outcome, who)
    return (*done, *said, *sealed)


def _plain(row: Row) -> Row:
    return tuple(iso(value) if isinstance(value, datetime) else value for value in row)


CASES = Export(
    "Cases, by the day they were opened",
    "decisions",
    (
        "case", "kind", "record", "tenant", "party", "country", "lei", "wallet", "reference",
        "amount", "currency", "risk", "risk score", "status", "outcome", "reason",
        "first officer", "second officer", "opened", "due", "decided",
    ),
    _cases,
)  # fmt: skip
DECISIONS = Export(
    "Decisions and every other step of cases",
    "decisions",
    (
        "event", "case", "at", "action", "outcome", "officer", "reason", "note",
        "facts digest", "ledger position", "ledger digest",
    ),
    _decisions,
)  # fmt: skip
