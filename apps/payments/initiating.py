"""Takes one instruction by API (document 2 section 4)."""

from datetime import datetime
from typing import Any

from apps.core.callers import Caller
from apps.core.pipeline import Answer
from apps.core.problems import Unavailable
from apps.payments.accepting import accept
from apps.payments.instructions import Instruction
from apps.payments.rails import rail
from apps.payments.result import result


class RailMissing(Unavailable):
    """This installation settles on no rail yet: no payment is taken that could not be settled."""

    code, title = "rail_unavailable", "Payments cannot be settled here"


def gather(*, asked: Any, now: datetime) -> None:
    """Insist that there is a rail: nothing is taken that could not be settled."""
    if rail() is None:
        raise RailMissing("This installation names no settlement rail.")


def initiate(*, asked: Instruction, gathered: None, caller: Caller, now: datetime) -> Answer:
    """Accept an instruction: 202 for a new payment, 200 for the one that it made before."""
    found = accept(instruction=asked, caller=caller, now=now)
    return Answer(result(found.payment), status=202 if found.new else 200)
