"""The health endpoint of every service."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from apps.platform.api.operations import Access, operation
from apps.platform.api.shapes import FreeObject, Moment, OneOf, Shape, Text
from apps.platform.api.viewsets import OperationViewSet
from apps.platform.health import checks
from config.services import SERVICES

HEALTH_STATES = ("ok", "degraded", "down")
STATUS_WORDS = {"ok": "healthy"}  # document 3 section 2.3
OUTCOMES = {"ok": "SUCCESS", "degraded": "DEGRADED", "down": "FAILED"}


class HealthOut(Shape):
    """`status` is ok, degraded (works, but needs a person's attention) or down (503)."""

    status = OneOf(choices=HEALTH_STATES)
    service = Text()
    version = Text()
    checked_at = Moment()
    checks = FreeObject(help_text="Each check with its own `status`.")


def _build_worded_health(service: str, field: str) -> type[Shape]:
    """Return the shape of a health answer whose words the specification defines."""
    fields: dict[str, Any] = {
        "__doc__": "`status` is healthy, degraded (works, but needs a person's attention) or down "
        f"(503); `{field}` is the state of what this service computes.",
        "status": OneOf(choices=tuple(STATUS_WORDS.get(state, state) for state in HEALTH_STATES)),
        field: OneOf(choices=tuple(OUTCOMES.values())),
        "network": Text(),
    }
    return type(f"{service.capitalize()}HealthOut", (HealthOut,), fields)


def _worst_status(checks: Iterable[Mapping[str, Any]]) -> str:
    statuses = {str(check["status"]) for check in checks}
    return next((state for state in reversed(HEALTH_STATES) if state in statuses), "ok")


def health_viewset(service: str) -> type[OperationViewSet]:
    """Return the viewset of a service's health."""
    field = SERVICES[service].health_field

    def conclude(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> Answer:
        health_checks = checks.collect_health_checks(service=service, now=now)
        status = _worst_status(health_checks.values())
        body = {
            "status": status,
            "service": service,
            "version": SERVICES[service].version,
            "checked_at": now,
            "checks": health_checks,
        }
        if field:
            # missing checks could not run: the database does not answer
            own = [health_checks.get(name, {"status": "down"}) for name in SERVICES[service].checks]
            body["status"] = STATUS_WORDS.get(status, status)
            body |= {field: OUTCOMES[_worst_status(own)], "network": settings.X402_NETWORK}
        return Answer(body, status=503 if status == "down" else 200)

    class HealthViewSet(OperationViewSet):
        """The health of a service."""

        @operation(
            "health",
            spec="3 §2.3" if field else "1 §4",
            access=Access(open=True, rate=""),
            response=_build_worded_health(service, field) if field else HealthOut,
            statuses=(200, 503),
        )
        def list(self, request: Request) -> HttpResponseBase:
            """Says whether the service can do its work, and what prevents it."""
            return self.run(None, conclude)

    return HealthViewSet
