"""Checks a payment once more before it is priced: one that an officer released, or that waited.

What an officer released was screened by the lists of then, and a payment that was halted by those
of hours ago. What was known then does not let through who is listed now: every check is made
again, by the lists and countries of now, and one that blocks then blocks, whoever released it. What
is only flagged holds a payment that nobody released; an officer has seen the other.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from apps.core.clock import SKEW
from apps.payments import checking, reviewing
from apps.payments.models import Payment, PaymentEvent
from apps.payments.moving import move
from apps.payments.reviewing import RELEASED
from apps.payments.rules import words
from apps.payments.rules.lifecycle import turn

EARLIER = "earlier"
LASTS = timedelta(hours=1)  # how long checks count for a payment that has not gone to the rail
MADE = ("CHECKED", "RECHECKED")


def due(payment: Payment, *, now: datetime) -> bool:
    """Tell whether a payment is checked again before it is priced; no query for a young one.

    By a clock that has been set back since, nobody knows how old checks are: they are made again.
    """
    if RELEASED not in payment.found and -SKEW <= now - payment.submitted_at < LASTS:
        return False
    events = PaymentEvent.objects.filter(payment=payment, event__in=(*MADE, "RELEASED"))
    last = events.order_by("-number").values_list("event", "recorded_at").first()
    # one that was released since is checked again, whatever the time of the one or the other
    return last is None or last[0] not in MADE or not -SKEW <= now - last[1] < LASTS


def again(payment: Payment, *, now: datetime) -> None:
    """Make the checks of a payment again, and take the turn that they come to.

    The records of the checks before stay beside the new ones, the oldest first.
    """
    looked = checking.gather(payment=payment, now=now)
    seen = RELEASED in payment.found
    with transaction.atomic():
        made = checking.conclude(payment=payment, looked=looked, now=now)
        checks = replace(made.checks, released=seen)
        next_ = turn(payment.state, "RECHECKED", checks)
        said, error = payment.said | dict(made.said), ""
        if next_.next == "BLOCKED":
            said, error = said | {"compliance": dict(words.BLOCKED_FLAGS)}, words.BLOCKED
        found = _beside(payment.found, made.found)
        taken = move(
            payment,
            "RECHECKED",
            now=now,
            checks=checks,
            facts={"found": dict(made.found), "turn": next_.code},
            plans=False,
            found=found,
            said=said,
            error=error,
        )
        if taken.review:
            reviewing.hold(payment=payment, cases=made.cases, now=now)


def _beside(before: Mapping[str, Any], made: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: one for name, one in before.items() if name not in (RELEASED, EARLIER)}
    earlier = [*before.get(EARLIER, ()), kept]
    since = {RELEASED: before[RELEASED]} if RELEASED in before else {}
    return dict(made) | since | {EARLIER: earlier}
