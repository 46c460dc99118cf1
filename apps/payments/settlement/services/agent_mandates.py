"""Count settlements of agents against their mandates."""

from datetime import datetime
from decimal import Decimal

from apps.compliance.agents import mandate_limits
from apps.compliance.agents.models import Agent
from apps.compliance.agents.rules.spend_limits import AgentPayment, find_spend_refusal
from apps.compliance.agents.services import agent_spends
from apps.payments.settlement.models import Settlement
from apps.payments.settlement.settlement_authorization import SettlementActor
from apps.platform.common.problems import DomainError


class MandateRefused(DomainError):
    """The agent's mandate does not allow this settlement."""

    status, code, title = 403, "mandate_refused", "Not allowed by the mandate"


def count_against_mandate(
    *, row: Settlement, who: SettlementActor, lei: str, esg_score: int | None, now: datetime
) -> None:
    """Count a settlement against its agent's mandate; MandateRefused (403) if it exceeds it.

    Part of the transaction that lets it go. A rehearsal is judged by the same limits, but not
    counted.
    """
    if who.agent is None:
        return
    spending_request = _build_spending_request(row, lei, esg_score)
    words = (
        _foresee_refusal(who.agent, spending_request, now)
        if row.sandbox
        else _record_spending(who.agent, spending_request, now)
    )
    if words:
        raise MandateRefused(words)


def _build_spending_request(
    row: Settlement, lei: str, esg_score: int | None
) -> agent_spends.SpendRequest:
    return agent_spends.SpendRequest(
        reference=f"settlement:{row.settlement_id}",
        amount_usd=row.amount_usd or Decimal(0),
        pair=f"{row.source}|{row.destination}",
        counterparty_lei=lei,
        esg_score=esg_score,
    )


def require_mandate(
    *, row: Settlement, who: SettlementActor, lei: str, esg_score: int | None, now: datetime
) -> None:
    """Raise MandateRefused (403) if an agent requests more than it may spend; counts nothing."""
    if who.agent is not None and (
        words := _foresee_refusal(who.agent, _build_spending_request(row, lei, esg_score), now)
    ):
        raise MandateRefused(words)


def _record_spending(agent: Agent, spend_request: agent_spends.SpendRequest, now: datetime) -> str:
    outcome = agent_spends.authorize_spend(agent=agent, wanted=spend_request, now=now)
    return "" if outcome.allowed else outcome.words


def _foresee_refusal(agent: Agent, spend_request: agent_spends.SpendRequest, now: datetime) -> str:
    payment = AgentPayment(
        amount=spend_request.amount_usd,
        spent=agent_spends.sum_spent_on(agent=agent, day=now.date()),
        pair=spend_request.pair,
        counterparty_lei=spend_request.counterparty_lei,
        esg_score=spend_request.esg_score,
        revoked=agent.revoked,
    )
    spend_refusal = find_spend_refusal(
        payment, mandate_limits.effective_limits(agent, mandate_limits.current_mandate(agent))
    )
    return spend_refusal[1] if spend_refusal else ""


def release_mandate(*, row: Settlement, now: datetime) -> None:
    """Release the count of a settlement whose transfer never came."""
    agent = Agent.objects.filter(agent_id=row.agent_id).first() if row.agent_id else None
    if agent is not None:
        agent_spends.release_spend(
            agent=agent, reference=f"settlement:{row.settlement_id}", now=now
        )
