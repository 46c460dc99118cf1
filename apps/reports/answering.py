"""Answers a paid call: with the report that still holds, or a new one; the same for all reports.

A report serves for 60 minutes from when it was made whoever asks the same; never another subject's,
and of an institution's figures nobody but that institution. A new one is kept as a sealed record in
the call's own transaction, after it was paid for; what cannot be made is 503 before any charge.
"""

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction

from apps.core.callers import Caller
from apps.core.canonical import digest
from apps.core.chain import proven
from apps.core.pipeline import Answer
from apps.core.problems import DomainError
from apps.core.rendering import Wire
from apps.core.shapes import iso
from apps.reports import proving
from apps.reports.models import PaidReport
from apps.reports.rules import VERSION
from apps.reports.shape import Asked, Piece, Report, Subject
from apps.reports.telling import told
from apps.signals.quality import Unavailable

UNAVAILABLE = 503
SOME = 20  # editions that are looked through for one that proves itself, or is free
LASTS = timedelta(minutes=60)  # document 2 section 8, report cache


@dataclass(frozen=True, slots=True)
class Kept:
    """A report as the wire has it; `pieces` are there until it is stored."""

    subject: Subject
    wire: Wire
    edition: int
    pieces: Mapping[str, Piece] = field(default_factory=dict)

    @property
    def fresh(self) -> bool:
        """Whether this call made it."""
        return bool(self.pieces)


def gather(report: Report, *, asked: Asked, now: datetime) -> Kept:
    """Return the report that still holds, or a new one; raises what makes it unavailable."""
    subject = report.resolve(asked=asked, now=now)
    last = newest(report, subject)
    if last is not None and last.recorded_at > now - LASTS and (held := _read(last, subject)):
        return held
    edition = _free(report, subject, after=last.edition if last else 0)
    return compute(report, subject=subject, edition=edition, now=now)


def compute(report: Report, *, subject: Subject, edition: int, now: datetime) -> Kept:
    """Return a new report; raises what a part of it raises that it cannot be without."""
    pieces: dict[str, Piece] = {}
    lacking: list[str] = []
    for part in report.parts:
        try:
            pieces[part.name] = part.gather(asked=subject.told, now=now)
        except DomainError as error:
            if part.required or error.status != UNAVAILABLE:
                raise
            lacking.append(part.title)
    body = told(
        report,
        report_id=str(uuid.uuid4()),
        subject=subject,
        pieces=pieces,
        lacking=lacking,
        until=now + LASTS,
        now=now,
    )
    return Kept(subject, body, edition, pieces)


def conclude(report: Report, *, gathered: Kept, caller: Caller, now: datetime) -> Answer:
    """Return the report, and keep one that is new with what its parts record of themselves."""
    answer = _stored(report, gathered, caller, now) if gathered.fresh else gathered
    return Answer(
        answer.wire,
        headers={
            "X-SVC-Report-Id": answer.wire["data"]["reportId"],
            "X-SVC-Report-Signature": proving.signature(answer.wire),
            "X-SVC-Cache-Hit": "false" if answer.fresh else "true",
        },
    )


def newest(report: Report, subject: Subject) -> PaidReport | None:
    """Return the last report that was made of a subject and is as it was written."""
    rows = PaidReport.objects.filter(kind=report.name, subject=_key(subject))
    return next(iter(proven(rows.order_by("-edition")[:SOME])), None)


def _free(report: Report, subject: Subject, *, after: int) -> int:
    """Return the first edition that no row has; Unavailable (503) where rows have them all.

    A row that somebody forged takes no edition but its own.
    """
    numbers = range(after + 1, after + 1 + SOME)
    rows = PaidReport.objects.filter(kind=report.name, subject=_key(subject), edition__in=numbers)
    taken = set(rows.values_list("edition", flat=True))
    found = next((one for one in numbers if one not in taken), None)
    if found is None:
        raise Unavailable("Records of this report are not as they were written.")
    return found


def _key(subject: Subject) -> str:
    return digest(["report", *subject.key])


def _read(row: PaidReport, subject: Subject) -> Kept | None:
    """Return a report out of its record; None for one that is not as it was written."""
    if not proven([row]) or not row.data:
        return None
    return Kept(subject, Wire(json.loads(row.data["body"])), row.edition)


def _stored(report: Report, fresh: Kept, caller: Caller, now: datetime) -> Kept:
    """Keep a new report; where another worker was quicker, return theirs, which is no new one."""
    if not _write(report, fresh, now):
        last = newest(report, fresh.subject)
        return (last and _read(last, fresh.subject)) or fresh
    for piece in fresh.pieces.values():
        if piece.keep is not None:
            piece.keep(caller, now)
    return fresh


def _write(report: Report, fresh: Kept, now: datetime) -> bool:
    subject, wire = fresh.subject, fresh.wire
    try:
        with transaction.atomic():
            PaidReport.write(
                payload={
                    "asked": _plain(subject.told),
                    "title": subject.title,
                    "body": json.dumps(wire, ensure_ascii=False),
                    "inputs": {name: dict(one.inputs) for name, one in fresh.pieces.items()},
                },
                now=now,
                report_id=uuid.UUID(wire["data"]["reportId"]),
                kind=report.name,
                subject=_key(subject),
                edition=fresh.edition,
                owner=subject.owner,
                period=subject.period,
                level=wire["synthesis"]["riskLevel"],
                quality=wire["synthesis"]["dataQuality"],
                rules=VERSION,
            )
    except IntegrityError:
        return False
    return True


def _plain(asked: Asked) -> dict[str, Any]:
    return {
        name: iso(value) if isinstance(value, datetime) else value for name, value in asked.items()
    }
