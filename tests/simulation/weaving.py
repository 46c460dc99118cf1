"""Two transactions at once: another's whole turn between what one has read and what it writes.

A transaction that has read and not yet written has done nothing: ended and begun anew it is the
same to the database, and what others commit in between it has not read. So would PostgreSQL let
them, unless a lock stands between: from the first `select_for_update`, or what else is declared a
lock, to the end of its transaction nobody comes in between. A lock that is removed opens the place.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.models.sql.compiler import SQLCompiler

from apps.core.running import RUNNING
from tests.simulation.crashes import WRITES

# what a connection knows of its transaction; another's turn begins without one
STATE: dict[str, Callable[[], Any]] = {
    "in_atomic_block": bool,
    "savepoint_ids": list,
    "atomic_blocks": list,
    "savepoint_state": int,
    "needs_rollback": bool,
    "run_on_commit": list,
    "commit_on_exit": lambda: True,
}


class Weaving:
    """Watches reads, locks and writes, and lets others in at the places that are open."""

    def __init__(self, others: Callable[[], None]) -> None:
        self.others = others
        self.read = self.locked = self.wrote = False
        self.woven = 0

    def install(self) -> None:
        """Watch the connection."""
        begins, reads = connection._start_transaction_under_autocommit, SQLCompiler.execute_sql
        weaving = self

        def begin() -> None:
            weaving.read = weaving.locked = weaving.wrote = False
            begins()

        def execute(compiler: Any, *given: Any, **more: Any) -> Any:
            if compiler.query.select_for_update:
                weaving.lock()
            return reads(compiler, *given, **more)

        connection._start_transaction_under_autocommit = begin  # type: ignore[method-assign]
        SQLCompiler.execute_sql = execute  # type: ignore[method-assign]
        connection.execute_wrappers.insert(0, self._statement)

    def lock(self) -> None:
        """Let nobody in between until this transaction ends."""
        self.locked = True

    def _statement(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        if not connection.in_atomic_block:
            return execute(sql, params, many, context)
        if sql.startswith("SELECT"):
            self.read = True
        elif sql.startswith(WRITES):
            if self.read and not self.locked and not self.wrote:
                self.others()
            self.wrote = True
        return execute(sql, params, many, context)

    @contextmanager
    def between(self) -> Iterator[None]:
        """Be outside the transaction that runs, which has written nothing, for the block."""
        raw, held = connection.connection, {name: getattr(connection, name) for name in STATE}
        outer, before = connection.autocommit, (self.read, self.locked, self.wrote)
        run = RUNNING.set(None)
        raw.execute("COMMIT")
        connection.autocommit = True
        for name, empty in STATE.items():
            setattr(connection, name, empty())
        try:
            yield
        finally:
            raw.execute("BEGIN")
            connection.autocommit = outer
            for name, value in held.items():
                setattr(connection, name, value)
            for name in filter(None, held["savepoint_ids"]):
                raw.execute(connection.ops.savepoint_create_sql(name))
            RUNNING.reset(run)
            self.read, self.locked, self.wrote = before
            self.woven += 1
