"""Tables that apps fill: a name once, an unknown one says which exist, positions order them."""

from datetime import datetime, timedelta

import pytest
from django.core.exceptions import ImproperlyConfigured

from apps.platform.common.registry import AlreadyRegistered, Registry
from apps.platform.desk.health import WORDINGS
from apps.platform.health.checks import HEALTH_CHECKS
from apps.platform.jobs import registry as jobs
from apps.platform.jobs.registry import JobSpec, register_jobs
from config.lanes import LONGEST_JOB_LEASE
from config.services import SERVICES


def test_a_name_is_registered_once() -> None:
    colours: Registry[int] = Registry("colour")
    colours.register("red", 1)
    with pytest.raises(AlreadyRegistered, match="the colour 'red' is registered twice"):
        colours.register("red", 2)
    assert colours["red"] == 1


def test_an_unknown_name_says_which_there_are() -> None:
    colours: Registry[int] = Registry("colour")
    with pytest.raises(KeyError, match="no colour 'red' is registered; there are none"):
        colours["red"]
    colours.register("green", 1)
    colours.register("blue", 2)
    with pytest.raises(KeyError, match="there are blue, green"):
        colours.require("red")
    assert colours.get("red") is None


def test_positions_order_entries_and_those_alike_stay_as_they_came() -> None:
    colours: Registry[int] = Registry("colour")
    for name, position in (("red", 20), ("green", 10), ("blue", 20), ("white", 0)):
        colours.register(name, position, position=position)
    assert list(colours) == ["white", "green", "red", "blue"]


def _idle(key: str, now: datetime) -> None:
    """Do nothing."""


def test_a_lease_that_workers_would_not_wait_for_is_refused() -> None:
    longer = JobSpec(handler=_idle, title="Idle", lease=LONGEST_JOB_LEASE + timedelta(seconds=1))
    with pytest.raises(ImproperlyConfigured, match=r"test\.idle is 2:00:01"):
        register_jobs({"test.idle": longer})
    assert "test.idle" not in jobs.JOBS


def test_services_show_the_checks_that_apps_register() -> None:
    names = {name for service in SERVICES.values() for name in service.checks}
    assert names == set(HEALTH_CHECKS)
    assert set(WORDINGS) == names | {"database", "jobs"}
