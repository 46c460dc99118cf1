"""The owner's wallet: registered to the LEI, it signs that the owner authorises an agent."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from apps.compliance.agents.models import Agent
from apps.compliance.agents.problems import ProofRefused
from apps.compliance.agents.rules.owner_proofs import (
    ProofRule,
    WalletProof,
    find_ending_rule,
    find_refusing_rule,
)
from apps.compliance.payees.models import Registration
from apps.compliance.payees.selectors import registrations
from apps.compliance.payees.services.ownership_proof import recover_signer
from apps.compliance.payees.wallets import BadWallet, Family, parse_wallet
from apps.platform.common.clock import to_epoch_seconds

# the 503 for an altered registration; viewsets list it among their problems
RegistrationIntegrityError = registrations.RegistrationIntegrityError


@dataclass(frozen=True, slots=True)
class VerifiedOwnerProof:
    """A valid proof, as the ledger keeps it: enough to verify it again."""

    wallet: str
    registration: int
    statement: str
    signature: str


def proof_statement(
    *, agent_id: str, lei: str, wallet: str, signed_at: datetime, terms: str = ""
) -> str:
    """Return the text that a wallet of the owner signs (EIP-191), `wallet` as in the proof.

    With `terms` the text allows these and nothing else.
    """
    does = (
        f"allows the agent {agent_id} {terms}" if terms else f"stands behind the agent {agent_id}"
    )
    return (
        f"The wallet {wallet}, registered to LEI {lei}, {does}.\nSigned at "
        f"{to_epoch_seconds(signed_at)}."
    )


def verify_owner_proof(
    *, agent: Agent, proof: dict[str, Any], now: datetime, terms: str = ""
) -> VerifiedOwnerProof:
    """Return the proof that the owner of the agent's LEI authorises it, or allows `terms`.

    `proof` has the values of OwnerProof. Raises ProofRefused (422) with the first rule that refuses
    it, and RegistrationIntegrityError (503).
    """
    words = proof_statement(
        agent_id=agent.agent_id,
        lei=agent.owner_lei,
        wallet=proof["wallet"],
        signed_at=proof["signed_at"],
        terms=terms,
    )
    row = _find_registration(proof["wallet"])
    # only EVM addresses can be recovered from a signature
    readable = row is not None and row.family == Family.EVM
    proof_facts = _build_proof_facts(
        agent,
        row,
        now,
        # either way: a moment in the future could be signed now and used later
        age=abs(now - proof["signed_at"]),
        readable=readable,
        signed=row is not None
        and readable
        and recover_signer(words, proof["signature"]) == row.wallet,
    )
    rule = find_refusing_rule(proof_facts)
    if rule is not None or row is None:
        raise ProofRefused(rule.says.format(statement=words) if rule else "")
    return VerifiedOwnerProof(row.wallet, row.pk, words, proof["signature"])


@dataclass(frozen=True, slots=True)
class EndedOwnerProof:
    """That a wallet speaks for the owner no longer, and by which rule."""

    wallet: str
    rule: ProofRule


def find_ended_proof(*, agent: Agent, now: datetime) -> EndedOwnerProof | None:
    """Return why the proof that an agent's owner gave holds no more; None while it does.

    A wallet that was deactivated, or went to another entity, speaks for its owner no longer.
    Raises RegistrationIntegrityError (503).
    """
    if agent.owner_proved_at is None:
        return None
    rule = find_ending_rule(_build_proof_facts(agent, _find_registration(agent.owner_wallet), now))
    return EndedOwnerProof(agent.owner_wallet, rule) if rule else None


def _build_proof_facts(
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


def _find_registration(wallet: str) -> Registration | None:
    """Return the active registration of a wallet; RegistrationIntegrityError if altered."""
    try:
        return registrations.load_active_registration(parse_wallet(wallet).address)
    except BadWallet:
        return None
