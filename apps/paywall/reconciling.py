"""What became of a payment whose outcome is unknown: asked of the chain, else of the facilitator.

The chain is proof: an authorization is used once, and says by whom and for whom. A facilitator's
word is proof only that it settled: one that says otherwise may not know what it sent before.
"""

import logging
from datetime import datetime

from django.conf import settings

from apps.paywall import claims, facilitators, sealed
from apps.paywall.chain import Node
from apps.paywall.models import PaymentClaim, State
from apps.paywall.x402.facilitators import SANDBOX, Outcome, Settlement, Unreachable
from apps.paywall.x402.payment import Payment, read
from apps.paywall.x402.terms import Terms
from apps.paywall.x402.wire import Malformed, unpacked
from apps.upstreams.http import UpstreamError

logger = logging.getLogger(__name__)


def found(*, claim: PaymentClaim, now: datetime) -> bool:
    """Write how a settlement ended, and return whether that is known now."""
    settlement = _asked(claim, now)
    if settlement.outcome is Outcome.UNKNOWN:
        if claim.state == State.SETTLING or settlement.transaction != claim.transaction:
            _note(claim, settlement)
        return False
    written = claims.ended(claim, settlement, now)
    if settlement.outcome is Outcome.SETTLED:
        claims.unanswered(claim, now)  # no call holds it any more: the payer's next one is answered
    return written


def _asked(claim: PaymentClaim, now: datetime) -> Settlement:
    if settings.EVM_RPC_URL and claim.facilitator != SANDBOX:
        try:
            seen = Node(settings.EVM_RPC_URL).fate(claim=claim, now=now)
        except UpstreamError as error:
            logger.warning("payment %s: the node does not tell: %s", claim.pk, error)
            seen = Settlement(Outcome.UNKNOWN, claim.transaction)
        if seen.outcome is not Outcome.UNKNOWN:
            return seen
    return _settled_again(claim, now)


def _settled_again(claim: PaymentClaim, now: datetime) -> Settlement:
    """Ask the facilitator once more; only a yes counts, but of the sandbox, which has no chain."""
    unknown = Settlement(Outcome.UNKNOWN, claim.transaction, claim.reason)
    facilitator = facilitators.facilitator()
    if facilitator is None or facilitator.name != claim.facilitator or not claim.sealed:
        return unknown
    terms = facilitators.terms(
        amount=int(claim.amount * 1_000_000), resource=claim.resource, about=claim.resource
    )
    try:
        payment = _opened(claim, terms)
        said = facilitator.settle(payment=payment, terms=terms, now=int(now.timestamp()))
    except (Unreachable, Malformed, sealed.Unreadable) as error:
        logger.warning("payment %s cannot be settled again: %s", claim.pk, type(error).__name__)
        return unknown
    if said.outcome is Outcome.FAILED and facilitator.name != SANDBOX:
        return unknown
    return said if said.outcome is not Outcome.UNKNOWN or said.transaction else unknown


def _opened(claim: PaymentClaim, terms: Terms) -> Payment:
    kept = unpacked(sealed.unseal(claim.sealed, purpose=sealed.PAYMENTS, bound=claim.nonce))
    document = {"x402Version": 2, "accepted": terms.offer_v2(), "payload": kept["payload"]}
    return read(document, 2)


def _note(claim: PaymentClaim, settlement: Settlement) -> None:
    PaymentClaim.objects.as_held(claim, State.SETTLING, State.UNKNOWN).update(
        state=State.UNKNOWN, transaction=settlement.transaction or claim.transaction
    )
