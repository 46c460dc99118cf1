"""One simulated world: the real product on a database of its own, and all that surrounds it."""

import hashlib
import random
import shutil
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from django.conf import settings
from django.db import connection

from apps.access.windows import side_database
from apps.aml import weighing
from apps.banking import adapter
from apps.banking.simulator import bank as simulated
from apps.callbacks import claiming, sending
from apps.callbacks import jobs as callbacks
from apps.chain import watching
from apps.payments import esg
from apps.settlement import remembering
from apps.stability.oracle import standing
from tests.simulation.clock import START, Chance, Clock
from tests.simulation.crashes import Crashes, Died
from tests.simulation.outside import BankLine, Chain, Receivers, Told, bank_of
from tests.simulation.weaving import Weaving

WOVEN = 3  # in a hundred of the places where two transactions may interleave
DEEPEST = 2  # processes that wait while another runs
MEMORIES = (standing, esg, remembering, weighing)


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
        self.draw, self.weaving = random.Random(0), Weaving(self.between)
        self.treasury = ""
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
        claiming._one_at_a_time = self.weaving.lock  # PostgreSQL's advisory lock
        sending.post = lambda **given: self.receivers.post(**given)  # type: ignore[assignment]
        callbacks.threading = SimpleNamespace(Thread=AtOnce)  # type: ignore[assignment]
        watching.nodes_of = lambda chain: self.chain.nodes(chain)  # type: ignore[assignment]
        adapter.Bank = lambda: self.line  # type: ignore[assignment,misc]
        simulated.stamp = lambda: f"{self.clock.now:%Y-%m-%dT%H:%M:%SZ}"  # type: ignore[assignment]
        assert threading.active_count() >= 1

    def begin(self, seed: int) -> None:
        """Begin the world of a seed."""
        self.depth, self.broken, self.others = 0, "", None  # type: ignore[var-annotated]
        self.seed, self.draw = seed, random.Random(seed)
        self.faulty, self.trace = True, []  # type: ignore[var-annotated]
        self.clock.now = START
        self.chance.begin(seed)
        self.crashes.revive()
        self.crashes.points = self.crashes.deaths = 0
        self._template.backup(self.raw)
        side_database(settings.VAR_DIR / "rates.sqlite3").forget()
        for folder in ("witness", "cache"):
            shutil.rmtree(settings.VAR_DIR / folder, ignore_errors=True)
        self.forget()
        self.receivers, self.chain, self.told = Receivers(self), Chain(self), Told(self)
        self.bank, self.line = bank_of(self), BankLine(self)

    def forget(self) -> None:
        """Drop what a process holds in memory."""
        for held in MEMORIES:
            held.forget()

    def fault(self, **percent: int) -> str:
        """Return which fault strikes now, by chances in percent; an empty text for none."""
        if not self.faulty:
            return ""
        drawn = self.draw.random() * 100
        for name, chance in percent.items():
            drawn -= chance
            if drawn < 0:
                return name
        return ""

    def process(self, does: Callable[[], Any]) -> Any:
        """Do something as one process does it, which may die at a commit; None where it died."""
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
                self.others()
            finally:
                self.depth -= 1

    def between(self) -> None:
        """Let another process have its turn between what this one has read and what it writes."""
        if self.crashes.dead or self.others is None or self.depth >= DEEPEST:
            return
        if self.fault(woven=WOVEN) == "woven":
            self.depth += 1
            try:
                self.say("between")
                with self.weaving.between():
                    self.others()
            finally:
                self.depth -= 1

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
