"""Lanes: jobs that go out have workers of their own, so that no upstream holds up the rest."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as configured
from django_q.conf import Conf
from django_q.models import OrmQ

from apps.platform.jobs import job_queue
from apps.platform.jobs.registry import JOBS
from apps.platform.upstreams.http import Upstream
from config.lanes import CALLBACKS, OUTBOUND, PAYMENTS
from config.supervise import build_parts
from tests.platform.script_driver import driven


@pytest.mark.django_db
@pytest.mark.parametrize("lane", ["oracle", OUTBOUND, CALLBACKS, PAYMENTS])
def test_a_job_goes_to_its_own_lane_whichever_lane_it_is_sent_from(
    noon: datetime, monkeypatch: Any, lane: str
) -> None:
    monkeypatch.setattr(Conf, "CLUSTER_NAME", lane)
    OrmQ.objects.all().delete()
    for name in JOBS:
        job_queue.enqueue_job(job=name, key="lanes", now=noon)
    sent = {row.task["args"][0]: row.key for row in OrmQ.objects.all()}
    found = {name: sent[job_queue.Job.objects.get(name=name, key="lanes").pk] for name in JOBS}
    going_out = {"watchlists.refresh", "lei.complete_chain", "lei.refresh_in_use"}
    going_out |= {"signals.refresh", "signals.fetch"}
    going_out |= {"signals.refresh_rates", "paywall.reconcile", "registry.change_entity"}
    going_out |= {"registry.check_import", "registry.run_import"}
    going_out |= {"esg.look_up", "esg.refresh_countries", "stability.narrate"}
    going_out |= {"banking.save_recipient"}
    going_out |= {"banking.send", "banking.reconcile"}
    going_out |= {"travelrule.transmit", "travelrule.stamp", "travelrule.screen_parties"}
    going_out |= {"chain.watch"}
    lanes = {name: OUTBOUND if name in going_out else "oracle" for name in JOBS}
    lanes |= dict.fromkeys(("callbacks.send", "callbacks.sweep"), CALLBACKS)
    lanes["payments.advance"] = PAYMENTS
    assert found == lanes


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(name for name, work in JOBS.items() if not work.upstream))
def test_no_job_of_the_other_lane_calls_anybody(
    name: str, noon: datetime, monkeypatch: Any, settings: Any, tmp_path: Path
) -> None:
    settings.GLEIF_URL, settings.VAR_DIR = "http://127.0.0.1:1", tmp_path
    monkeypatch.setattr(Upstream, "_guarded", lambda *_: pytest.fail("it calls an upstream"))
    JOBS[name].handler("", noon)


def test_one_host_runs_all_lanes() -> None:
    commands = {part.name: list(part.command) for part in build_parts("python")}
    assert commands["jobs"][-1] == "qcluster"
    for lane in (OUTBOUND, CALLBACKS, PAYMENTS):
        assert commands[lane][-1] == "qcluster"
        assert f"Q_CLUSTER_NAME={lane}" in commands[lane]
        assert lane in configured.Q_CLUSTER["ALT_CLUSTERS"]


@pytest.mark.once  # on a file of its own
@pytest.mark.processes
def test_two_dripping_upstreams_hold_no_other_job_and_let_go_at_their_deadline(
    tmp_path: Path,
) -> None:
    found = driven("lanes_drive", tmp_path)
    assert found["behind when the notes were done"] == "PENDING"
    assert found["last note"] < found["first call ended"]
    assert sorted(found["states"].values()) == ["DONE", "FAILED", "FAILED"]
