"""The death of a process just before or just after any of its commits."""

from collections.abc import Callable
from typing import Any

from django.db import connection

WRITES = ("INSERT", "UPDATE", "DELETE")


class Died(BaseException):
    """What a kill looks like from inside: no handler of the product stops it."""


class Crashes:
    """Counts commits, kills at the one that is armed, and lets the dead write nothing more."""

    def __init__(self) -> None:
        self.left = 0
        self.after = False
        self.dead = False
        self.points = 0
        self.deaths = 0

    def arm(self, point: int, *, after: bool) -> None:
        """Have the process die at its `point`-th commit from here, before or after it."""
        self.left, self.after = point, after

    def revive(self) -> None:
        """Begin a new process: none that was armed for the last one strikes it."""
        self.left, self.dead = 0, False

    def install(self) -> None:
        """Watch the connection's commits: of transactions, and of single statements."""
        plain = connection.commit
        connection.commit = lambda: self._at(plain)  # type: ignore[method-assign]
        connection.execute_wrappers.append(self._statement)

    def _statement(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        if self.dead and not sql.startswith(("ROLLBACK", "RELEASE")):
            raise Died
        if connection.in_atomic_block or not sql.startswith(WRITES):
            return execute(sql, params, many, context)
        return self._at(lambda: execute(sql, params, many, context))

    def _at(self, commit: Callable[[], Any]) -> Any:
        if self.dead:
            raise Died
        self.points += 1
        self.left -= 1
        strikes = self.left == 0
        if strikes and not self.after:
            self.die()
        done = commit()
        if strikes:
            self.die()
        return done

    def die(self) -> None:
        """Kill the process that runs."""
        self.dead, self.deaths = True, self.deaths + 1
        connection.run_on_commit = []  # what was to follow a commit dies with its process
        raise Died
