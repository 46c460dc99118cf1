"""Exports of review: cases, and every step of them."""

from collections.abc import Iterator
from datetime import datetime

from apps.backoffice.review.models import Case, DecisionEvent
from apps.backoffice.review.selectors.recorded_decisions import Verdict, load_verdicts
from apps.platform.common.batches import iter_chunks
from apps.platform.common.clock import format_utc
from apps.platform.desk.export_registry import BATCH, Export, ExportRequest, Row
from apps.platform.ledger.models import Seal
from apps.platform.ledger.verification.verified_reads import filter_verified_records


def _iterate_case_rows(export_request: ExportRequest) -> Iterator[Row]:
    """Yield each case with what is recorded of its decision, whatever its own columns say."""
    cases = Case.objects.filter(
        opened_at__gte=export_request.since, opened_at__lt=export_request.until
    )
    names = (
        "pk", "kind", "ref", "owner", "party", "country", "lei", "wallet", "reference", "amount",
        "currency", "risk", "risk_score",
    )  # fmt: skip
    rows = cases.order_by("pk").values_list(*names, "opened_at", "due_at")
    for batch in iter_chunks(rows.iterator(BATCH), BATCH):
        recorded = load_verdicts([row[0] for row in batch])
        for *known, opened, due in batch:
            verdict = recorded.get(known[0], Verdict())
            decision_columns = (
                verdict.status,
                verdict.outcome,
                verdict.reason_code,
                verdict.first,
                verdict.second,
            )
            yield _format_row((*known, *decision_columns, opened, due, verdict.decided_at))


def _iterate_decision_rows(export_request: ExportRequest) -> Iterator[Row]:
    decision_events = DecisionEvent.objects.filter(
        recorded_at__gte=export_request.since, recorded_at__lt=export_request.until
    ).select_related("by")
    for events in iter_chunks(decision_events.order_by("pk").iterator(BATCH), BATCH):
        seals = {
            record: (position, digest)
            for record, position, digest in Seal.objects.filter(
                ledger=DecisionEvent.LEDGER, record_id__in=[event.pk for event in events]
            ).values_list("record_id", "position", "digest")
        }
        # rows not written by this platform are not exported under its name
        for event in filter_verified_records(events):
            data = event.data
            decision_columns = (
                data.get("reason_code", ""),
                data.get("note", ""),
                data.get("digest", ""),
            )
            who = event.by.get_username() if event.by else ""
            done = (
                event.pk,
                event.case_id,
                format_utc(event.recorded_at),
                event.action,
                event.outcome,
                who,
            )
            yield (*done, *decision_columns, *seals.get(event.pk, ("", "")))


def _format_row(row: Row) -> Row:
    return tuple(format_utc(value) if isinstance(value, datetime) else value for value in row)


CASES = Export(
    "Cases by opening date",
    "decisions",
    (
        "case", "kind", "record", "tenant", "party", "country", "lei", "wallet", "reference",
        "amount", "currency", "risk", "risk score", "status", "outcome", "reason",
        "first officer", "second officer", "opened", "due", "decided",
    ),
    _iterate_case_rows,
)  # fmt: skip
DECISIONS = Export(
    "Decisions and other case events",
    "decisions",
    (
        "event", "case", "at", "action", "outcome", "officer", "reason", "note",
        "facts digest", "ledger position", "ledger digest",
    ),
    _iterate_decision_rows,
)  # fmt: skip
