"""AML screens per second on one database, beside the ceiling of the same writes without judging.

    ./run bench aml [--screens N] [--workers 2] [--wallets N] [--traffic regular] [--postgres URL]

Each worker is a process that gathers and concludes payments in a transaction each, as the endpoint
does, without HTTP. Regular traffic is of wallets that pay some partners of theirs about once a
day, with the clock going on as they pay; a storm is between any two at once, of which about a
third is flagged or blocked and opens cases and entries. The ceiling writes a record as large and
both profiles, and neither reads, judges nor looks at a list. Beside the rates stands the processor
time of a screen, which other load on the machine changes less: of the worker, and of the
database's own process for it where that runs on this machine.
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
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from benchmarks.rate_report import iter_databases, offer_postgres

ROOT = Path(__file__).resolve().parent.parent
WAYS = ("ceiling", "screens")


def main() -> int:
    options = arguments()
    if options.work:
        return work(options)
    for name, url in iter_databases(options):
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            measure(name, url, folder, options)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--screens", type=int, default=1500, help="of each worker and round")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--wallets", type=int, default=2000)
    offer_postgres(parser)
    parser.add_argument("--traffic", choices=("regular", "storm"), default="regular")
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
        rates = ", ".join(
            f"{way} {one[0]:.0f}/s ({one[1]:.1f} ms CPU each, {one[2]:.1f} of the database)"
            for way, one in found.items()
        )
        reviewed = f"{found['screens'][3]:.1%} reviewed"
        print(f"  round {turn + 1}: {rates}, {share:.2f} of the ceiling, {reviewed}", flush=True)


def _rate(
    way: str, turn: int, env: dict[str, str], options: argparse.Namespace
) -> tuple[float, float, float, float]:
    """Return how many a second, CPU of worker and database for each in ms, and the share flagged.

    What is blocked counts as flagged.
    """
    words = ["--screens", str(options.screens), "--wallets", str(options.wallets), "--work", way]
    words += ["--traffic", options.traffic]
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
    cpu, held, flagged = (sum(one[name] for one in told) for name in ("cpu", "held", "flagged"))
    return done / wall, 1000 * cpu / done, 1000 * held / done, flagged / done


def work(options: argparse.Namespace) -> int:
    """Run one worker, and print when it began and ended."""
    import django

    django.setup()
    step = screened if options.work == "screens" else written
    pick = random.Random(options.seed)
    regular = options.traffic == "regular"
    payments = [payment(pick, options.wallets, regular) for _ in range(options.screens + 20)]
    begun = datetime.now(UTC) + options.seed // 100 * timedelta(days=options.screens / 1000)
    pace = timedelta(days=options.workers / options.wallets) if regular else timedelta()
    for turn, one in enumerate(payments[:20]):
        step(one, begun + turn * pace)
    since, spent, held = time.time(), time.process_time(), _spent_by_database()
    actions = [step(one, begun + turn * pace) for turn, one in enumerate(payments[20:], start=20)]
    cpu, held = time.process_time() - spent, _spent_by_database() - held
    flagged = sum(action in ("FLAG", "BLOCK") for action in actions)
    told = {"since": since, "until": time.time(), "cpu": cpu, "held": held, "flagged": flagged}
    print(json.dumps(told))
    return 0


def _spent_by_database() -> float:
    """Return the processor seconds of this connection's process; 0 where that is elsewhere."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return 0.0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        stat = Path(f"/proc/{cursor.fetchone()[0]}/stat")
    if not stat.exists():
        return 0.0
    user, system = stat.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def payment(pick: random.Random, wallets: int, regular: bool) -> Any:
    """Return a payment between two wallets: of one to its next five, or of any two."""
    from apps.compliance.aml.screening.requests import AmlScreenRequest

    sender, other = pick.sample(range(wallets), 2)
    if regular:
        other = (sender + pick.randrange(1, 6)) % wallets
    ends = [f"0x{number + 1:040x}" for number in (sender, other)]
    usual = 100 * (sender % 40 + 1)  # USD, give or take a tenth
    amount = Decimal(pick.randrange(90, 110) * usual if regular else pick.randrange(100, 500_000))
    return AmlScreenRequest(
        *ends, amount / 100, "USDC", str(uuid.uuid4()), pick.choice(("SEND", "RECEIVE"))
    )


def screened(asked: Any, now: datetime) -> str:
    """Do what the endpoint does, and return the action."""
    from django.db import transaction

    from apps.compliance.aml.screening.selectors import gather_aml_screen
    from apps.compliance.aml.screening.services import conclude_aml_screen
    from apps.platform.api.callers import Caller

    gathered = gather_aml_screen(asked=asked, now=now)
    with transaction.atomic():
        found = conclude_aml_screen(
            asked=asked, gathered=gathered, caller=Caller("account:1", "INTERNAL"), now=now
        )
    return str(found["action"])


def written(asked: Any, now: datetime) -> str:
    """Write as much as a screen does, and nothing else."""
    from django.db import transaction

    from apps.compliance.aml.models import AmlScreen, WalletProfile
    from apps.platform.db.compiled_statements import upsert_rows

    state = "x" * 2400
    with transaction.atomic():
        rows = [
            WalletProfile(wallet=f"{one}c", state="", payments=1, standing="", updated_at=now)
            for one in sorted((asked.wallet, asked.counterparty))
        ]
        upsert_rows(rows, unique="wallet", change=("payments", "updated_at"))
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
    return ""


if __name__ == "__main__":
    sys.exit(main())
