"""Payments: how fast they are taken, drained to SETTLED, and ended while they come steadily.

    ./run bench payments [--requests N] [--drain N] [--steady SECONDS] [--postgres URL]

First `payments/initiate` beside its ceiling, which writes a row, a record and a job as large and
makes nothing of the instruction; driven in turn, the ratio is the figure. Then so many payments are
taken and carried to SETTLED by two workers, each a process that runs the jobs as they are due, with
a callback planned for each. Last, payments come at 20 a second while two workers run, and what is
told is the time from accepted to SETTLED. Callbacks are planned and not sent: no receiver is part
of it. Every payment is between wallets of its own, as AML would flag one that pays thousands.
"""

import argparse
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.benchmark_server import PORT, serving
from benchmarks.load_generator import request
from benchmarks.rate_report import (
    iter_databases,
    offer_json,
    offer_postgres,
    report_in_turn,
    write_json,
)

ROOT = Path(__file__).resolve().parent.parent
INITIATE, CEILING = "/integration/payments/initiate", "/ceiling/initiate"
STEADY_RATE = 20


def main() -> int:
    options = arguments()
    if options.work:
        return work(options.work)
    # both parts use one database: what one recorded must be proved to the other
    os.environ.setdefault("SECRET_KEY", secrets.token_hex(32))
    print(f"{os.getloadavg()[0]:.1f} is the load of the machine as it begins")
    for name, url in iter_databases(options):
        if options.requests:
            with serving(
                database=url, settings="benchmarks.payments_settings", port=options.port
            ) as keys:
                report(name, options, keys)
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            drained(name, url, folder, options)
    write_json(options)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--requests", type=int, default=1000, help="of a round; 0 leaves it out")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--drain", type=int, default=20_000, help="payments that are drained")
    parser.add_argument("--steady", type=int, default=60, help="seconds at 20 a second")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--port", type=int, default=PORT)
    offer_postgres(parser)
    parser.add_argument("--work", choices=("take", "run", "tell", "steady"), help=argparse.SUPPRESS)
    offer_json(parser)
    return parser.parse_args()


def instruction(seed: int, number: int) -> dict[str, Any]:
    """Return an instruction between two wallets of its own."""
    place = seed * 1_000_000 + number + 1
    return {
        "tmsReference": f"B-{place}",
        "amount": f"{100 + place % 800}.{place % 100:02d}",
        "currency": "USD",
        "settlementAsset": "USDC",
        "creditor": {
            "name": "Blue Heron Stationery Limited",
            "walletAddress": f"0x{2 * place + 2**80:040x}",
        },
        "debtor": {
            "name": "Microsoft Corporation",
            "lei": "INR2EJN1ERAN0W5ZP974",
            "walletAddress": f"0x{2 * place + 1 + 2**80:040x}",
        },
    }


def report(name: str, options: argparse.Namespace, keys: Mapping[str, str]) -> None:
    """Drive initiate and its ceiling in turn; print the rounds and the median ratio."""
    credentials = {"Authorization": f"Bearer {keys['institution']}"}

    def payloads(path: str, count: int, seed: int) -> list[bytes]:
        made = (json.dumps(instruction(seed, index)).encode() for index in range(count))
        return [request(path=path, headers=credentials, body=one) for one in made]

    report_in_turn(
        name,
        options,
        paths=(INITIATE, CEILING),
        payloads=payloads,
        ratios=((INITIATE, CEILING),),
        port=options.port,
    )


def drained(name: str, url: str, folder: str, options: argparse.Namespace) -> None:
    """Drain payments by workers, then let them come steadily; print both."""
    env = os.environ | {
        "VAR_DIR": folder,
        "BENCH_COUNT": str(options.drain),
        "BENCH_SECONDS": str(options.steady),
    }
    env.pop("DATABASE_URL", None)
    if url:
        env["DATABASE_URL"] = url

    def manage(*words: str) -> None:
        command = [sys.executable, "manage.py", *words]
        subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True)

    def child(what: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "benchmarks.payments", "--work", what]
        return subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)

    for words in (("migrate", "--verbosity", "0"), ("setup_sandbox", "--quiet"), ("build_index",)):
        manage(*words)
    if options.drain:
        print(f"\n{name}: {options.drain} payments")
        for what, count in (("take", 1), ("run", options.workers)):
            for one in [child(what) for _ in range(count)]:
                print("  " + one.communicate()[0].strip(), flush=True)
        print("  " + child("tell").communicate()[0].strip())
    if options.steady:
        steady(child, options, env)


def steady(child: Any, options: argparse.Namespace, env: dict[str, str]) -> None:
    """Let payments come at a rate while workers run."""
    print(f"  {STEADY_RATE} a second for {options.steady} seconds")
    env["BENCH_UNTIL"] = str(options.steady + 25)
    runners = [child("run") for _ in range(options.workers)]
    print("  " + child("steady").communicate()[0].strip())
    for runner in runners:
        runner.communicate()
    print("  " + child("tell").communicate()[0].strip())


