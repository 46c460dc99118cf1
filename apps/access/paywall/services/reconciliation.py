"""Find out how a payment with unknown outcome ended, from the chain or else the facilitator."""

import logging
from datetime import datetime

from django.conf import settings

from apps.access.paywall import configured_facilitator, encryption
from apps.access.paywall.clients.evm_node import EvmNode
from apps.access.paywall.models import PaymentClaim, State
from apps.access.paywall.services import payment_claims
from apps.access.paywall.x402.facilitators import (
    SANDBOX,
    FacilitatorUnreachable,
    Settlement,
    SettlementOutcome,
)
from apps.access.paywall.x402.headers import MalformedHeader, decode_header
from apps.access.paywall.x402.payment_parser import parse_payment
from apps.platform.crypto.encryption import DecryptionFailed
from apps.platform.upstreams.http import UpstreamError

logger = logging.getLogger(__name__)


def reconcile_claim(*, claim: PaymentClaim, now: datetime) -> bool:
    """Record how a settlement ended, and return whether that is known now."""
    settlement = _find_settlement(claim, now)
    if settlement.outcome is SettlementOutcome.UNKNOWN:
        # a first look, or news of the transaction: anything else would write the same row again
        if claim.state == State.SETTLING or settlement.transaction != claim.transaction:
            PaymentClaim.objects.as_held(claim, State.SETTLING, State.UNKNOWN).update(
                state=State.UNKNOWN, transaction=settlement.transaction or claim.transaction
            )
        return False
    written = payment_claims.record_settlement(claim, settlement, now)
    if settlement.outcome is SettlementOutcome.SETTLED:
        # no call holds it any more: the payer's next call is answered
        payment_claims.free_settled_claim(claim, now)
    return written


def _find_settlement(claim: PaymentClaim, now: datetime) -> Settlement:
    # the chain is proof: an authorization is used once, and its use names payer and payee; what a
    # sandbox settled is on no chain
    if settings.EVM_RPC_URL and claim.facilitator != SANDBOX:
        try:
            seen = EvmNode(settings.EVM_RPC_URL).fate(claim=claim, now=now)
        except UpstreamError as error:
            logger.warning("payment %s: the node gives no answer: %s", claim.pk, error)
            seen = Settlement(SettlementOutcome.UNKNOWN, claim.transaction)
        if seen.outcome is not SettlementOutcome.UNKNOWN:
            return seen
    return _settle_again(claim, now)


def _settle_again(claim: PaymentClaim, now: datetime) -> Settlement:
    """Ask the facilitator again; only a yes counts, except in the sandbox, which has no chain."""
    unknown = Settlement(SettlementOutcome.UNKNOWN, claim.transaction, claim.reason)
    facilitator = configured_facilitator.get_facilitator()
    # another facilitator never saw the payment, and one without the signed payment cannot be asked
    if facilitator is None or facilitator.name != claim.facilitator or not claim.sealed:
        return unknown
    terms = configured_facilitator.build_terms(
        # exact: MoneyField gives whole micro-units as a Decimal
        amount=int(claim.amount * 1_000_000),
        resource=claim.resource,
        about=claim.resource,
    )
    try:
        payment_header = decode_header(
            encryption.decrypt_text(claim.sealed, purpose=encryption.PAYMENTS, bound=claim.nonce)
        )
        document = {
            "x402Version": 2,
            "accepted": terms.offer_v2(),
            "payload": payment_header["payload"],
        }
        payment = parse_payment(document, 2)
        settlement = facilitator.settle(payment=payment, terms=terms, now=int(now.timestamp()))
    except (FacilitatorUnreachable, MalformedHeader, DecryptionFailed) as error:
        logger.warning("payment %s cannot be settled again: %s", claim.pk, type(error).__name__)
        return unknown
    # a no may come from a facilitator that forgot what it sent, or because the nonce is used: by
    # its own first attempt
    if settlement.outcome is SettlementOutcome.FAILED and facilitator.name != SANDBOX:
        return unknown
    return (
        settlement
        if settlement.outcome is not SettlementOutcome.UNKNOWN or settlement.transaction
        else unknown
    )
