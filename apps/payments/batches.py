"""Batches of instructions: each judged alone, in their order (document 2 section 4)."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import DatabaseError
from rest_framework.exceptions import ValidationError

from apps.core import problems
from apps.core.callers import Caller
from apps.core.pipeline import Answer
from apps.core.problems import DomainError
from apps.core.shapes import Free, ListOf, OneOf, Shape, Text, Whole
from apps.payments.accepting import accept
from apps.payments.instructions import InstructionIn, instruction_of
from apps.payments.result import result
from apps.payments.serializers import PaymentOut

MOST = 50  # document 2 section 8, batch size
TAKEN, FOUND, REFUSED = "TAKEN", "FOUND", "REFUSED"


class BatchIn(Shape):
    """One to fifty instructions; each is what `payments/initiate` takes."""

    payments = ListOf(child=Free(allow_null=True), min_length=1, max_length=MOST)


class ItemOut(Shape):
    """What became of one instruction: its payment, or its problem as it would be answered alone."""

    index = Whole()
    outcome = OneOf(choices=(TAKEN, FOUND, REFUSED))
    tms_reference = Text(required=False)
    payment = PaymentOut(required=False)
    problem = Free(required=False, help_text="RFC 9457, as a single call would be answered.")


class BatchOut(Shape):
    """The items in the order in which they came."""

    items = ItemOut(many=True)
    taken = Whole(help_text="Payments that are new.")
    found = Whole(help_text="Payments that were there.")
    refused = Whole()


@dataclass(frozen=True, slots=True)
class Item:
    """One instruction as it came."""

    index: int
    sent: Any


def batch_of(*, payments: list[Any]) -> list[Item]:
    """Return the items of a batch."""
    return [Item(index, sent) for index, sent in enumerate(payments)]


def conclude(*, asked: list[Item], gathered: None, caller: Caller, now: datetime) -> Answer:
    """Accept each instruction alone; one that is refused leaves the others as they are."""
    items = list(_items(asked, caller, now))
    counts = {name: sum(one["outcome"] == name for one in items) for name in (TAKEN, FOUND)}
    return Answer(
        {
            "items": items,
            "taken": counts[TAKEN],
            "found": counts[FOUND],
            "refused": len(items) - counts[TAKEN] - counts[FOUND],
        },
        status=202 if counts[TAKEN] else 200,
    )


def _items(asked: list[Item], caller: Caller, now: datetime) -> Iterator[dict[str, Any]]:
    shape = InstructionIn()
    for one in asked:
        told: dict[str, Any] = {"index": one.index} | _reference(one.sent)
        try:
            instruction = instruction_of(**shape.run_validation(one.sent))
            found = accept(instruction=instruction, caller=caller, now=now)
        except DatabaseError:  # the transaction is over: nothing of the batch was taken
            raise
        except (DomainError, ValidationError) as error:
            yield told | {"outcome": REFUSED, "problem": problems.document(error)}
            continue
        outcome = TAKEN if found.new else FOUND
        yield told | {"outcome": outcome, "payment": result(found.payment)}


def _reference(sent: Any) -> dict[str, str]:
    """Return the reference of an instruction that may be anything, as far as it is one."""
    given = sent.get("tmsReference") if isinstance(sent, dict) else None
    return {"tms_reference": given[:140]} if isinstance(given, str) and given else {}
