"""What every service has: its health."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.conf import settings

from apps.core import health
from apps.core.callers import Caller
from apps.core.endpoints import Access, Endpoint
from apps.core.pipeline import Answer
from apps.core.shapes import Free, Moment, OneOf, Shape, Text
from config.health import CHECKS, WORDED
from config.services import SERVICES

STATES = ("ok", "degraded", "down")
HEALTHY = {"ok": "healthy"}  # document 3 section 2.3
OUTCOMES = {"ok": "SUCCESS", "degraded": "DEGRADED", "down": "FAILED"}


class HealthOut(Shape):
    """`status` is ok, degraded (answers, but something needs a person) or down (503)."""

    status = OneOf(choices=STATES)
    service = Text()
    version = Text()
    checked_at = Moment()
    checks = Free(help_text="Each check with its own `status`.")


def _worded(service: str, field: str) -> type[Shape]:
    """Return the shape of a health that the specification words itself."""
    fields: dict[str, Any] = {
        "__doc__": "`status` is healthy, degraded (answers, but something needs a person) or down "
        f"(503); `{field}` says how what this service computes stands.",
        "status": OneOf(choices=tuple(HEALTHY.get(state, state) for state in STATES)),
        field: OneOf(choices=tuple(OUTCOMES.values())),
        "network": Text(),
    }
    return type(f"{service.capitalize()}HealthOut", (HealthOut,), fields)


def _gravest(checks: Iterable[Mapping[str, Any]]) -> str:
    grave = {str(check["status"]) for check in checks}
    return next((state for state in reversed(STATES) if state in grave), "ok")


def _rows(service: str) -> Endpoint:
    field = WORDED.get(service)

    def conclude(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> Answer:
        checks = health.collect(service=service, now=now)
        status = _gravest(checks.values())
        body = {
            "status": status,
            "service": service,
            "version": SERVICES[service].version,
            "checked_at": now,
            "checks": checks,
        }
        if field is not None:
            # checks that are missing could not run: the database does not answer
            own = [checks.get(name, {"status": "down"}) for name in CHECKS.get(service, {})]
            body["status"] = HEALTHY.get(status, status)
            body |= {field: OUTCOMES[_gravest(own)], "network": settings.X402_NETWORK}
        return Answer(body, status=503 if status == "down" else 200)

    return Endpoint(
        name="health",
        method="GET",
        path="health",
        service=service,
        spec="3 §2.3" if field else "1 §4",
        about="Tells whether the service can do its work, and what stands in its way.",
        access=Access(open=True, limited=False),
        answers=_worded(service, field) if field else HealthOut,
        conclude=conclude,
        statuses=(200, 503),
    )


ENDPOINTS = tuple(_rows(service) for service in SERVICES)
