"""Describe health checks in words that tell an operator what to do."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.platform.common.registry import Registry
from apps.platform.health import ledgers as ledger_health
from apps.platform.health.checks import (
    HEALTH_CHECKS,
    QUIET_AFTER,
    collect_checks_by_service,
)
from config.services import SERVICES

STATES = {"ok": "Works", "degraded": "Needs attention", "down": "Down"}


@dataclass(frozen=True, slots=True)
class CheckWording:
    """The wording of a check: its title, and sentences from its result."""

    title: str
    speak: Callable[[dict[str, Any]], list[str]]


WORDINGS: Registry[CheckWording] = Registry("text of a health check")


def register_health_check(
    name: str, check: Callable[[datetime], Mapping[str, Any]], wording: CheckWording
) -> None:
    """Register a check that services may name (config/services.py), with its wording."""
    HEALTH_CHECKS.register(name, check)
    WORDINGS.register(name, wording)


@dataclass(frozen=True, slots=True)
class DescribedCheck:
    """One check in words; `state` is ok, degraded or down."""

    title: str
    state: str
    words: str
    sentences: list[str]


def describe_service_health(now: datetime) -> list[tuple[str, list[DescribedCheck]]]:
    """Return each service's checks, the most severe first."""
    gravity = {"down": 0, "degraded": 1, "ok": 2}
    services_shown = []
    collected = collect_checks_by_service([service.name for service in SERVICES.values()], now=now)
    for service in SERVICES.values():
        checks = collected[service.name]
        rows = [_describe_check(name, check) for name, check in checks.items()]
        services_shown.append(
            (service.title, sorted(rows, key=lambda row: gravity.get(row.state, 0)))
        )
    return services_shown


def _describe_check(name: str, check: dict[str, Any]) -> DescribedCheck:
    state = str(check.get("status", "down"))
    words = WORDINGS.get(name) or CheckWording(name.capitalize(), _list_check_values)
    return DescribedCheck(words.title, state, STATES.get(state, state), words.speak(check))


def _list_check_values(check: dict[str, Any]) -> list[str]:
    return [f"{name}: {value}" for name, value in check.items() if name != "status"]


def _describe_database(check: dict[str, Any]) -> list[str]:
    return ["It is responding."] if check["status"] == "ok" else ["It is not responding."]


def _describe_jobs(check: dict[str, Any]) -> list[str]:
    beat, oldest = check.get("lastHeartbeatSeconds"), check.get("oldestDueSeconds") or 0
    sentences = [
        f"A worker ran {format_short_span(beat)} ago."
        if beat is not None
        else "No worker has run yet: start the background jobs."
    ]
    if beat is not None and beat >= QUIET_AFTER.total_seconds() and not oldest:
        sentences.append("That is too long ago: check that the workers are running.")
    if oldest:
        sentences.append(
            f"The oldest overdue job has been waiting for {format_short_span(oldest)}."
        )
    if outside := check.get("outboundOldestDueSeconds"):
        sentences.append(
            "The oldest job that makes outside calls has been waiting for "
            f"{format_short_span(outside)}."
        )
    failed = check.get("failed", 0)
    waits = "1 failed job needs" if failed == 1 else f"{failed} failed jobs need"
    sentences.append(f"{waits} attention." if failed else "No failed jobs.")
    return sentences


def format_short_span(seconds: int) -> str:
    """Return a span of seconds in words: `40 s`, `3 min`, `5 h`, `2 d`."""
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


DATABASE = CheckWording("Database", _describe_database)
JOBS = CheckWording("Background jobs", _describe_jobs)
LEDGERS = CheckWording("Ledgers", ledger_health.describe_ledger_health)


def register_own_checks() -> None:
    """Register the check of ledgers, and the wording of what every service checks."""
    WORDINGS.register("database", DATABASE)
    WORDINGS.register("jobs", JOBS)
    register_health_check("ledgers", ledger_health.check_ledgers, LEDGERS)
