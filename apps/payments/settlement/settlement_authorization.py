"""Permission to settle: rehearsals need no key; production needs an approved institution.

Document 2 section 5: beta approval by two people, a whitelisted settlement wallet, and optionally
an agent.
"""

from dataclasses import dataclass
from datetime import datetime

from rest_framework.exceptions import ValidationError

from apps.access.keys.authentication import MissingKey, build_challenge
from apps.access.keys.models import KeyKind
from apps.compliance.agents import credentials
from apps.compliance.agents.models import Agent
from apps.payments.settlement.institution_access import selectors
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
    # Callers without a key are told apart by their network address. The digest keeps addresses out
    # of the table, and the prefix keeps rehearsals apart from an institution's references.
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
        # one message, whether access was never granted, was withdrawn or has no wallet
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
