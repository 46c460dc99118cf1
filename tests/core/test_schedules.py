"""Schedules as config/jobs.py seeds them."""

from typing import Any

import pytest

from apps.core import jobs
from apps.core.models import Periodic
from config.jobs import JOBS


@pytest.mark.parametrize("production", [False, True])
def test_what_goes_out_to_upstreams_begins_switched_off_in_a_sandbox_only(
    db: None, settings: Any, noon: Any, production: bool
) -> None:
    Periodic.objects.all().delete()
    settings.PRODUCTION = production
    jobs.sync_schedules(now=noon)
    for name, enabled in Periodic.objects.values_list("name", "enabled"):
        assert enabled is (production or not JOBS[name].upstream), name


def test_what_an_operator_switched_stays_so(db: None, noon: Any) -> None:
    Periodic.objects.filter(name="core.seal").update(enabled=False, every_seconds=120)
    jobs.sync_schedules(now=noon)
    kept = Periodic.objects.get(name="core.seal")
    assert (kept.enabled, kept.every_seconds) == (False, 120)
