"""What an agent spends, within its mandate and its level: exact under any number of callers.

The agent's row is locked while a payment is judged, and the sum of a day is computed from what was
spent, so that no two payments are judged by the same sum. A day is a UTC day.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import Sum

from apps.agents import mandates, proof, recording
from apps.agents.models import Agent, Mandate, Spend, Step
from apps.agents.projection import day_fault, of_day, text
from apps.agents.rules.spending import Payment, refusal
from apps.core.chain import proven
from apps.core.problems import Conflict


class SpendMismatch(Conflict):
    """The reference was used by this agent for another payment."""

    code, title = "spend_reference_reused", "The reference was used"


class SpendReleased(Conflict):
    """The payment of this reference was released: another attempt has a reference of its own."""

    code, title = "spend_released", "The payment was released"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether a payment may be made; else the rule that refuses it, and its words.

    `replayed` says that the same payment was allowed before and is counted once. `spent` is what
    the agent has spent on the payment's UTC day, this payment included where it is allowed.
    """

    allowed: bool
    spent: Decimal
    code: str = ""
    ref: str = ""
    words: str = ""
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """One payment that an agent wants to make; `amount_usd` in USD with at most six decimals.

    `pair` is `AAA|BBB`, of one currency `AAA|AAA`; `esg_score` that of the counterparty,
    None where none is known. `reference` is the caller's own, one for each payment of an agent.
    """

    reference: str
    amount_usd: Decimal
    pair: str = ""
    counterparty_lei: str = ""
    esg_score: int | None = None


@transaction.atomic
def spend(*, agent: Agent, wanted: Wanted, now: datetime) -> Outcome:
    """Count a payment against the agent's limits, or say which rule refuses it.

    Call it in the transaction that makes the payment. The same payment again is counted once;
    SpendMismatch and SpendReleased (409) for a reference that stands for another. ValueError for
    an amount that is not above zero. AgentUnproved (503) where the agent, or what it spent on the
    day, is not as it was recorded. A revoked agent spends nothing, nor what was allowed before.
    """
    if wanted.amount_usd <= 0:
        raise ValueError("an amount is above zero")
    held = proof.locked(agent.agent_id)
    if held is None:
        raise ValueError("this agent is not there")
    day = now.astimezone(UTC).date()
    before = None if held.revoked else _before(held, wanted)
    if before is not None:
        return Outcome(True, spent_on(agent=held, day=before.day), replayed=True)
    mandate = mandates.current(held)
    spent = _proved_on(held, day)
    payment = Payment(
        amount=wanted.amount_usd,
        spent=spent,
        pair=wanted.pair,
        counterparty_lei=wanted.counterparty_lei,
        esg_score=wanted.esg_score,
        revoked=held.revoked,
    )
    refused = refusal(payment, mandates.limits(held, mandate))
    if refused is not None:
        rule, words = refused
        return Outcome(False, spent, rule.code, rule.ref, words)
    _keep(held, wanted, mandate, day, now)
    _record(held, Step.SPENT, wanted.reference, day, now)
    return Outcome(True, spent + wanted.amount_usd)


def _proved_on(agent: Agent, day: date) -> Decimal:
    """Return what was spent on a day, where the rows are what was recorded of it."""
    last = of_day(agent_id=agent.agent_id, day=day)
    ours = next(iter(proven([last])), None) if last else None
    if day_fault(agent, day.isoformat(), ours):
        raise proof.AgentUnproved("What the agent spent is not as it was recorded.")
    return spent_on(agent=agent, day=day)


def _record(agent: Agent, step: Step, reference: str, day: date, now: datetime) -> None:
    """Append a step with what the day comes to after it."""
    counted = Spend.objects.filter(agent=agent, day=day, released_at=None)
    said = {
        "reference": reference,
        "spentUsd": text(spent_on(agent=agent, day=day)),
        "payments": counted.count(),
    }
    recording.record(agent=agent, step=step, said=said, by="", now=now, about=day.isoformat())


def _keep(agent: Agent, wanted: Wanted, mandate: Mandate | None, day: date, now: datetime) -> None:
    Spend.objects.create(
        agent=agent,
        reference=wanted.reference,
        amount=wanted.amount_usd,
        pair=wanted.pair,
        counterparty_lei=wanted.counterparty_lei,
        esg_score=wanted.esg_score,
        mandate=mandate,
        day=day,
        spent_at=now,
    )


def _before(agent: Agent, wanted: Wanted) -> Spend | None:
    """Return the same payment if it was counted before."""
    found = agent.spends.filter(reference=wanted.reference).first()
    if found is None:
        return None
    then = Wanted(
        reference=found.reference,
        amount_usd=found.amount,
        pair=found.pair,
        counterparty_lei=found.counterparty_lei,
        esg_score=wanted.esg_score,  # a score moves, and it is the same payment still
    )
    if then != wanted:
        raise SpendMismatch("This reference was used for another payment.")
    if found.released_at is not None:
        raise SpendReleased("The payment of this reference was released.")
    return found


@transaction.atomic
def release(*, agent: Agent, reference: str, now: datetime) -> bool:
    """Count a payment no more, on the day on which it was made; False when it was not counted.

    For a payment that failed, or came back. AgentUnproved (503) as `spend`.
    """
    held = proof.locked(agent.agent_id)
    counted = Spend.objects.filter(agent=held, reference=reference, released_at=None).first()
    if held is None or counted is None:
        return False
    _proved_on(held, counted.day)
    counted.released_at = now
    counted.save(update_fields=["released_at"])
    _record(held, Step.RELEASED, reference, counted.day, now)
    return True


def spent_on(*, agent: Agent, day: date) -> Decimal:
    """Return what an agent has spent on a UTC day, in USD, without what was released."""
    counted = Spend.objects.filter(agent=agent, day=day, released_at=None)
    total = counted.aggregate(total=Sum("amount"))["total"]
    return total if total is not None else Decimal(0)
