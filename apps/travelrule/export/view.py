"""GET /travel-rule/export with `format`: the whole of what is asked for, streamed."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.http import HttpRequest, StreamingHttpResponse

from apps.core.callers import Caller
from apps.core.endpoints import Endpoint
from apps.travelrule.export.streaming import FORMS, TYPES, start
from apps.travelrule.proofs.tiles import TreeBroken
from apps.travelrule.telling import RecordUnproved


def by_format(row: Callable[[], Endpoint]) -> Callable[[HttpRequest], Endpoint | None]:
    """Return what lets a row stream where a request names a format that does."""

    def instead(request: HttpRequest) -> Endpoint | None:
        if request.GET.get("format") in FORMS:
            return replace(row(), view=whole, instead=None)
        return None

    return instead


def whole(
    request: HttpRequest, *, asked: dict[str, Any], caller: Caller, now: datetime
) -> StreamingHttpResponse:
    """Return an export that streams; it is on record before its first byte."""
    try:
        made = start(asked=asked, caller=caller.ref, name=caller.name or caller.ref, now=now)
    except TreeBroken as error:
        raise RecordUnproved("The ledger's seals are not whole: run verify_ledger.") from error
    headers = {"Content-Disposition": f'attachment; filename="{made.name}"'}
    return StreamingHttpResponse(
        made.stream(), content_type=TYPES[asked["format"]], headers=headers
    )
