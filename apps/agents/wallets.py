"""The owner's wallet: registered to the LEI, it signs that the owner stands behind an agent."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from apps.agents.models import Agent
from apps.agents.problems import ProofRefused
from apps.agents.rules.proofs import ProofRule, WalletProof, ended_by, refusal
from apps.core.shapes import epoch
from apps.registry import proof as registrations
from apps.registry.models import Registration
from apps.registry.proving import signer
from apps.registry.wallets import BadWallet, Family, read

# what a registration that was altered is answered with
RegistrationUnproved = registrations.RegistrationUnproved


@dataclass(frozen=True, slots=True)
class Proved:
    """A proof that holds, as the ledger keeps it: enough to check it anew."""

    wallet: str
    registration: int
    statement: str
    signature: str


def statement(*, agent_id: str, lei: str, wallet: str, signed_at: datetime) -> str:
    """Return the words that a wallet of the owner signs (EIP-191), `wallet` as the proof has it."""
    return (
        f"The wallet {wallet}, registered to LEI {lei}, stands behind the agent {agent_id}.\n"
        f"Signed at {epoch(signed_at)}."
    )


def proved(*, agent: Agent, proof: dict[str, Any], now: datetime) -> Proved:
    """Return what proves that the owner of the agent's LEI stands behind it.

    `proof` has the values of OwnerProof. Raises ProofRefused (422) with the first rule that refuses
    it, and RegistrationUnproved (503).
    """
    words = statement(
        agent_id=agent.agent_id,
        lei=agent.owner_lei,
        wallet=proof["wallet"],
        signed_at=proof["signed_at"],
    )
    row = _registered(proof["wallet"])
    readable = row is not None and row.family == Family.EVM
    found = _facts(
        agent,
        row,
        now,
        age=abs(now - proof["signed_at"]),
        readable=readable,
        signed=row is not None and readable and signer(words, proof["signature"]) == row.wallet,
    )
    rule = refusal(found)
    if rule is not None or row is None:
        raise ProofRefused(rule.says.format(statement=words) if rule else "")
    return Proved(row.wallet, row.pk, words, proof["signature"])


@dataclass(frozen=True, slots=True)
class Ended:
    """That a wallet speaks for the owner no longer, and by which rule."""

    wallet: str
    rule: ProofRule


def ended(*, agent: Agent, now: datetime) -> Ended | None:
    """Return why the proof that an agent's owner gave holds no more; None while it does.

    A wallet that was deactivated, or went to another entity, speaks for its owner no longer.
    Raises RegistrationUnproved (503).
    """
    if agent.owner_proved_at is None:
        return None
    rule = ended_by(_facts(agent, _registered(agent.owner_wallet), now))
    return Ended(agent.owner_wallet, rule) if rule else None


def _facts(
    agent: Agent,
    row: Registration | None,
    now: datetime,
    *,
    age: timedelta = timedelta(0),
    readable: bool = False,
    signed: bool = False,
) -> WalletProof:
    return WalletProof(
        lei=agent.owner_lei,
        age=age,
        registered=row is not None,
        held=row.lei if row else "",
        under_review=row.under_review if row else False,
        waits=row is not None and (row.lei_waits or not row.counts(now)),
        readable=readable,
        signed=signed,
    )


def _registered(wallet: str) -> Registration | None:
    """Return the active registration of a wallet; RegistrationUnproved when somebody altered it."""
    try:
        return registrations.standing(read(wallet).address)
    except BadWallet:
        return None
