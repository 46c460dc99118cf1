"""GET /travel-rule/export with `format`: all requested records, streamed."""

from datetime import datetime
from typing import Any

from django.http import StreamingHttpResponse

from apps.payments.travelrule.export.streams import CONTENT_TYPES, start_export
from apps.payments.travelrule.proofs.merkle_tiles import TreeBroken
from apps.payments.travelrule.selectors.verified_records import RecordIntegrityError
from apps.platform.api.callers import Caller


def stream_export(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> StreamingHttpResponse:
    """Return an export that streams; it is on record before its first byte."""
    try:
        export = start_export(
            asked=asked, caller=caller.ref, name=caller.name or caller.ref, now=now
        )
    except TreeBroken as error:
        raise RecordIntegrityError(
            "The ledger's seals are incomplete: run verify_ledger."
        ) from error
    headers = {"Content-Disposition": f'attachment; filename="{export.name}"'}
    return StreamingHttpResponse(
        export.stream(), content_type=CONTENT_TYPES[asked["format"]], headers=headers
    )
