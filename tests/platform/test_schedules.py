"""Schedules as the jobs of apps seed them."""

from datetime import timedelta
from itertools import product
from typing import Any

import pytest

from apps.platform.health import checks as health_checks
from apps.platform.jobs import job_queue
from apps.platform.jobs.models import Heartbeat, Job, Periodic
from apps.platform.jobs.registry import DAY, HOUR, JOBS, MINUTE
from tests.for_each import for_each


@pytest.mark.parametrize("production", [False, True])
def test_what_goes_out_to_upstreams_begins_switched_off_in_a_sandbox_only(
    db: None, settings: Any, noon: Any, production: bool
) -> None:
    Periodic.objects.all().delete()
    settings.PRODUCTION = production
    job_queue.sync_schedules(now=noon)
    for name, enabled in Periodic.objects.values_list("name", "enabled"):
        assert enabled is (production or not JOBS[name].upstream), name


def test_what_an_operator_switched_stays_so(db: None, noon: Any) -> None:
    Periodic.objects.filter(name="core.seal").update(enabled=False, every_seconds=120)
    job_queue.sync_schedules(now=noon)
    periodic = Periodic.objects.get(name="core.seal")
    assert (periodic.enabled, periodic.every_seconds) == (False, 120)


def test_what_is_periodic_stays_so_and_keeps_its_rhythm(db: None, noon: Any) -> None:
    """A job that is no longer periodic would be missed by nobody until it is needed."""
    rhythm = {
        "core.seal": MINUTE,
        "core.tidy": HOUR,
        "core.export_heads": HOUR,
        "stability.tidy": HOUR,
        "stability.run": 10 * MINUTE,
        "stability.resolve": DAY,
        "esgoracle.run": 10 * MINUTE,
        "pain001.sweep": MINUTE,
        "pain001.tidy": DAY,
        "core.partitions": DAY,
        "core.verify": DAY,
        "access.record_usage": HOUR,
        "watchlists.refresh": 6 * HOUR,
        "lei.refresh_in_use": DAY,
        "ongoing.rescreen": HOUR,
        "ongoing.file_parties": 6 * HOUR,
        "registry.look_again": DAY,
        "registry.tidy_imports": DAY,
        "signals.refresh_rates": 6 * HOUR,
        "signals.refresh": 10 * MINUTE,
        "signals.tidy": DAY,
        "intelligence.resolve": DAY,
        "forecast.run": HOUR,
        "forecast.resolve": DAY,
        "screening.tidy": HOUR,
        "paywall.sweep": MINUTE,
        "payments.sweep": MINUTE,
        "settlement.tidy": DAY,
        "banking.sweep": MINUTE,
        "banking.reconcile": DAY,
        "chain.sweep": MINUTE,
        "travelrule.record": MINUTE,
        "travelrule.sweep": 5 * MINUTE,
        "travelrule.sweep_screens": HOUR,
        "travelrule.root": MINUTE,
        "travelrule.count": MINUTE,
        "travelrule.tidy": DAY,
        "review.escalate_overdue": 5 * MINUTE,
        "review.wake_known": DAY,
        "oversight.sample": DAY,
        "callbacks.sweep": MINUTE,
        "callbacks.tidy": DAY,
        "esg.refresh_countries": 30 * DAY,
    }
    assert {name: work.every for name, work in JOBS.items() if work.every} == rhythm
    Periodic.objects.all().delete()
    job_queue.sync_schedules(now=noon)
    seeded = Periodic.objects.values_list("name", "every_seconds")
    assert dict(seeded) == {name: every.total_seconds() for name, every in rhythm.items()}
    assert set(JOBS) - set(rhythm) == {
        "signals.fetch",
        "lei.complete_chain",
        "paywall.reconcile",
        "registry.change_entity",
        "registry.check_import",
        "registry.run_import",
        "esg.look_up",
        "stability.narrate",
        "callbacks.send",
        "payments.advance",
        "pain001.work",
        "travelrule.transmit",
        "travelrule.send_later",
        "travelrule.screen_parties",
        "travelrule.stamp",
        "chain.watch",
        "chain.tell",
        "banking.route",
        "banking.save_recipient",
        "banking.send",
    }  # the rest is run when asked for


# `begun` is in seconds after the ten minutes began
@for_each(("name", "begun"), product(["stability.run", "esgoracle.run"], [0, 300, 590]))
def test_every_ten_minutes_have_one_run_whenever_it_began(
    db: None, noon: Any, name: str, begun: int
) -> None:
    """Ticks come up to a minute and a half late, now more and now less; uptime counts each slot."""
    slot = JOBS[name].every
    assert slot is not None
    start = noon + timedelta(seconds=begun)
    Periodic.objects.exclude(name=name).update(enabled=False)  # each is planned by itself
    Periodic.objects.filter(name=name).update(next_at=start)
    ran = []
    for number in range(120):
        at = start + number * MINUTE + timedelta(seconds=number * 7 % 30)
        before = Periodic.objects.get(name=name).next_at
        job_queue.enqueue_due_schedules(now=at)
        if Periodic.objects.get(name=name).next_at != before:
            ran.append((at - noon) // slot)
    assert ran == list(range(ran[-1] + 1)) and len(ran) >= 12


def test_what_a_clock_planned_that_was_set_back_is_due_now(db: None, noon: Any) -> None:
    """Else it would be silent for as long as the clock was ahead."""
    seal = Periodic.objects.filter(name="core.seal")
    seal.update(next_at=noon + 2 * HOUR)
    job_queue.enqueue_due_schedules(now=noon)
    assert Job.objects.filter(name="core.seal", eta=noon).count() == 1
    assert noon < seal.get().next_at <= noon + MINUTE


def test_what_is_planned_within_its_rhythm_waits(db: None, noon: Any) -> None:
    Periodic.objects.filter(name="core.seal").update(next_at=noon + MINUTE)
    job_queue.enqueue_due_schedules(now=noon)
    assert not Job.objects.filter(name="core.seal").exists()


def test_a_heartbeat_of_the_future_proves_nothing(db: None, noon: Any) -> None:
    Heartbeat.objects.update_or_create(name=job_queue.HEARTBEAT, defaults={"at": noon + 2 * HOUR})
    assert health_checks.check_jobs(noon)["status"] == "degraded"
    Heartbeat.objects.update(at=noon)
    assert health_checks.check_jobs(noon)["status"] == "ok"
