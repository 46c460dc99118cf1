"""Spends of agents, within mandate and level: exact with any number of concurrent callers.

A day is a UTC day.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import Sum

from apps.compliance.agents import event_log, mandate_limits
from apps.compliance.agents.integrity import find_day_fault, format_ledger_amount, last_spend_event
from apps.compliance.agents.models import Agent, Spend, Step
from apps.compliance.agents.rules.spend_limits import AgentPayment, find_spend_refusal
from apps.compliance.agents.selectors import integrity_checked_agents
from apps.platform.common.problems import Conflict
from apps.platform.ledger.verification.verified_reads import filter_verified_records


class SpendMismatch(Conflict):
    """This agent already used the reference for another payment."""

    code, title = "spend_reference_reused", "Reference already used"


class SpendReleased(Conflict):
    """The payment of this reference was released: use a new reference for another attempt."""

    code, title = "spend_released", "The payment was released"


@dataclass(frozen=True, slots=True)
class SpendOutcome:
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
class SpendRequest:
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
def authorize_spend(*, agent: Agent, wanted: SpendRequest, now: datetime) -> SpendOutcome:
    """Count a payment against the agent's limits, or return the rule that refuses it.

    Call it in the transaction that makes the payment. A repeated payment is counted once; raises
    SpendMismatch or SpendReleased (409) for the reference of another or a released payment,
    ValueError for an amount that is not above zero, and AgentIntegrityError (503) if the agent or
    its spending on the day fails the integrity check. A revoked agent spends nothing, not even
    what was allowed before.
    """
    if wanted.amount_usd <= 0:
        raise ValueError("an amount must be above zero")
    # locked until the transaction ends, so that no two payments are judged by the same sum
    locked = integrity_checked_agents.lock_agent(agent.agent_id)
    if locked is None:
        raise ValueError("there is no such agent")
    # the cap is of a UTC day, whatever the zone of the server
    day = now.astimezone(UTC).date()
    # not even a repeat: a revoked agent's payment must not go out late
    before = None if locked.revoked else _find_repeat(locked, wanted)
    if before is not None:
        return SpendOutcome(True, sum_spent_on(agent=locked, day=before.day), replayed=True)
    mandate = mandate_limits.current_mandate(locked)
    # the day's total must match its record: deleted spends would free the cap again
    spent = _proven_spend_on(locked, day)
    payment = AgentPayment(
        amount=wanted.amount_usd,
        spent=spent,
        pair=wanted.pair,
        counterparty_lei=wanted.counterparty_lei,
        esg_score=wanted.esg_score,
        revoked=locked.revoked,
    )
    refused = find_spend_refusal(payment, mandate_limits.effective_limits(locked, mandate))
    if refused is not None:
        rule, words = refused
        return SpendOutcome(False, spent, rule.code, rule.ref, words)
    Spend.objects.create(
        agent=locked,
        reference=wanted.reference,
        amount=wanted.amount_usd,
        pair=wanted.pair,
        counterparty_lei=wanted.counterparty_lei,
        esg_score=wanted.esg_score,
        mandate=mandate,
        day=day,
        spent_at=now,
    )
    _record_day_total(locked, Step.SPENT, wanted.reference, day, now)
    return SpendOutcome(True, spent + wanted.amount_usd)


def _proven_spend_on(agent: Agent, day: date) -> Decimal:
    """Return what was spent on a day, where the rows are what was recorded of it."""
    last = last_spend_event(agent_id=agent.agent_id, day=day)
    ours = next(iter(filter_verified_records([last])), None) if last else None
    if find_day_fault(agent, day.isoformat(), ours):
        raise integrity_checked_agents.AgentIntegrityError(
            "Integrity check failed for what the agent spent."
        )
    return sum_spent_on(agent=agent, day=day)


def _record_day_total(agent: Agent, step: Step, reference: str, day: date, now: datetime) -> None:
    """Append a step with the day's total after it."""
    counted = Spend.objects.filter(agent=agent, day=day, released_at=None)
    payload = {
        "reference": reference,
        "spentUsd": format_ledger_amount(sum_spent_on(agent=agent, day=day)),
        "payments": counted.count(),
    }
    event_log.record_agent_step(
        agent=agent, step=step, payload=payload, by="", now=now, about=day.isoformat()
    )


def _find_repeat(agent: Agent, spend_request: SpendRequest) -> Spend | None:
    """Return the same payment if it was counted before."""
    spend = agent.spends.filter(reference=spend_request.reference).first()
    if spend is None:
        return None
    then = SpendRequest(
        reference=spend.reference,
        amount_usd=spend.amount,
        pair=spend.pair,
        counterparty_lei=spend.counterparty_lei,
        esg_score=spend_request.esg_score,  # a score moves, and it is the same payment still
    )
    if then != spend_request:
        raise SpendMismatch("This reference was already used for another payment.")
    if spend.released_at is not None:
        raise SpendReleased("The payment of this reference was released.")
    return spend


@transaction.atomic
def release_spend(*, agent: Agent, reference: str, now: datetime) -> bool:
    """Count a payment no more, on the day on which it was made; False when it was not counted.

    For a payment that failed, or came back. AgentIntegrityError (503) as `authorize_spend`.
    """
    locked = integrity_checked_agents.lock_agent(agent.agent_id)
    counted = Spend.objects.filter(agent=locked, reference=reference, released_at=None).first()
    # filtered by `agent=None` nothing is found either
    if locked is None or counted is None:
        return False
    # of the day of the payment, which may be an earlier one
    _proven_spend_on(locked, counted.day)
    counted.released_at = now
    counted.save(update_fields=["released_at"])
    _record_day_total(locked, Step.RELEASED, reference, counted.day, now)
    return True


def sum_spent_on(*, agent: Agent, day: date) -> Decimal:
    """Return what an agent has spent on a UTC day, in USD, without what was released."""
    counted = Spend.objects.filter(agent=agent, day=day, released_at=None)
    total = counted.aggregate(total=Sum("amount"))["total"]
    return total if total is not None else Decimal(0)
