"""Permission to settle: rehearsals need no key; production needs an approved institution.

Document 2 section 5: beta approval by two people, a whitelisted settlement wallet, and optionally
an agent.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from rest_framework.exceptions import ValidationError

from apps.access.keys.authentication import MissingKey, build_challenge
from apps.access.keys.models import KeyKind
from apps.compliance.agents import credentials, mandate_limits
from apps.compliance.agents.models import Agent
from apps.compliance.agents.rules.spend_limits import AgentPayment, find_spend_refusal
from apps.compliance.agents.services import agent_spends
from apps.payments.settlement.access import selectors
from apps.payments.settlement.models import Settlement
from apps.payments.settlement.requests import SettlementRequest
from apps.platform.api.callers import Caller
from apps.platform.common.problems import DomainError
from apps.platform.crypto.canonical import canonical_digest

OPEN_OWNER_PREFIX = "open:"


class NotApproved(DomainError):
    """The institution may not settle in production until two officers approve it."""

    status, code, title = 403, "settlement_not_approved", "Settlement not approved"


class WalletNotListed(DomainError):
    """The wallet is not one of those that the institution settles from."""

    status, code, title = 403, "wallet_not_whitelisted", "Settlement wallet not approved"


class MandateRefused(DomainError):
    """The agent's mandate does not allow this settlement."""

    status, code, title = 403, "mandate_refused", "Not allowed by the mandate"


@dataclass(frozen=True, slots=True)
class SettlementActor:
    """The party that settles: `owner` has the settlement, `sender` is the wallet that pays."""

    owner: str
    sender: str = ""
    agent: Agent | None = None

    @property
    def agent_id(self) -> str:
        """The id of the acting agent, empty without one."""
        return self.agent.agent_id if self.agent else ""


def authorize_settlement(
    *, wanted: SettlementRequest, caller: Caller, now: datetime
) -> SettlementActor:
    """Return the party that settles.

    Raises MissingKey (401), NotApproved and WalletNotListed (403), AccessIntegrityError (503), and
    the refusals of a credential: CredentialInvalid, CredentialExpired (401), AgentRevoked (403).
    """
    institution = caller.kind == KeyKind.INSTITUTION
    if not wanted.sandbox and not institution:
        raise MissingKey(
            "Production settlement needs an institution key as `Authorization: Bearer`.",
            headers=build_challenge(["Authorization"]),
        )
    owner = (
        caller.ref if institution else f"{OPEN_OWNER_PREFIX}{canonical_digest([caller.ref])[:32]}"
    )
    sender = "" if wanted.sandbox else _choose_sender_wallet(wanted, owner)
    if not wanted.credential:
        return SettlementActor(owner, sender)
    return SettlementActor(
        owner, sender, credentials.verify_credential(wanted.credential, now=now).agent
    )


def _choose_sender_wallet(settlement_request: SettlementRequest, owner: str) -> str:
    """Return the wallet that pays: the named one, or the only one."""
    access = selectors.load_verified_access(owner)
    if access is None or not access.allowed or not access.wallets:
        raise NotApproved(
            "Production settlement is a private beta: contact the operator for access."
        )
    if not settlement_request.wallet and len(access.wallets) > 1:
        raise WalletNotListed("You settle from several wallets: name one in `settlementWallet`.")
    sender = settlement_request.wallet or str(access.wallets[0])
    if sender not in access.wallets:
        raise WalletNotListed("This wallet is not one of those that you settle from.")
    if sender == settlement_request.flow.recipient:
        raise ValidationError({"recipientAddress": ["This is the paying wallet."]})
    return sender


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
    """Raise MandateRefused (403) if an agent requests more than it may spend, before any hold.

    Officers are not asked about what the agent's owner does not allow.
    """
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
