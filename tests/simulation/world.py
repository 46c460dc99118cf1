"""One simulated world: the real product on a database of its own, and all that surrounds it."""

import hashlib
import random
import shutil
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from django.conf import settings
from django.db import connection, transaction

from apps.access.keys.rate_windows import open_side_database
from apps.compliance.aml import active_weights
from apps.insight.stability.oracle.selectors import latest_run
from apps.payments.banking.clients import bank_api
from apps.payments.banking.simulator import bank as simulated
from apps.payments.callbacks import tasks as callbacks
from apps.payments.callbacks.clients import webhook_client
from apps.payments.callbacks.services import claim_deliveries
from apps.payments.chain import tasks
from apps.payments.payments.selectors import esg_score
from apps.payments.settlement import wallet_fact_cache
from apps.platform.jobs import job_queue
from apps.platform.jobs.models import Job, JobState
from tests.simulation.clock import START, Chance, Clock
from tests.simulation.crashes import Crashes, Died
from tests.simulation.footsteps import lay
from tests.simulation.interleaving import Weaving
from tests.simulation.outside_parties import BankLine, Chain, Receivers, Told, bank_of

# in a hundred of the places where two transactions may interleave; more where few are of a table
WOVEN, RARE = 1, 30
RIVAL = 0.5  # how often who comes in between is after the same
DEEPEST = 2  # processes that wait while another runs
FORGET = (
    latest_run.forget_latest_run,
    esg_score.clear_esg_score_cache,
    wallet_fact_cache.clear_flow_cache,
    active_weights.forget_weights,
)


class AtOnce:
    """A thread whose work is done as it starts: the scheduler alone decides what comes when."""

    def __init__(self, *, target: Callable[..., Any], args: Any = (), daemon: bool = True) -> None:
        self.target, self.args = target, args

    def start(self) -> None:
        """Do it."""
        self.target(*self.args)


