"""What every service has: its health."""

from datetime import datetime
from typing import Any

from apps.core import health
from apps.core.callers import Caller
from apps.core.endpoints import Access, Endpoint
from apps.core.pipeline import Answer
from apps.core.shapes import Free, Moment, OneOf, Shape, Text
from config.services import SERVICES

STATES = ("ok", "degraded", "down")


class HealthOut(Shape):
    """`status` is ok, degraded (answers, but something needs a person) or down (503)."""

    status = OneOf(choices=STATES)
    service = Text()
    checked_at = Moment()
    checks = Free(help_text="Each check with its own `status`.")


def _rows(service: str) -> Endpoint:
    def conclude(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> Answer:
        checks = health.collect(service=service, now=now)
        grave = {str(check["status"]) for check in checks.values()}
        status = next((state for state in reversed(STATES) if state in grave), "ok")
        body = {"status": status, "service": service, "checked_at": now, "checks": checks}
        return Answer(body, status=503 if status == "down" else 200)

    return Endpoint(
        name="health",
        method="GET",
        path="health",
        service=service,
        spec="1 §4",
        about="Tells whether the service can do its work, and what stands in its way.",
        access=Access(open=True, limited=False),
        answers=HealthOut,
        conclude=conclude,
        statuses=(200, 503),
    )


ENDPOINTS = tuple(_rows(service) for service in SERVICES)
