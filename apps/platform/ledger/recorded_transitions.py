"""Take a row of a state machine through one transition, and build the event that records it.

Each app keeps its own part: the columns that a transition changes, those of its event, and what
follows.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol, cast

from django.db.models import Model
from django.db.models.base import ModelState

from apps.platform.db.compiled_queries import update_where


class ConcurrentUpdate(RuntimeError):
    """Another process moved the row after it was read, so findings made here do not count."""


class RecordedRow(Protocol):
    """A row with one event for each of its `steps`; the last has its state digest, `stands`."""

    _state: ModelState

    @property
    def pk(self) -> Any: ...

    @property
    def steps(self) -> int: ...

    @property
    def stands(self) -> str: ...


@contextmanager
def compare_and_set(row: RecordedRow, changes: Mapping[str, Any]) -> Iterator[None]:
    """Change columns of a row as its next step; the body writes the event and what follows.

    Use it in a transaction. Raises ConcurrentUpdate if the row is not as it was read. After any
    exception, in the body as well, the object is as it was read.
    """
    # related objects are cached separately: setting one changes `_state` in place
    unchanged, relations = dict(vars(row)), dict(row._state.fields_cache)
    as_read = {"pk": row.pk, "steps": row.steps}
    changes = {**changes, "steps": row.steps + 1}
    try:
        for name, value in changes.items():
            setattr(row, name, value)
        # `steps` is the version of the row: whoever moved it first has raised it
        if update_where(cast("type[Model]", type(row)), where=as_read, change=changes) != 1:
            raise ConcurrentUpdate(f"{type(row).__name__} {row.pk} was changed concurrently")
        yield
    except BaseException:
        # a caller that goes on with the row must not see a transition that was not made
        vars(row).clear()
        vars(row).update(unchanged)
        row._state.fields_cache = relations
        raise


def build_transition_event(
    row: RecordedRow,
    *,
    event: str,
    turn: str,
    rules: str,
    facts: Mapping[str, Any] | None = None,
    **columns: Any,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Build payload and columns of a transition's event, for a row in its state after it.

    `turn` is the code of the transition in the table, `rules` the version of that table, `facts`
    what the event keeps besides; `columns` are those that only the events of this app have.
    """
    payload = {"stands": row.stands, "rules": rules} | dict(facts or {})
    return payload, {"number": row.steps, "event": event, "turn": turn} | columns