class World:
    """All of it. Installed once in a process, and begun anew for each seed."""

    def __init__(self, template: Path) -> None:
        self.clock, self.chance, self.crashes = Clock(), Chance(), Crashes()
        self.draw, self.weaving = random.Random(0), Weaving(self.between, self.crashes.die)
        self.treasury, self._laid = "", False
        self._template = sqlite3.connect(":memory:")
        with sqlite3.connect(template) as kept:
            kept.backup(self._template)
        kept.close()
        self._install()

    def _install(self) -> None:
        connection.ensure_connection()
        self.clock.install()
        self.chance.install()
        self.crashes.install()
        self.weaving.install()
        claim_deliveries._lock_claims = self.weaving.lock  # PostgreSQL's advisory lock
        webhook_client.post_callback = lambda **given: self.receivers.post(**given)  # type: ignore[assignment]
        callbacks.threading = SimpleNamespace(Thread=AtOnce)  # type: ignore[assignment]
        tasks.connect_nodes = lambda chain: self.chain.nodes(chain)  # type: ignore[assignment]
        bank_api.BankApi = lambda: self.line  # type: ignore[assignment,misc]
        simulated.format_present_moment = lambda: f"{self.clock.now:%Y-%m-%dT%H:%M:%SZ}"  # type: ignore[assignment]
        job_queue._join_pending_job = self._joining(job_queue._join_pending_job)
        assert threading.active_count() >= 1

    def _joining(self, joins: Callable[..., bool]) -> Callable[..., bool]:
        """Watch who joins a pending job: it waits for their commit, and a worker is after it."""

        def join(job: str, key: str, due: datetime) -> bool:
            if not joins(job, key, due):
                return False
            of_it = {"name": job, "key": key, "state": JobState.PENDING}
            found = Job.objects.filter(**of_it).values_list("pk", flat=True).first()
            transaction.on_commit(lambda: self._waited(found, job, key))
            if self.rivals and found:
                self.rivals[-1] = lambda: self._worker(found)
            return True

        return join

    def _waited(self, number: int | None, job: str, key: str) -> None:
        if self.rows("SELECT 1 FROM core_job WHERE id = ? AND state <> 'PENDING'", number):
            self.broken = f"{job} {key} was run before the work that joined it was committed"

    def _worker(self, number: int) -> None:
        self.clock.ahead(seconds=2)
        self.say(f"job {number}")
        self.process(lambda: job_queue.run_job(number))

    def begin(self, seed: int) -> None:
        """Begin the world of a seed."""
        self.depth, self.broken, self.others = 0, "", None  # type: ignore[var-annotated]
        self.rivals: list[Callable[[], None] | None] = []
        self.met: Counter[str] = Counter()
        self.seed, self.draw = seed, random.Random(seed)
        self.faulty, self.trace = True, []  # type: ignore[var-annotated]
        self.clock.now = START
        self.chance.begin(seed)
        self.crashes.revive()
        self.crashes.points = self.crashes.deaths = 0
        self._template.backup(self.raw)
        if not self._laid:
            lay(self.raw)
            self._laid = True
        self.raw.execute("DELETE FROM temp.trail")
        open_side_database(settings.VAR_DIR / "rates.sqlite3").forget()
        for folder in ("witness", "cache"):
            shutil.rmtree(settings.VAR_DIR / folder, ignore_errors=True)
        self.forget()
        self.receivers, self.chain, self.told = Receivers(self), Chain(self), Told(self)
        self.bank, self.line = bank_of(self), BankLine(self)

    def forget(self) -> None:
        """Drop what a process holds in memory."""
        for forget in FORGET:
            forget()

    def fault(self, **percent: float) -> str:
        """Return which fault strikes now, by chances in percent; an empty text for none."""
        if not self.faulty:
            return ""
        drawn = self.draw.random() * 100
        for name, chance in percent.items():
            drawn -= chance
            if drawn < 0:
                return name
        return ""

    def process(self, does: Callable[[], Any], *, rival: Callable[[], None] | None = None) -> Any:
        """Do something as one process does it, which may die at a commit; None where it died.

        `rival` is the turn of another who is after the same.
        """
        self.rivals.append(rival)
        mine = (self.crashes.left, self.crashes.after)
        self.crashes.revive()
        if self.fault(dies=14) == "dies":
            after = self.draw.random() < 0.5
            self.crashes.arm(self.draw.choice((1, 2, 2, 3, 3, 4, 6, 9)), after=after)
        try:
            return does()
        except Died:
            self.say("died")
            self._buried()
            return None
        finally:
            self.rivals.pop()
            self.crashes.revive()
            self.crashes.arm(mine[0], after=mine[1])

    def meanwhile(self) -> None:
        """Let another process have its turn while this one waits for somebody outside."""
        if connection.in_atomic_block:
            self.broken = "somebody outside was called within a transaction"
        elif self.others is not None and self.depth < DEEPEST and self.fault(turn=7) == "turn":
            self.depth += 1
            try:
                self.say("meanwhile")
                self._turn()
            finally:
                self.depth -= 1

    def between(self, table: str) -> None:
        """Let another process have its turn before this one locks or writes in a table."""
        if self.crashes.dead or self.depth >= DEEPEST or not self.rivals:
            return
        self.met[table] += 1
        if self.fault(woven=WOVEN + RARE / self.met[table]) == "woven":
            self.depth += 1
            try:
                self.say(f"between {table}")
                with self.weaving.between():
                    self._turn()
            finally:
                self.depth -= 1

    def _turn(self) -> None:
        """Let somebody act: now and then one who is after the same as the process that runs."""
        rival = self.rivals[-1] if self.rivals else None
        if rival is not None and self.draw.random() < RIVAL:
            rival()
        elif self.others is not None:
            self.others()

    def _buried(self) -> None:
        self.forget()
        assert not connection.in_atomic_block, "a transaction outlived its process"
        connection.needs_rollback = False
        self.crashes.revive()

    def say(self, text: object) -> None:
        """Add a line to what a replay must repeat."""
        self.trace.append(str(text))

    def digest(self) -> str:
        """Return a digest of every step, and of every record that was sealed."""
        read = hashlib.blake2b("\n".join(self.trace).encode(), digest_size=16)
        for row in self.rows("SELECT ledger, position, digest FROM core_ledgerhead ORDER BY 1"):
            read.update(repr(row).encode())
        return read.hexdigest()

    @property
    def raw(self) -> sqlite3.Connection:
        """The connection itself, past the product."""
        found: sqlite3.Connection = connection.connection
        return found

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Read tables past the product, as an examiner does."""
        return list(self.raw.execute(sql, values))

    def one(self, sql: str, *values: Any) -> Any:
        """Read one value."""
        return self.rows(sql, *values)[0][0]
