"""Return stored reports and screens to their owners: as they were given, and as files."""

from datetime import datetime
from typing import Any

from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.text import slugify

from apps.insight.esg.models.sfdr_reports import PaiReport
from apps.insight.esg.sfdr import exports
from apps.platform.api.callers import NOBODY, Caller
from apps.platform.api.representation import RenderedAnswer
from apps.platform.common.problems import NO_SUCH_ID, NotFound, Unavailable
from apps.platform.ledger.verification.verified_reads import filter_verified_records

REPORT, SCREEN = PaiReport.Kind.REPORT, PaiReport.Kind.SCREEN


class RecordIntegrityError(Unavailable):
    """Integrity check failed: the record was altered."""

    code, title = "record_unproved", "Record integrity check failed"


def _load_report(asked: dict[str, Any], caller: Caller) -> PaiReport:
    """Return a caller's record; NotFound for all others, RecordIntegrityError if it was altered.

    A screen belongs to the wallet that paid for it, a report to the client whose key was sent.
    """
    name = "report_id" if "report_id" in asked else "screening_id"
    kind = REPORT if name == "report_id" else SCREEN
    pai_reports = list(PaiReport.objects.filter(report_id=asked[name], kind=kind))
    record = next(iter(filter_verified_records(pai_reports)), None)
    if pai_reports and record is None:
        raise RecordIntegrityError("Integrity check failed for this record. Create it again.")
    if record is None or record.purged or not _is_owner(caller, record):
        raise NotFound(NO_SUCH_ID)
    return record


def _is_owner(caller: Caller, record: PaiReport) -> bool:
    if record.kind == SCREEN:
        return record.payer == caller.name
    # reports without a key have an empty owner, which no caller may match
    return caller.kind != NOBODY and record.owner == caller.ref


def conclude_stored_report(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> RenderedAnswer:
    """Return a report or screen as it was given; NotFound, RecordIntegrityError."""
    return RenderedAnswer(_load_report(asked, caller).data["response"])


def stream_report_file(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> HttpResponseBase:
    """Return a report or screen as a file, streamed; NotFound, RecordIntegrityError."""
    return build_download(record=_load_report(asked, caller), form=asked["format"])


def build_download(*, record: PaiReport, form: str) -> HttpResponseBase:
    """Return a record as a file of one of exports.TYPES, streamed but for JSON."""
    name = f"sfdr-{slugify(record.period) or 'report'}-{record.report_id}.{form}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    body, kind = exports.stream_report(record=record, form=form), exports.TYPES[form]
    # JSON is written in one piece, so nothing is gained by streaming it, and it gets a
    # Content-Length
    if form == "json":
        return HttpResponse(b"".join(body), content_type=kind, headers=headers)
    return StreamingHttpResponse(body, content_type=kind, headers=headers)
