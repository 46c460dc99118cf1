"""Deliberate bugs, each a change of the running product; the simulation must find each of them.

What is changed is named by module and attribute; `planted` puts it back.
"""

import sys
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, cast
from unittest.mock import patch

from django.db import transaction
from django.db.models import QuerySet

from apps.access import metering
from apps.banking import folding, sending
from apps.callbacks import claiming
from apps.callbacks.models import Delivery, State
from apps.chain import orders, ranges
from apps.core import idempotency, jobs, keyed
from apps.core.models import IdempotentCall
from apps.payments import advancing, pricing, settling
from apps.payments import moving as payment_moving
from apps.payments.rails import Settled, evm
from apps.review.actions import deciding
from apps.review.actions.opening import open_case
from apps.review.models import Case
from apps.screening.combined import conclude


@dataclass(frozen=True)
class Bug:
    """A change of the product: `target` is a module or class, `name` what of it is replaced."""

    target: Any
    name: str
    by: Any
    breaks: str


def _later(function: Callable[..., Any]) -> Callable[..., None]:
    """Return what does as a function does, after the commit instead of within it."""

    def call(*given: Any, **more: Any) -> None:
        transaction.on_commit(partial(function, *given, **more))

    return call


def _case_later(opening: Any, opens: Any, now: Any) -> None:
    if opens is open_case:
        transaction.on_commit(partial(open_case, opening=opening, now=now))
    else:
        opens(opening=opening, now=now)


def _uncounted(rows: list[Delivery], now: Any) -> list[claiming.Taken]:
    """Send without counting the attempt first."""
    mine = Delivery.objects.filter(pk__in=[row.pk for row in rows], state=State.PENDING)
    mine.update(state=State.SENDING, due_at=now + claiming.LEASE)
    return [claiming.Taken(row, row.attempts, row.tries, row.due_at or now, now) for row in rows]


def _final_too_soon(self: Any, *, order: Any, now: Any) -> Any:
    """Settle by a transfer that the chain may still take back."""
    number = uuid.UUID(order.order_id)
    found = orders.standing(number) if orders.exists(number) else None
    if found is not None and found.state in ("CONFIRMING", "FINAL"):
        return Settled(found.tx_hash, found.log_index or 0, self._network(number))
    return _settle(self, order=order, now=now)


def _key_each_time(row: Any) -> dict[str, Any]:
    return _body_of(row) | {"idempotencyKey": str(uuid.uuid4())}


def _cursor_first(look: Any, first: int, last: int) -> Any:
    """Move the cursor behind a range before what it holds is written."""
    found = _logs(look, first, last)
    if (end := look.reader.block(last)) is not None:
        _advance(look, end, ranges.WIDEST)
    return found


def _by_arrival(patches: list[Any]) -> dict[str, Any]:
    """Fold what the bank told as it came, whatever its versions say."""
    return _folded([(place, *one[1:]) for place, one in enumerate(patches, start=1)])


def _unguarded(model: Any, *, where: Any, change: Any) -> int:
    """Take a row whatever became of it since it was read."""
    guards = ("state", "attempts", "used_at")
    return _update(model, where={k: v for k, v in where.items() if k not in guards}, change=change)


def _without_lock(module: str) -> Any:
    """Return a `select_for_update` that locks nothing where it is called from a module."""

    def select(rows: Any, *given: Any, **more: Any) -> Any:
        frame = sys._getframe(1)
        while frame.f_back is not None and frame.f_globals["__name__"].startswith("django."):
            frame = frame.f_back
        return (
            rows.all() if frame.f_globals["__name__"] == module else _select(rows, *given, **more)
        )

    return select


_select, _update = QuerySet.select_for_update, keyed.update
_folded = folding.folded
_settle, _body_of = evm.Evm.settle, sending.body_of
_logs, _advance = ranges._logs, ranges._advance

BUGS: dict[str, Bug] = {
    "replay-forgotten": Bug(
        idempotency.Claim, "complete", lambda self, answer, status: None,
        "The answer under an Idempotency-Key is not kept: a call that is repeated happens again."),
    "attempt-not-counted": Bug(
        claiming, "_counted", _uncounted,
        "An attempt at a callback is not counted before it is sent."),
    "case-after-commit": Bug(
        conclude, "_open", _case_later,
        "The case of a FLAGGED screen is opened after the commit of its record."),
    "bill-after-commit": Bug(
        metering, "count", _later(metering.count),
        "A call is billed after the commit of its answer."),
    "end-told-after-commit": Bug(
        payment_moving.telling, "tell", _later(payment_moving.telling.tell),
        "The end of a payment is published after the commit that ends it."),
    "hand-over-after-commit": Bug(
        settling, "hand_over", _later(settling.hand_over),
        "A settled payment is handed to the travel rule after the commit that settles it."),
    "settled-too-soon": Bug(
        evm.Evm, "settle", _final_too_soon,
        "A transfer that is CONFIRMING settles a payment."),
    "quote-not-taken": Bug(
        pricing, "consume", lambda payment, now: None,
        "The quote of a payment is not marked as taken."),
    "bank-key-each-time": Bug(
        sending, "body_of", _key_each_time,
        "The bank is told another key at each try: it pays again."),
    "folded-by-arrival": Bug(
        folding, "folded", _by_arrival,
        "What the bank tells of a payment counts in the order in which it came."),
    "order-and-quote-apart": Bug(
        advancing, "_bound", cast(Any, advancing._bound).__wrapped__,
        "The order of a payment and the quote that it takes are two commits instead of one."),
    "cursor-before-write": Bug(
        ranges, "_logs", _cursor_first,
        "The cursor of a chain moves before what was read is written."),
    "callbacks-claimed-at-once": Bug(
        claiming, "_one_at_a_time", lambda: None,
        "Two who claim callbacks do not wait for each other: the lock of claims is removed."),
    "job-claimed-unguarded": Bug(
        jobs, "update", _unguarded,
        "A job is taken without comparing it with what was read of it."),
    "pending-job-joined-unlocked": Bug(
        QuerySet, "select_for_update", _without_lock("apps.core.jobs"),
        "Work joins a pending job without the lock of its row."),
    "answer-stored-unguarded": Bug(
        idempotency.Claim, "_mine", lambda self: IdempotentCall.objects.filter(pk=self.row.pk),
        "Who lost a key to another since its lease ended keeps its answer all the same."),
    "case-decided-unguarded": Bug(
        deciding, "_ready", lambda case, by, now: Case.objects.filter(pk=case.pk),
        "A case is decided without comparing it with what was read of it."),
}  # fmt: skip


def chosen(names: Sequence[str] | None) -> list[str]:
    """Return the bugs of some names, all without any; KeyError for one that is not here."""
    return [name for name in names if BUGS[name]] if names else list(BUGS)


@contextmanager
def planted(name: str) -> Iterator[None]:
    """Let the product have a bug; none for an empty name. KeyError."""
    if not name:
        yield
        return
    bug = BUGS[name]
    with patch.object(bug.target, bug.name, cast(Any, bug.by)):
        yield