# --- what the children do -------------------------------------------------------------


def work(what: str) -> int:
    """Do one part in a process of its own."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    parts = {"take": take, "run": run, "tell": tell, "steady": come}
    parts[what](int(os.environ["BENCH_COUNT"]), int(os.environ["BENCH_SECONDS"]))
    return 0


def take(count: int, seconds: int) -> None:
    """Accept all payments; what the server of before left is not part of it."""
    from django_q.models import OrmQ

    OrmQ.objects.all().delete()
    started = time.monotonic()
    for number in range(count):
        accepted(1, number)
    print(f"taken: {count / (time.monotonic() - started):.0f} a second in one process")


def accepted(seed: int, number: int) -> None:
    """Accept one instruction with a callback, as the endpoint does within its transaction."""
    from django.db import transaction

    from apps.payments.payments.instructions import InstructionIn, build_instruction
    from apps.payments.payments.services.accept_payment import accept_payment
    from apps.platform.api.callers import Caller
    from apps.platform.common.clock import now

    sent = instruction(seed, number) | {"callbackUrl": "http://127.0.0.1:9/callback"}
    values = InstructionIn().run_validation(sent)
    with transaction.atomic():
        accept_payment(
            instruction=build_instruction(**values),
            caller=Caller(ref="account:1", kind="INSTITUTION"),
            now=now(),
        )


def run(count: int, seconds: int) -> None:
    """Run what is due in the main lane, as a worker does, until nothing is left for a while."""
    import logging

    from django_q.models import OrmQ
    from django_q.signing import SignedPackage

    from apps.platform.common.clock import now
    from apps.platform.jobs import job_queue

    logging.disable(logging.WARNING)
    until = time.monotonic() + float(os.environ.get("BENCH_UNTIL", "0"))
    idle, done, at_once, started = 0, 0, 20, 0.0
    while idle < 30 or time.monotonic() < until:
        due = list(OrmQ.objects.filter(key="payments", lock__lte=now()).order_by("?")[:at_once])
        idle = 0 if due else idle + 1
        if not due:
            time.sleep(0.1)
        for one in due:
            # the broker takes a task by deleting its row; whoever deletes it has it
            if not OrmQ.objects.filter(pk=one.pk).delete()[0]:
                continue
            task = SignedPackage.loads(one.payload)
            if task["func"] == "apps.platform.jobs.job_queue.run_job":
                job_queue.run_job(*task["args"])
                done += task["args"] != ()
                # the first loads the lists
                started = started or time.process_time()
    spent = (time.process_time() - started) / max(1, done)
    print(f"a worker ran {done} jobs, {1000 * spent:.1f} ms of processor each")


def come(count: int, seconds: int) -> None:
    """Accept payments at a steady rate."""
    time.sleep(10)  # the workers load their lists
    begins = time.monotonic()
    for number in range(seconds * STEADY_RATE):
        time.sleep(max(0.0, begins + number / STEADY_RATE - time.monotonic()))
        accepted(2, number)
    print(f"came: {seconds * STEADY_RATE / (time.monotonic() - begins):.1f} a second")


def tell(count: int, seconds: int) -> None:
    """Tell how payments stand, and how long each took from accepted to its end."""
    from apps.payments.callbacks.models import Delivery
    from apps.payments.payments.models import Payment
    from apps.platform.jobs.models import JobAttempt

    steady = Payment.objects.filter(reference__startswith="B-2").exists()
    chosen = Payment.objects.filter(reference__startswith="B-2" if steady else "B-1")
    states = dict.fromkeys(chosen.values_list("state", flat=True), 0)
    for state in states:
        states[state] = chosen.filter(state=state).count()
    # a run ends after the payment did: what is told is never too little
    ends = dict(JobAttempt.objects.values_list("job__key", "finished_at"))
    rows = chosen.filter(state="SETTLED").values_list("pk", "submitted_at")
    took = sorted((ends[str(pk)] - at).total_seconds() for pk, at in rows if ends.get(str(pk)))
    told = f"{states}, {Delivery.objects.count()} callbacks planned"
    if took and not steady:
        # from the end of the first run on: what came before is the loading of the lists
        moments = sorted(ends[str(pk)] for pk, _ in rows if ends.get(str(pk)))
        span = (moments[-1] - moments[0]).total_seconds()
        told += f"; drained {len(moments) / span:.0f} a second"
    if took and steady:
        told += f"; accepted to SETTLED p50 {took[len(took) // 2]:.2f} s"
        told += f", p99 {took[min(len(took) - 1, len(took) * 99 // 100)]:.2f} s"
    print(told)


if __name__ == "__main__":
    sys.exit(main())
