"""Drives a real lane of callbacks and prints how late each attempt came, as JSON.

Arguments: how many callbacks, how often each fails first (each wait of the specification is
waited out in earnest), and how many callbacks to one that hangs are due beside them.
"""

import json
import subprocess
import sys
import time
from uuid import uuid4

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import transaction  # noqa: E402

from apps.payments.callbacks import rules  # noqa: E402
from apps.payments.callbacks.models import Attempt, Delivery, State  # noqa: E402
from apps.payments.callbacks.services.publish_event import publish_event  # noqa: E402
from apps.platform.common.clock import now  # noqa: E402
from tests.upstreams.loopback import Answer, Loopback, silent, status  # noqa: E402

APART = 0.15  # seconds between callbacks


def failing_first(times: int) -> Answer:
    """Answer so many calls with 500, and 200 then."""
    seen: list[None] = []

    def answer(handler: object) -> None:
        seen.append(None)
        status(500 if len(seen) <= times else 200)(handler)  # type: ignore[arg-type]

    return answer


def tell(url: str, owner: str) -> None:
    with transaction.atomic():
        publish_event(owner=owner, event="e", subject=uuid4(), body={"a": 1}, url=url, now=now())


def lateness(number: int, owner: str) -> list[float]:
    """Return how late each attempt of a number was, in seconds, after the wait before it."""
    found = []
    for attempt in Attempt.objects.filter(number=number, delivery__owner=owner):
        due = attempt.delivery.created_at
        if number > 1:
            before = Attempt.objects.get(delivery=attempt.delivery, number=number - 1)
            ended = before.at.timestamp() + (before.latency_ms or 0) / 1000
            found.append(
                attempt.at.timestamp() - ended - rules.RETRY_DELAYS[number - 2].total_seconds()
            )
        else:
            found.append((attempt.at - due).total_seconds())
    return sorted(found)


def summed(values: list[float]) -> dict[str, float]:
    middle = values[len(values) // 2]
    return {"n": len(values), "p50": round(middle, 3), "max": round(values[-1], 3)}


def main(many: int, failures: int, hanging: int) -> None:
    call_command("migrate", verbosity=0)
    far, hung = Loopback(), Loopback()
    hung.answers["/hangs"] = silent(30)
    command = [sys.executable, "-m", "config.supervise", "callbacks"]
    supervisor = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        time.sleep(6)  # until its workers are there
        for _ in range(hanging):
            tell(f"{hung.url}/hangs", "hangs")
        for number in range(many):
            far.answers[f"/{number}"] = failing_first(failures)
            tell(f"{far.url}/{number}", "alice")
            time.sleep(APART)
        ends = time.monotonic() + sum(w.total_seconds() for w in rules.RETRY_DELAYS[:failures]) + 30
        rest = Delivery.objects.filter(owner="alice").exclude(state=State.DELIVERED)
        while rest.exists() and time.monotonic() < ends:
            time.sleep(0.3)
    finally:
        supervisor.terminate()
        supervisor.wait(60)
        far.close()
        hung.close()
    found = {str(n): summed(lateness(n, "alice")) for n in range(1, failures + 2)}
    print(json.dumps({"late": found, "to one that hangs": len(hung.calls)}))


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
