"""Look up rows in tables of state transitions. Pure."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar


class NoSuchTransition(ValueError):
    """The table has no row for this state and event, so nothing may happen."""


class CodedTransition(Protocol):
    """A row with a code that never changes."""

    @property
    def code(self) -> str: ...


class GuardedTransition(Protocol):
    """A row for an event and a state, which applies if its guard holds."""

    @property
    def state(self) -> str: ...

    @property
    def event(self) -> str: ...

    @property
    def guard(self) -> Callable[[Any], bool]: ...


Row = TypeVar("Row", bound=GuardedTransition)


def find_guarded_transition(
    rows: Iterable[Row], *, thing: str, state: str, event: str, checks: Any
) -> Row:
    """Return the first row that matches an event; NoSuchTransition if the table has none."""
    for row in rows:
        if row.state == state and row.event == event and row.guard(checks):
            return row
    raise NoSuchTransition(f"a {thing} that is {state or 'new'} has no {event}")


CodedRow = TypeVar("CodedRow", bound=CodedTransition)


def find_transition_by_code(rows: Iterable[CodedRow], code: str) -> CodedRow | None:
    """Return the row of a code, None for a code of another release."""
    return next((row for row in rows if row.code == code), None)
