"""Takes one instruction by API (document 2 section 4)."""

from datetime import datetime
from typing import Any

from apps.payments.payments.instructions import Instruction
from apps.payments.payments.presenters import serialize_payment
from apps.payments.payments.rails import configured_rail
from apps.payments.payments.services.accept_payment import accept_payment
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from apps.platform.common.problems import Unavailable


class RailMissing(Unavailable):
    """This installation has no settlement rail yet, so it accepts no payments."""

    code, title = "rail_unavailable", "Payments cannot be settled here"


def require_settlement_rail(*, asked: Any, now: datetime) -> None:
    """Insist that there is a rail: nothing is taken that could not be settled."""
    if configured_rail() is None:
        raise RailMissing("This installation has no settlement rail.")


def initiate_payment(
    *, asked: Instruction, gathered: None, caller: Caller, now: datetime
) -> Answer:
    """Accept an instruction: 202 for a new payment, 200 for the one that it made before."""
    acceptance = accept_payment(instruction=asked, caller=caller, now=now)
    return Answer(serialize_payment(acceptance.payment), status=202 if acceptance.new else 200)
