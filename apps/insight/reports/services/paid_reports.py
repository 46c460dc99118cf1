"""Answer a paid call with a report that is still valid, or a new one; shared by all reports.

A report is valid for 60 minutes for everybody who requests the same; never for another subject, and
one of an institution's figures only for that institution. A new one is stored as a sealed record in
the call's own transaction, after it was paid for; if it cannot be made, the call gets 503 before
any charge.
"""

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from apps.insight.reports import signatures
from apps.insight.reports.definitions import PartResult, Report, ReportRequest, ReportSubject
from apps.insight.reports.models import PaidReport
from apps.insight.reports.report_builder import build_report
from apps.insight.reports.rules import VERSION
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from apps.platform.api.representation import RenderedAnswer
from apps.platform.common.clock import format_utc
from apps.platform.common.problems import DomainError
from apps.platform.crypto.canonical import canonical_digest
from apps.platform.ledger.verification.verified_reads import filter_verified_records
from apps.reference.signals.quality import TooFewInputs

UNAVAILABLE_STATUS = 503
# editions that are searched for a verified record or a free number
EDITION_LIMIT = 20
NO_EDITION = "Integrity check failed for records of this report."
# document 2 section 8, report cache
REPORT_LIFETIME = timedelta(minutes=60)


@dataclass(frozen=True, slots=True)
class KeptReport:
    """A report as the wire has it; `pieces` are there until it is stored."""

    subject: ReportSubject
    wire: RenderedAnswer
    edition: int
    pieces: Mapping[str, PartResult] = field(default_factory=dict)

    @property
    def fresh(self) -> bool:
        """Whether this call made it."""
        return bool(self.pieces)


def gather_report(report: Report, *, asked: ReportRequest, now: datetime) -> KeptReport:
    """Return a report that is still valid, or a new one; raises what makes it unavailable."""
    subject = report.resolve(asked=asked, now=now)
    last = find_newest_report(report, subject)
    if (
        last is not None
        and last.recorded_at > now - REPORT_LIFETIME
        and (report_record := _load_report_record(last, subject))
    ):
        return report_record
    # a forged row occupies only its own edition: the next free number is taken, and there is no
    # report (503) only if somebody has written all of these rows
    after = last.edition if last else 0
    numbers = range(after + 1, after + 1 + EDITION_LIMIT)
    rows = PaidReport.objects.filter(
        kind=report.name, subject=_digest_subject(subject), edition__in=numbers
    )
    taken = set(rows.values_list("edition", flat=True))
    edition = next((number for number in numbers if number not in taken), None)
    if edition is None:
        raise TooFewInputs(NO_EDITION)
    return compute_report(report, subject=subject, edition=edition, now=now)


def compute_report(
    report: Report, *, subject: ReportSubject, edition: int, now: datetime
) -> KeptReport:
    """Return a new report; raises the error of a required part."""
    pieces: dict[str, PartResult] = {}
    lacking: list[str] = []
    for part in report.parts:
        try:
            pieces[part.name] = part.gather(asked=subject.request, now=now)
        except DomainError as error:
            # only missing data may be left out; a refusal, such as 404 for an unknown entity, is
            # the answer
            if part.required or error.status != UNAVAILABLE_STATUS:
                raise
            lacking.append(part.title)
    body = build_report(
        report,
        report_id=str(uuid.uuid4()),
        subject=subject,
        pieces=pieces,
        lacking=lacking,
        until=now + REPORT_LIFETIME,
        now=now,
    )
    return KeptReport(subject, body, edition, pieces)


def conclude_report(
    report: Report, *, gathered: KeptReport, caller: Caller, now: datetime
) -> Answer:
    """Return the report; store a new one, with the records of its parts."""
    answer = _store_fresh_report(report, gathered, caller, now) if gathered.fresh else gathered
    return Answer(
        answer.wire,
        headers={
            "X-SVC-Report-Id": answer.wire["data"]["reportId"],
            "X-SVC-Report-Signature": signatures.sign_report(answer.wire),
            "X-SVC-Cache-Hit": "false" if answer.fresh else "true",
        },
    )


def find_newest_report(report: Report, subject: ReportSubject) -> PaidReport | None:
    """Return the newest report on a subject that passes its integrity check."""
    rows = PaidReport.objects.filter(kind=report.name, subject=_digest_subject(subject))
    return next(iter(filter_verified_records(rows.order_by("-edition")[:EDITION_LIMIT])), None)


def _digest_subject(subject: ReportSubject) -> str:
    return canonical_digest(["report", *subject.key])


def _load_report_record(row: PaidReport, subject: ReportSubject) -> KeptReport | None:
    """Return a report from its record; None if that fails its integrity check or is purged."""
    if not filter_verified_records([row]) or not row.data:
        return None
    return KeptReport(subject, RenderedAnswer(json.loads(row.data["body"])), row.edition)


def _store_fresh_report(
    report: Report, fresh: KeptReport, caller: Caller, now: datetime
) -> KeptReport:
    """Store a new report; if another worker was first, return its report, marked as not new."""
    for edition in range(fresh.edition, fresh.edition + EDITION_LIMIT):
        if _write_report_record(report, replace(fresh, edition=edition), now):
            for piece in fresh.pieces.values():
                if piece.keep is not None:
                    piece.keep(caller, now)
            return fresh
        # two calls for the same subject that paid at the same time get the same report
        last = find_newest_report(report, fresh.subject)
        if (
            last is not None
            and last.edition >= fresh.edition
            and (stored := _load_report_record(last, fresh.subject))
        ):
            return stored
        # a forged row came into this edition after it was chosen: take the next
    raise TooFewInputs(NO_EDITION)


def _write_report_record(report: Report, fresh: KeptReport, now: datetime) -> bool:
    subject, wire = fresh.subject, fresh.wire
    try:
        with transaction.atomic():
            request = {
                name: format_utc(value) if isinstance(value, datetime) else value
                for name, value in subject.request.items()
            }
            PaidReport.write(
                payload={
                    "asked": request,
                    "title": subject.title,
                    # as text: records refuse floats, and the signature covers the body as it was
                    # sent
                    "body": json.dumps(wire, ensure_ascii=False),
                    "inputs": {
                        name: dict(part_result.inputs) for name, part_result in fresh.pieces.items()
                    },
                },
                now=now,
                report_id=uuid.UUID(wire["data"]["reportId"]),
                kind=report.name,
                subject=_digest_subject(subject),
                edition=fresh.edition,
                owner=subject.owner,
                period=subject.period,
                level=wire["synthesis"]["riskLevel"],
                quality=wire["synthesis"]["dataQuality"],
                rules=VERSION,
            )
    # the edition is taken; the savepoint keeps the transaction of the paid call usable
    except IntegrityError:
        return False
    return True
