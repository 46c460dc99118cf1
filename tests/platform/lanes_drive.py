"""Drives both lanes of workers while an upstream drips, and prints what happened, as JSON."""

import json
import subprocess
import sys
from collections.abc import Callable

import django

django.setup()

from django.core.management import call_command  # noqa: E402

from apps.platform.common.clock import now  # noqa: E402
from apps.platform.jobs import job_queue  # noqa: E402
from apps.platform.jobs.models import Job, JobState  # noqa: E402
from tests.platform.cluster_drive import lines, noted, until  # noqa: E402
from tests.upstreams.loopback import Loopback, body, drip  # noqa: E402

NOTES = [f"note{number}" for number in range(6)]


def finished(*names: str) -> Callable[[], bool]:
    return lambda: Job.objects.filter(key__in=names, state=JobState.DONE).count() == len(names)


def main() -> None:
    call_command("migrate", verbosity=0)
    far = Loopback()
    far.answers["/drips"] = drip(100_000, 0.1)
    far.answers["/well"] = body(b"1")
    command = [sys.executable, "-m", "config.supervise", "jobs", "outbound"]
    supervisor = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    held = [f"{far.url}/drips?{number}" for number in range(2)]
    behind = f"{far.url}/well"
    try:
        for key in held:
            job_queue.enqueue_job(job="test.call", key=key, now=now())
        until(lambda: len(far.calls) == 2)  # both workers of that lane hang in a call
        job_queue.enqueue_job(job="test.call", key=behind, now=now())
        for key in NOTES:
            job_queue.enqueue_job(job="test.note", key=key, now=now())
        until(finished(*NOTES))
        waited = Job.objects.get(key=behind).state
        until(finished(behind))
    finally:
        supervisor.terminate()
        supervisor.wait(60)
        far.close()
    ended = [noted(f"ended-{key}")[0] for key in held]
    outcome = {
        "behind when the notes were done": waited,
        "last note": max(noted(key)[0] for key in NOTES),
        "first call ended": min(ended),
        "states": dict(Job.objects.filter(name="test.call").values_list("key", "state")),
        "noted": len(lines()),
    }
    print(json.dumps(outcome))


if __name__ == "__main__":
    main()
