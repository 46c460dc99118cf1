"""Who settles: a rehearsal needs no key; production an institution that two people approved.

Document 2 section 5: beta approval, a whitelisted settlement wallet, and optionally an agent.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from rest_framework.exceptions import ValidationError

from apps.access.gates import MissingKey, challenge
from apps.access.models import Kind
from apps.agents import credentials, mandates, spending
from apps.agents.models import Agent
from apps.agents.rules.spending import Payment, refusal
from apps.core.callers import Caller
from apps.core.canonical import digest
from apps.core.problems import DomainError
from apps.settlement.access import looking
from apps.settlement.models import Settlement
from apps.settlement.wanted import Wanted

OPEN = "open:"


class NotApproved(DomainError):
    """The institution does not settle in production: two officers approve that first."""

    status, code, title = 403, "settlement_not_approved", "Settlement is not approved"


class WalletNotListed(DomainError):
    """The wallet is none of those that the institution settles from."""

    status, code, title = 403, "wallet_not_whitelisted", "The settlement wallet is not approved"


class MandateRefused(DomainError):
    """The agent's mandate does not allow this settlement."""

    status, code, title = 403, "mandate_refused", "The mandate does not allow it"


@dataclass(frozen=True, slots=True)
class Who:
    """Who settles: `owner` has the settlement, `sender` is the wallet that pays."""

    owner: str
    sender: str = ""
    agent: Agent | None = None

    @property
    def agent_id(self) -> str:
        """The id of the agent that acts, empty where none does."""
        return self.agent.agent_id if self.agent else ""


def entitled(*, wanted: Wanted, caller: Caller, now: datetime) -> Who:
    """Return who settles.

    Raises MissingKey (401), NotApproved and WalletNotListed (403), AccessUnproved (503), and what
    refuses a credential: CredentialInvalid, CredentialExpired (401), AgentRevoked (403).
    """
    institution = caller.kind == Kind.INSTITUTION
    if not wanted.sandbox and not institution:
        raise MissingKey(
            "Production settlement needs an institution key as `Authorization: Bearer`.",
            headers=challenge(["Authorization"]),
        )
    owner = caller.ref if institution else f"{OPEN}{digest([caller.ref])[:32]}"
    sender = "" if wanted.sandbox else _wallet(wanted, owner)
    if not wanted.credential:
        return Who(owner, sender)
    return Who(owner, sender, credentials.check(wanted.credential, now=now).agent)


def _wallet(wanted: Wanted, owner: str) -> str:
    """Return the wallet that pays: the one that is named, or the only one."""
    access = looking.standing(owner)
    if access is None or not access.allowed or not access.wallets:
        raise NotApproved("Production settlement is a private beta: ask the operator for it.")
    if not wanted.wallet and len(access.wallets) > 1:
        raise WalletNotListed("You settle from several wallets: name one in `settlementWallet`.")
    sender = wanted.wallet or str(access.wallets[0])
    if sender not in access.wallets:
        raise WalletNotListed("This wallet is none of those that you settle from.")
    if sender == wanted.flow.recipient:
        raise ValidationError({"recipientAddress": ["It is the wallet that pays."]})
    return sender


def spends(*, row: Settlement, who: Who, lei: str, esg_score: int | None, now: datetime) -> None:
    """Count a settlement against its agent's mandate; MandateRefused (403) where it is over it.

    Part of the transaction that lets it go. A rehearsal is judged by the same limits, and nothing
    is counted.
    """
    if who.agent is None:
        return
    wanted = spending.Wanted(
        reference=f"settlement:{row.settlement_id}",
        amount_usd=row.amount_usd or Decimal(0),
        pair=f"{row.source}|{row.destination}",
        counterparty_lei=lei,
        esg_score=esg_score,
    )
    words = _foreseen(who.agent, wanted, now) if row.sandbox else _counted(who.agent, wanted, now)
    if words:
        raise MandateRefused(words)


def _counted(agent: Agent, wanted: spending.Wanted, now: datetime) -> str:
    outcome = spending.spend(agent=agent, wanted=wanted, now=now)
    return "" if outcome.allowed else outcome.words


def _foreseen(agent: Agent, wanted: spending.Wanted, now: datetime) -> str:
    payment = Payment(
        amount=wanted.amount_usd,
        spent=spending.spent_on(agent=agent, day=now.date()),
        pair=wanted.pair,
        counterparty_lei=wanted.counterparty_lei,
        esg_score=wanted.esg_score,
        revoked=agent.revoked,
    )
    found = refusal(payment, mandates.limits(agent, mandates.current(agent)))
    return found[1] if found else ""


def releases(*, row: Settlement, now: datetime) -> None:
    """Count a settlement no more whose transfer never came."""
    agent = Agent.objects.filter(agent_id=row.agent_id).first() if row.agent_id else None
    if agent is not None:
        spending.release(agent=agent, reference=f"settlement:{row.settlement_id}", now=now)
