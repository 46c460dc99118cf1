"""Verify schedules against the records of who switched them or changed their interval."""

from collections.abc import Callable, Iterator
from datetime import datetime

from django.conf import settings

from apps.platform.jobs.models import Periodic, ScheduleRecord
from apps.platform.jobs.registry import JOBS, JobSpec
from apps.platform.ledger.verification.verified_reads import filter_verified_records

State = tuple[bool, int]


def record_schedule(periodic: Periodic, *, by: str, now: datetime) -> None:
    """Record a change of a schedule; call it in the transaction of the change."""
    ScheduleRecord.write(
        payload={},
        now=now,
        name=periodic.name,
        enabled=periodic.enabled,
        every_seconds=periodic.every_seconds,
        by=by,
    )


def verify_schedules(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield schedules that are missing, or differ from their initial or last recorded setting.

    Otherwise an attacker could switch off the daily verification in the database unnoticed.
    """
    set_to: dict[str, State] = {}
    # the last record of a name wins; one without a valid MAC counts as absent
    for record in filter_verified_records(ScheduleRecord.objects.order_by("pk")):
        set_to[record.name] = (record.enabled, record.every_seconds)
    stored_schedules = {
        periodic.name: (periodic.enabled, periodic.every_seconds)
        for periodic in Periodic.objects.all()
    }
    for name, work in JOBS.items():
        if work.every is None:
            continue
        if name not in stored_schedules:
            yield f"schedule {name}: its row is missing"
        elif stored_schedules[name] != (expected := set_to.get(name, initial_state(work))):
            yield (
                f"schedule {name}: it is {_describe_state(stored_schedules[name])}, recorded is "
                f"{_describe_state(expected)}"
            )
    progress(len(stored_schedules))


def initial_state(work: JobSpec) -> State:
    """Return the initial state of a job's schedule: in a sandbox upstream jobs start off."""
    assert work.every is not None  # only such have a schedule
    return settings.PRODUCTION or not work.upstream, int(work.every.total_seconds())


def _describe_state(state: State) -> str:
    enabled, seconds = state
    return f"{'on' if enabled else 'off'}, every {seconds} s"
