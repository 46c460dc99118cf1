"""Answer the status of a payment file as JSON or as pain.002."""

from datetime import datetime
from typing import Any

from django.http import HttpResponse, JsonResponse, StreamingHttpResponse

from apps.payments.payments.pain001.pain002 import render_status_report
from apps.payments.payments.pain001.selectors import load_own_file
from apps.payments.payments.pain001.serializers import FileOut
from apps.payments.payments.pain001.services.answer_message import serialize_file
from apps.payments.payments.pain001.statuses import load_group_status
from apps.platform.api.callers import Caller
from apps.platform.api.representation import render_answer

XML_TYPES = ("application/xml", "text/xml")


def read_file(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime, accept: str
) -> HttpResponse | StreamingHttpResponse:
    """Return the current status of a file; as pain.002 if `accept` names XML."""
    file = load_own_file(asked["file_id"], caller)
    if any(kind in accept.lower() for kind in XML_TYPES):
        # streamed: a file may hold thousands of transactions
        pieces = (piece.encode() for piece in render_status_report(file, now=now))
        return StreamingHttpResponse(pieces, content_type="application/xml")
    shown = render_answer(FileOut, serialize_file(file, load_group_status(file)))
    return JsonResponse(shown, json_dumps_params={"ensure_ascii": False})
