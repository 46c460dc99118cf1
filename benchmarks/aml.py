"""AML screens per second on one database, beside the ceiling of the same writes without judging.

    ./run bench aml [--screens N] [--workers 2] [--wallets N] [--postgres URL]

Each worker is a process that gathers and concludes payments between wallets that it picks at
random, in a transaction each, as the endpoint does, without HTTP. The ceiling writes a record as
large and both profiles, and neither reads, judges nor looks at a list.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import uuid
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WAYS = ("ceiling", "screens")


def main() -> int:
    options = arguments()
    if options.work:
        return work(options)
    for name, url in (("SQLite", ""), ("PostgreSQL", options.postgres)):
        if name == "PostgreSQL" and not url:
            print("PostgreSQL: not measured (no --postgres URL)")
            continue
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            measure(name, url, folder, options)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--screens", type=int, default=1500, help="of each worker and round")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--wallets", type=int, default=2000)
    parser.add_argument(
        "--postgres",
        default=os.environ.get("BENCH_DATABASE_URL", ""),
        help="URL of an empty database that may be filled",
    )
    parser.add_argument("--work", choices=WAYS, help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=0, help=argparse.SUPPRESS)
    return parser.parse_args()


def measure(name: str, url: str, folder: str, options: argparse.Namespace) -> None:
    """Print the rates of all rounds on one fresh database."""
    env = os.environ | {"VAR_DIR": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
    env.pop("DATABASE_URL", None)
    if url:
        env["DATABASE_URL"] = url
    for words in (("migrate", "--verbosity", "0"), ("setup_sandbox", "--quiet"), ("build_index",)):
        command = [sys.executable, "manage.py", *words]
        subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True)
    print(f"{name}, {options.workers} workers, {options.screens} each a round")
    for turn in range(options.rounds):
        found = {way: _rate(way, turn, env, options) for way in WAYS}
        share = found["screens"][0] / found["ceiling"][0]
        told = ", ".join(
            f"{way} {rate:.0f}/s ({cpu:.1f} ms CPU each)" for way, (rate, cpu) in found.items()
        )
        print(f"  round {turn + 1}: {told}, {share:.2f} of the ceiling", flush=True)


def _rate(
    way: str, turn: int, env: dict[str, str], options: argparse.Namespace
) -> tuple[float, float]:
    """Return how many a second, and the workers' CPU for each in ms, without the database's."""
    words = ["--screens", str(options.screens), "--wallets", str(options.wallets), "--work", way]
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "benchmarks.aml", *words, "--seed", str(turn * 100 + n)],
            cwd=ROOT,
            env=env,
            stdout=subprocess.PIPE,
        )
        for n in range(options.workers)
    ]
    told = [json.loads(one.communicate()[0]) for one in running]
    wall = max(one["until"] for one in told) - min(one["since"] for one in told)
    done = options.workers * options.screens
    return done / wall, 1000 * sum(one["cpu"] for one in told) / done


def work(options: argparse.Namespace) -> int:
    """Run one worker, and print when it began and ended."""
    import django

    django.setup()
    step = screened if options.work == "screens" else written
    pick = random.Random(options.seed)
    payments = [payment(pick, options.wallets) for _ in range(options.screens + 20)]
    for one in payments[:20]:
        step(one)
    since, spent = time.time(), time.process_time()
    for one in payments[20:]:
        step(one)
    cpu = time.process_time() - spent
    print(json.dumps({"since": since, "until": time.time(), "cpu": cpu}))
    return 0


def payment(pick: random.Random, wallets: int) -> Any:
    from apps.aml.screening.asked import Asked

    ends = [f"0x{number + 1:040x}" for number in pick.sample(range(wallets), 2)]
    amount = Decimal(pick.randrange(100, 500_000)) / 100
    return Asked(*ends, amount, "USDC", str(uuid.uuid4()), pick.choice(("SEND", "RECEIVE")))


def screened(asked: Any) -> None:
    """Do what the endpoint does."""
    from django.db import transaction

    from apps.aml.screening.conclude import conclude
    from apps.aml.screening.gather import gather
    from apps.core.callers import Caller

    now = datetime.now(UTC)
    gathered = gather(asked=asked, now=now)
    with transaction.atomic():
        conclude(asked=asked, gathered=gathered, caller=Caller("account:1", "INTERNAL"), now=now)


def written(asked: Any) -> None:
    """Write as much as a screen does, and nothing else."""
    from django.db import transaction

    from apps.aml.models import AmlScreen, WalletProfile
    from apps.core.prepared import upsert

    now = datetime.now(UTC)
    state = "x" * 2400
    with transaction.atomic():
        rows = [
            WalletProfile(wallet=f"{one}c", state="", payments=1, standing="", updated_at=now)
            for one in sorted((asked.wallet, asked.counterparty))
        ]
        upsert(rows, unique="wallet", change=("payments", "updated_at"))
        AmlScreen.write(
            payload={"evidence": [state, state], "response": "x" * 900},
            now=now,
            screen_id=uuid.uuid4(),
            owner="account:1",
            wallet=asked.wallet,
            counterparty=asked.counterparty,
            payment_key=uuid.uuid4().hex,
            counted=True,
            action="PROCEED",
            risk_score=0,
            rule="AML-4",
            cohort="NEW",
            level="",
            sampled=False,
            weights=0,
            rules_version="bench",
            sample=True,
        )


if __name__ == "__main__":
    sys.exit(main())
