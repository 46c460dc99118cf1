"""The world before its first step: migrated, a sandbox set up, its index built; made once.

`python -m tests.simulation.template FOLDER` makes it, in a process of its own.
"""

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from tests.template_databases import SECRETS

ROOT = Path(__file__).resolve().parents[2]
NAME = "own.sqlite3"


FIXED = {
    "DJANGO_SETTINGS_MODULE": "config.settings",
    **SECRETS,
    "BANK_API_URL": "http://127.0.0.1:9/api/v1",
    "EVM_RPC_URL": "http://127.0.0.1:9/one,http://127.0.0.1:9/two",
    "X402_NETWORK": "base",
    "SETTLEMENT_RAIL": "evm",
    "FLOW_CHECK_THREADS": "0",
    "FLOW_CHECK_KEEPS": "0",
    "MCP_PORT": "0",
    "PYTHONHASHSEED": "0",
}
# what comes again by itself here; the rest is switched off: lists and series have no publisher
SCHEDULED = (
    "core.seal", "core.tidy", "callbacks.sweep", "callbacks.tidy", "payments.sweep", "chain.sweep",
    "travelrule.record", "travelrule.count", "travelrule.root", "banking.sweep",
    "review.escalate_overdue", "stability.tidy", "settlement.tidy", "banking.reconcile",
)  # fmt: skip

# An operator may have them come so seldom, in seconds: most of them each minute would be most of
# the work here, and the ends of what they look after are the same
SELDOM = {
    "core.seal": 7200,
    "core.tidy": 7200,
    "travelrule.count": 7200,
    "travelrule.root": 7200,
    "review.escalate_overdue": 3600,
    "travelrule.record": 600,
    "payments.sweep": 300,
    "chain.sweep": 300,
    "banking.sweep": 300,
    "callbacks.sweep": 120,
}


def made(beside: Path) -> Path:
    """Return the folder of the world before its first step, made below a folder where it is new."""
    folder = beside / "simulation" / _digest()
    if not folder.exists():
        begun = folder.with_suffix(f".{os.getpid()}")
        shutil.rmtree(begun, ignore_errors=True)
        begun.mkdir(parents=True)
        command = [sys.executable, "-m", "tests.simulation.template", str(begun)]
        environment = os.environ | FIXED | {"VAR_DIR": str(folder.parent), "DATABASE_URL": ""}
        subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=600)
        begun.rename(folder)
    return folder


def _digest() -> str:
    """Tell apart worlds of other code: by every file of the product, and this one."""
    read = hashlib.blake2b(digest_size=12)
    for file in [*sorted((ROOT / "apps").glob("**/*.py")), Path(__file__)]:
        read.update(file.read_bytes())
    return read.hexdigest()


def main(folder: Path) -> None:
    """Make it."""
    from tests import template_databases

    database = template_databases.copy_template(folder)
    os.environ |= {"VAR_DIR": str(folder), "DATABASE_URL": f"sqlite:///{database}"}
    for name in [module for module in sys.modules if module.startswith("config")]:
        del sys.modules[name]  # read for the folder of the migrated one
    import django

    from tests.simulation.clock import Chance, Clock

    chance, clock = Chance(), Clock()
    chance.begin(0)
    chance.install()
    django.setup()
    clock.install()
    from django.core.management import call_command

    from apps.platform.jobs.job_queue import sync_schedules
    from apps.platform.jobs.models import Job, Periodic

    call_command("setup_sandbox", quiet=True, verbosity=0)
    call_command("build_index", verbosity=0)
    sync_schedules(now=clock.now)
    Periodic.objects.exclude(name__in=SCHEDULED).update(enabled=False)
    Periodic.objects.filter(name__in=SCHEDULED).update(enabled=True)
    Periodic.objects.update(next_at=clock.now)  # migrating planned by the clock on the wall
    for name, seconds in SELDOM.items():
        Periodic.objects.filter(name=name).update(every_seconds=seconds)
    Job.objects.all().delete()
    _emptied(database)


def _emptied(database: Path) -> None:
    from django.db import connections

    connections.close_all()
    with closing(sqlite3.connect(database)) as found:
        found.execute("DELETE FROM django_q_ormq")
        found.commit()
        found.execute("PRAGMA journal_mode=DELETE")  # all of it stands in the file then
        found.execute("VACUUM")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
