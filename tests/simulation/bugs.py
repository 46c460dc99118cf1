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

from apps.access.keys import metering
from apps.backoffice.review.models import Case
from apps.backoffice.review.services import case_decisions
from apps.backoffice.review.services.case_creation import open_case
from apps.compliance.screening.combined import services
from apps.payments.banking import merged_deliveries
from apps.payments.banking.services import submit_send
from apps.payments.callbacks.models import Delivery, State
from apps.payments.callbacks.services import claim_deliveries
from apps.payments.chain import expected_transfers
from apps.payments.chain.services import block_scan
from apps.payments.payments import record_transition as payment_moving
from apps.payments.payments.rails import RailSettlement, evm
from apps.payments.payments.services import advance_payment, pricing, travel_rule_handovers
from apps.platform.api import idempotency
from apps.platform.api.models import IdempotentCall
from apps.platform.db import compiled_queries
from apps.platform.jobs import job_queue


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


def _uncounted(rows: list[Delivery], now: Any) -> list[claim_deliveries.ClaimedDelivery]:
    """Send without counting the attempt first."""
    mine = Delivery.objects.filter(pk__in=[row.pk for row in rows], state=State.PENDING)
    mine.update(state=State.SENDING, due_at=now + claim_deliveries.LEASE)
    return [
        claim_deliveries.ClaimedDelivery(row, row.attempts, row.tries, row.due_at or now, now)
        for row in rows
    ]


def _final_too_soon(self: Any, *, order: Any, now: Any) -> Any:
    """Settle by a transfer that the chain may still take back."""
    number = uuid.UUID(order.order_id)
    transfer_status = (
        expected_transfers.load_transfer_status(number)
        if expected_transfers.order_exists(number)
        else None
    )
    if transfer_status is not None and transfer_status.state in ("CONFIRMING", "FINAL"):
        return RailSettlement(
            transfer_status.tx_hash, transfer_status.log_index or 0, self._network(number)
        )
    return _settle(self, order=order, now=now)


def _key_each_time(row: Any) -> dict[str, Any]:
    return _body_of(row) | {"idempotencyKey": str(uuid.uuid4())}


def _cursor_first(look: Any, first: int, last: int) -> Any:
    """Move the cursor behind a range before what it holds is written."""
    cursor_first = _logs(look, first, last)
    if (end := look.reader.block(last)) is not None:
        _advance(look, end, block_scan.WIDEST_RANGE)
    return cursor_first


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


_select, _update = QuerySet.select_for_update, compiled_queries.update_where
_folded = merged_deliveries.fold_patches
_settle, _body_of = evm.EvmRail.settle, submit_send.build_payment_body
_logs, _advance = block_scan._fetch_logs, block_scan._advance_cursor

BUGS: dict[str, Bug] = {
    "replay-forgotten": Bug(
        idempotency.Claim,
        "complete",
        lambda self, answer, status: None,
        "The answer under an Idempotency-Key is not kept: a call that is repeated happens again.",
    ),
    "attempt-not-counted": Bug(
        claim_deliveries,
        "_count_attempts",
        _uncounted,
        "An attempt at a callback is not counted before it is sent.",
    ),
    "case-after-commit": Bug(
        services,
        "_open_case",
        _case_later,
        "The case of a FLAGGED screen is opened after the commit of its record.",
    ),
    "bill-after-commit": Bug(
        metering,
        "count_billed_call",
        _later(metering.count_billed_call),
        "A call is billed after the commit of its answer.",
    ),
    "end-told-after-commit": Bug(
        payment_moving.notifications,
        "publish_payment_status",
        _later(payment_moving.notifications.publish_payment_status),
        "The end of a payment is published after the commit that ends it.",
    ),
    "hand-over-after-commit": Bug(
        travel_rule_handovers,
        "hand_over_to_travel_rule",
        _later(travel_rule_handovers.hand_over_to_travel_rule),
        "A settled payment is handed to the travel rule after the commit that settles it.",
    ),
    "settled-too-soon": Bug(
        evm.EvmRail, "settle", _final_too_soon, "A transfer that is CONFIRMING settles a payment."
    ),
    "quote-not-taken": Bug(
        pricing,
        "consume_quote",
        lambda payment, now: None,
        "The quote of a payment is not marked as taken.",
    ),
    "bank-key-each-time": Bug(
        submit_send,
        "build_payment_body",
        _key_each_time,
        "The bank is told another key at each try: it pays again.",
    ),
    "folded-by-arrival": Bug(
        merged_deliveries,
        "fold_patches",
        _by_arrival,
        "What the bank tells of a payment counts in the order in which it came.",
    ),
    "order-and-quote-apart": Bug(
        advance_payment,
        "_settle_on_binding_rail",
        cast(Any, advance_payment._settle_on_binding_rail).__wrapped__,
        "The order of a payment and the quote that it takes are two commits instead of one.",
    ),
    "cursor-before-write": Bug(
        block_scan,
        "_fetch_logs",
        _cursor_first,
        "The cursor of a chain moves before what was read is written.",
    ),
    "callbacks-claimed-at-once": Bug(
        claim_deliveries,
        "_lock_claims",
        lambda: None,
        "Two who claim callbacks do not wait for each other: the lock of claims is removed.",
    ),
    "job-claimed-unguarded": Bug(
        job_queue,
        "update_where",
        _unguarded,
        "A job is taken without comparing it with what was read of it.",
    ),
    "pending-job-joined-unlocked": Bug(
        QuerySet,
        "select_for_update",
        _without_lock("apps.platform.jobs.job_queue"),
        "Work joins a pending job without the lock of its row.",
    ),
    "answer-stored-unguarded": Bug(
        idempotency,
        "_select_unfinished",
        lambda row: IdempotentCall.objects.filter(pk=row.pk),
        "Who lost a key to another since its lease ended keeps its answer all the same.",
    ),
    "case-decided-unguarded": Bug(
        case_decisions,
        "_select_open_case",
        lambda case, by, now: Case.objects.filter(pk=case.pk),
        "A case is decided without comparing it with what was read of it.",
    ),
}


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
