"""Conclude reports on owners and on PEPs: each answer is recorded, new or from the cache."""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from apps.compliance.screening.models.cached_reports import KeptReport
from apps.compliance.screening.models.report_records import ReportRecord
from apps.platform.api.callers import Caller
from apps.platform.api.representation import RenderedAnswer


def conclude_report(
    create: Callable[[dict[str, Any], Any, Caller, datetime], RenderedAnswer],
    *,
    kind: str,
    result: str,
    asked: dict[str, Any],
    gathered: Any,
    caller: Caller,
    now: datetime,
) -> RenderedAnswer:
    """Return a report and record it; call it in the transaction of the answer.

    `create` makes a new report of what was gathered, unless that is a kept one. `result` names the
    field of the answer by which its record is found.
    """
    kept = isinstance(gathered, KeptReport)
    body = RenderedAnswer(gathered.body) if kept else create(asked, gathered, caller, now)
    ReportRecord.write(
        # as text: scores are fractions, and a payload may hold no floats
        payload={"request": asked, "response": json.dumps(body, sort_keys=True)},
        now=now,
        kind=kind,
        owner=caller.ref,
        result=body[result],
        kept=kept,
    )
    return body
