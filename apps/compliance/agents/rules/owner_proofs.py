"""Decide whether a wallet proves that the owner of an LEI authorises an agent. Pure.

DESIGN.md section 4, Agents: a signed message from a wallet that is registered to that LEI.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

# long enough to sign by hand in a wallet, short enough that a copied proof is soon worthless
FRESH = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class WalletProof:
    """The facts about a proof.

    `lei` is that of the agent's owner, `age` how far from now it says it was signed, `held` the LEI
    that the wallet is registered to; `waits` that the registration, or its LEI, does not count yet;
    `readable` whether its chain has signatures that are read here, `signed` whether its key signed
    the statement.
    """

    lei: str = ""
    age: timedelta = timedelta(0)
    registered: bool = False
    held: str = ""
    under_review: bool = False
    waits: bool = False
    readable: bool = False
    signed: bool = False


@dataclass(frozen=True, slots=True)
class ProofRule:
    """One rule that refuses a proof, and its sentence."""

    code: str
    ref: str
    title: str
    when: Callable[[WalletProof], bool]
    says: str


def _is_other_lei(proof: WalletProof) -> bool:
    return proof.held != proof.lei


# the rules that an accepted proof must still satisfy
STANDING_RULES = (
    ProofRule(
        "proof.not_registered",
        "D §4 agents",
        "the wallet has no registration",
        lambda p: not p.registered,
        "This wallet has no registration.",
    ),
    ProofRule(
        "proof.other_lei",
        "D §4 agents",
        "the wallet is not registered to the LEI of the agent's owner",
        _is_other_lei,
        "This wallet is not registered to the LEI of the agent's owner.",
    ),
    ProofRule(
        "proof.under_review",
        "D §4 agents",
        "the registration is under review",
        lambda p: p.under_review,
        "The registration of this wallet is under review by an officer.",
    ),
    ProofRule(
        "proof.not_counting",
        "D §4 agents",
        "the registration, or its LEI, does not count yet",
        lambda p: p.waits,
        "The registration of this wallet does not count yet.",
    ),
)
PROOF_RULES = (  # the first that holds refuses
    ProofRule(
        "proof.no_lei",
        "D §4 agents",
        "the agent's owner stated no LEI",
        lambda p: not p.lei,
        "This agent's owner stated no LEI, so no wallet can be registered to it.",
    ),
    ProofRule(
        "proof.not_fresh",
        "D §4 agents",
        "signedAt differs from now by more than five minutes",
        lambda p: p.age > FRESH,
        "The statement was not signed within the last five minutes.",
    ),
    *STANDING_RULES,
    ProofRule(
        "proof.other_chain",
        "D §4 agents",
        "the wallet's chain does not support signed statements here",
        lambda p: not p.readable,
        "Only wallets of EVM chains can sign this statement.",
    ),
    ProofRule(
        "proof.not_signed",
        "D §4 agents",
        "the wallet's key did not sign the statement",
        lambda p: not p.signed,
        "The signature does not match the wallet and exactly this text: {statement}",
    ),
)


def find_refusing_rule(proof: WalletProof) -> ProofRule | None:
    """Return the rule that refuses a proof; None for a valid one."""
    return next((rule for rule in PROOF_RULES if rule.when(proof)), None)


def find_ending_rule(proof: WalletProof) -> ProofRule | None:
    """Return the rule that ends an accepted proof; None while it is valid."""
    return next((rule for rule in STANDING_RULES if rule.when(proof)), None)
