"""Batches of instructions: each judged alone, in their order (document 2 section 4)."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import DatabaseError
from rest_framework.exceptions import ValidationError

from apps.payments.payments.instructions import InstructionIn, build_instruction
from apps.payments.payments.presenters import serialize_payment
from apps.payments.payments.serializers import PaymentOut
from apps.payments.payments.services.accept_payment import accept_payment
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from apps.platform.api.shapes import FreeObject, ListOf, OneOf, Shape, Text, Whole
from apps.platform.common import problems
from apps.platform.common.problems import DomainError

# document 2 section 8, batch size
BATCH_LIMIT = 50
TAKEN, FOUND, REFUSED = "TAKEN", "FOUND", "REFUSED"


class BatchIn(Shape):
    """One to fifty instructions; each is what `payments/initiate` takes."""

    # items are validated one by one below: a malformed one must not refuse the whole batch
    payments = ListOf(child=FreeObject(allow_null=True), min_length=1, max_length=BATCH_LIMIT)


class ItemOut(Shape):
    """The result of one instruction: its payment, or the problem a single call would return."""

    index = Whole()
    outcome = OneOf(choices=(TAKEN, FOUND, REFUSED))
    tms_reference = Text(required=False)
    payment = PaymentOut(required=False)
    problem = FreeObject(required=False, help_text="RFC 9457, as for a single call.")


class BatchOut(Shape):
    """The items in the order of the request."""

    items = ItemOut(many=True)
    taken = Whole(help_text="New payments.")
    found = Whole(help_text="Payments that existed already.")
    refused = Whole()


@dataclass(frozen=True, slots=True)
class BatchItem:
    """One instruction as it came."""

    index: int
    sent: Any


def build_batch_items(*, payments: list[Any]) -> list[BatchItem]:
    """Return the items of a batch."""
    return [BatchItem(index, sent) for index, sent in enumerate(payments)]


def accept_batch(
    *, asked: list[BatchItem], gathered: None, caller: Caller, now: datetime
) -> Answer:
    """Accept each instruction separately; a refused one does not affect the others."""
    items = list(_accept_items(asked, caller, now))
    counts = {name: sum(item["outcome"] == name for item in items) for name in (TAKEN, FOUND)}
    return Answer(
        {
            "items": items,
            "taken": counts[TAKEN],
            "found": counts[FOUND],
            "refused": len(items) - counts[TAKEN] - counts[FOUND],
        },
        status=202 if counts[TAKEN] else 200,
    )


def _accept_items(
    batch_items: list[BatchItem], caller: Caller, now: datetime
) -> Iterator[dict[str, Any]]:
    shape = InstructionIn()
    for batch_item in batch_items:
        reference = (
            batch_item.sent.get("tmsReference") if isinstance(batch_item.sent, dict) else None
        )
        readable_reference = (
            {"tms_reference": reference[:140]} if isinstance(reference, str) and reference else {}
        )
        payload: dict[str, Any] = {"index": batch_item.index} | readable_reference
        try:
            instruction = build_instruction(**shape.run_validation(batch_item.sent))
            accepted_payment = accept_payment(instruction=instruction, caller=caller, now=now)
        except DatabaseError:
            # the transaction was rolled back: nothing of the batch was accepted
            raise
        # no savepoint: accept_payment raises these before it writes anything
        except (DomainError, ValidationError) as error:
            yield payload | {
                "outcome": REFUSED,
                "problem": problems.problem_of_exception(error).document,
            }
            continue
        outcome = TAKEN if accepted_payment.new else FOUND
        yield payload | {"outcome": outcome, "payment": serialize_payment(accepted_payment.payment)}
