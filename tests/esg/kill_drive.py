"""Drives a lookup of an entity through kill -9 and prints what is left, as JSON; a process.

A caller dies within its transaction; another just after it, with the lookup queued and no worker;
a whole cluster dies half way, one source asked and the next one silent; a new one goes on.
"""

import json
import os
import signal
import threading
from datetime import timedelta
from http.server import BaseHTTPRequestHandler

from tests.upstreams.loopback import Loopback, body

FAR, SILENT = Loopback(), threading.Event()
os.environ["Q_CLUSTER_NAME"] = "outbound"  # the lane of jobs that go out
os.environ["ESG_SOURCES"] = f"sbti={FAR.url}/sbti.csv,osha={FAR.url}/osha.csv"

import django  # noqa: E402

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connections, transaction  # noqa: E402

from apps.insight.esg.models import EsgLookup, Evidence  # noqa: E402
from apps.insight.esg.services import entity_lookups  # noqa: E402
from apps.platform.common.clock import now  # noqa: E402
from apps.platform.jobs import job_queue  # noqa: E402
from apps.platform.jobs.models import Job, JobState  # noqa: E402
from tests.platform.cluster_drive import kill, start, until  # noqa: E402

LEI, NAME = "INR2EJN1ERAN0W5ZP974", "Microsoft Corporation"
SBTI = f"lei,near_term_status\n{LEI},Targets set\n".encode()
OSHA = (
    b"company_name,year_filing_for,total_hours_worked,total_deaths,total_dafw_cases,"
    b"total_djtr_cases,total_other_cases\nMicrosoft Corporation,2025,200000,0,1,0,0\n"
)


def silent(handler: BaseHTTPRequestHandler) -> None:
    """Answer only once the first cluster is dead."""
    SILENT.wait(60)
    body(OSHA)(handler)


def caller(*, dies_within: bool) -> None:
    """Plan a lookup in a process of its own, which is killed within or after its transaction."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    connections.close_all()
    with transaction.atomic():
        entity_lookups.plan_entity_lookup(lei=LEI, name=NAME, country="US", again=False, now=now())
        if dies_within:
            os.kill(os.getpid(), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)


def mine() -> list[Job]:
    return list(Job.objects.filter(name=entity_lookups.JOB))


def swept() -> None:
    """Sweep as a minute later: the lease of a dead runner has ended, and a nudge is due."""
    past = now() - timedelta(minutes=2)
    mine = Job.objects.filter(name=entity_lookups.JOB)
    mine.update(nudged_at=past)
    mine.filter(state=JobState.RUNNING).update(lease_until=past)
    job_queue.run_tick()


def main() -> None:
    call_command("migrate", verbosity=0)
    FAR.answers |= {"/sbti.csv": body(SBTI), "/osha.csv": silent}
    connections.close_all()
    caller(dies_within=True)
    lost = len(mine()) + EsgLookup.objects.count()
    connections.close_all()
    caller(dies_within=False)
    queued = [job.state for job in mine()], EsgLookup.objects.get().done_at is None
    cluster = start()
    swept()  # whoever was killed may have left no nudge
    try:
        until(lambda: any("osha" in call for call in list(FAR.calls)))
        half = sorted(Evidence.objects.values_list("key", flat=True))
        kill(cluster)
        SILENT.set()
        cluster = start()
        swept()
        until(lambda: all(job.state == JobState.DONE for job in mine()))
    finally:
        kill(cluster)
        FAR.close()
    row = EsgLookup.objects.get()
    print(
        json.dumps(
            {
                "lost": lost,
                "queued": queued,
                "half": half,
                "evidence": sorted(Evidence.objects.values_list("key", flat=True)),
                "jobs": [job.state for job in mine()],
                "attempts": [job.attempts for job in mine()],
                "done": row.done_at is not None,
                "faults": row.faults,
            }
        )
    )


if __name__ == "__main__":
    main()
