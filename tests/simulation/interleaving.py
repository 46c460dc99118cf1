"""Two transactions at once: another's whole turn between two statements of one.

Until a transaction commits nobody sees what it has written. So it is taken back, the other has its
turn, and it is written again, as it was: to PostgreSQL at READ COMMITTED that is one history. What
is held stands between: from the first `select_for_update`, or what else is declared a lock, to the
end of its transaction nobody comes in between, and where the other came upon rows that this one had
written it would have waited. A history in which it need not is this one's death before it came:
what it had written is then gone (`footsteps.py` says what would have waited). A lock that is
removed opens its place.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.backends.sqlite3.base import SQLiteCursorWrapper
from django.db.models.sql.compiler import SQLCompiler

from apps.platform.jobs.job_context import CURRENT_RUN
from tests.simulation.crashes import WRITES
from tests.simulation.footsteps import Footsteps, Statement, Steps, followed, place, table_of, trail

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
READS = ("SELECT", "WITH")
MARKS = ("SAVEPOINT", "RELEASE", "ROLLBACK TO")


class Weaving:
    """Watches reads, locks and writes, and lets others in at the places that are open.

    `others` is told the table that is next, and may give a turn `between`; `dies` ends the process
    of the transaction that runs.
    """

    def __init__(self, others: Callable[[str], None], dies: Callable[[], None]) -> None:
        self.others, self.dies = others, dies
        self.at = Steps()
        self.watched: list[Footsteps] = []

    def install(self) -> None:
        """Watch the connection."""
        begins, reads = connection._start_transaction_under_autocommit, SQLCompiler.execute_sql
        weaving = self

        def begin() -> None:
            weaving.at = Steps(place(connection.connection))
            begins()

        def execute(compiler: Any, *given: Any, **more: Any) -> Any:
            if compiler.query.select_for_update:
                weaving.lock(compiler.query.model._meta.db_table)
            return reads(compiler, *given, **more)

        connection._start_transaction_under_autocommit = begin  # type: ignore[method-assign]
        SQLCompiler.execute_sql = execute  # type: ignore[method-assign]
        connection.execute_wrappers.insert(0, self._statement)

    def lock(self, table: str = "a lock") -> None:
        """Take a lock: the last moment at which others come in before this transaction ends."""
        self._place(table)
        self.at.locked = True
        for one in self.watched:
            one.locks.add(table)

    def _place(self, table: str) -> None:
        self.at.settle(connection.connection)
        if connection.in_atomic_block and self.at.open:
            self.others(table)

    def _statement(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        if sql.startswith(WRITES):
            table = table_of(sql)
            self._place(table)
            with followed(self.watched, sql, table):
                return self._written(execute, sql, params, many, context)
        if sql.startswith(MARKS):
            return self._written(execute, sql, params, many, context)
        self.at.read |= sql.startswith(READS)
        return execute(sql, params, many, context)

    def _written(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        """Execute what writes, or marks a savepoint, and keep it to be done again."""
        if not connection.in_atomic_block:
            return execute(sql, params, many, context)
        self.at.settle(connection.connection)
        before = connection.connection.total_changes
        done = execute(sql, params, many, context)
        self.at.written.append(Statement(sql, params, many, before))
        return done

    @contextmanager
    def between(self) -> Iterator[None]:
        """Be outside the transaction that runs, as if it had written nothing, for the block.

        Died, where what came would have waited for it.
        """
        raw, held = connection.connection, {name: getattr(connection, name) for name in STATE}
        outer, before, came = connection.autocommit, self.at, Footsteps()
        run, rows = CURRENT_RUN.set(None), trail(raw, before.since)
        raw.execute("ROLLBACK")
        before.reserve(raw)
        since = place(raw)
        connection.autocommit = True
        for name, empty in STATE.items():
            setattr(connection, name, empty())
        self.watched.append(came)
        self.at = Steps()
        try:
            yield
        finally:
            self.watched.pop()
            came.rows = trail(raw, since)
            raw.execute("BEGIN")
            connection.autocommit = outer
            for name, value in held.items():
                setattr(connection, name, value)
            CURRENT_RUN.reset(run)
            self.at = before
        if before.waits(rows, came) or not self._again():
            self.dies()

    def _again(self) -> bool:
        """Write again what was written; False where that comes to something else by now."""
        raw = connection.connection
        for one in self.at.standing:
            before = raw.total_changes
            cursor = raw.cursor(factory=SQLiteCursorWrapper)
            try:
                cursor.execute(*one.again())
                cursor.fetchall()
            except sqlite3.IntegrityError:
                return False
            finally:
                cursor.close()
            if one.changed != raw.total_changes - before:
                return False
        return True
