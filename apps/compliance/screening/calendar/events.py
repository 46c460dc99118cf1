"""The regulatory calendar: checked reference data with a version of its own.

Specification: document 1 section 2.9. `label` is the specification's wording, so that an event
is found by it; where the law puts the matter elsewhere, `event` and `summary` say where.
"""

import json
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from apps.platform.api.callers import Caller

FILE = Path(__file__).resolve().parent / "events.json"


@dataclass(frozen=True, slots=True)
class Event:
    """One duty and when it begins; `effective_date` is None for what is only proposed."""

    id: str
    framework: str
    label: str
    event: str
    effective_date: date | None
    effective: str
    jurisdictions: tuple[str, ...]
    summary: str
    svc_alignment: str
    source: str

    def status(self, now: datetime) -> str:
        """Return IN_FORCE from the effective date on, UPCOMING before, PROPOSED without one."""
        if self.effective_date is None:
            return "PROPOSED"
        return "IN_FORCE" if self.effective_date <= now.date() else "UPCOMING"


@dataclass(frozen=True, slots=True)
class Calendar:
    """All events of one version, in the order of the frameworks."""

    version: str
    as_of: date
    events: tuple[Event, ...]


@lru_cache(maxsize=1)
def load_calendar() -> Calendar:
    """Return the calendar that ships with this release."""
    body = json.loads(FILE.read_text(encoding="utf-8"))
    events = tuple(
        Event(
            id=row["id"],
            framework=row["framework"],
            label=row["label"],
            event=row["event"],
            effective_date=date.fromisoformat(row["effectiveDate"])
            if row["effectiveDate"]
            else None,
            effective=row["effective"],
            jurisdictions=tuple(row["jurisdictions"]),
            summary=row["summary"],
            svc_alignment=row["svcAlignment"],
            source=row["source"],
        )
        for row in body["events"]
    )
    return Calendar(body["version"], date.fromisoformat(body["asOf"]), events)


def conclude_calendar(
    *, asked: Any, gathered: None, caller: Caller, now: datetime
) -> dict[str, object]:
    """Return the calendar as `GET /compliance/regulatory-calendar` answers it; see CalendarOut."""
    calendar = load_calendar()
    return {
        "version": calendar.version,
        "as_of": calendar.as_of,
        "events": [
            {
                "id": event.id,
                "framework": event.framework,
                "label": event.label,
                "event": event.event,
                "effective_date": event.effective_date,
                "effective": event.effective,
                "status": event.status(now),
                "jurisdictions": list(event.jurisdictions),
                "summary": event.summary,
                "svc_alignment": event.svc_alignment,
                "source": event.source,
            }
            for event in calendar.events
        ],
    }
