"""Compare a quote's fees with the fee contract (document 3 section 4, verify-fees)."""

import logging
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings

from apps.access.paywall.configured_facilitator import get_network
from apps.insight.stability.fees.clients.fee_contract import ContractPreview, FeeContract
from apps.insight.stability.fees.presenters import serialize_fees
from apps.insight.stability.fees.rules.fee_contract_preview import FeePreview, preview_fees
from apps.insight.stability.fees.rules.fees import (
    VERSION,
    Fees,
    bps_to_rate,
    compute_fees,
    core_rate_of_tier,
    tier_of_volume,
)
from apps.insight.stability.fees.services.quotes import QuoteRequest
from apps.platform.api.callers import Caller
from apps.platform.common.money import from_micro
from apps.platform.common.problems import Unavailable
from apps.platform.upstreams.http import UpstreamError
from config.prices import FX_BPS

logger = logging.getLogger(__name__)
CONTRACT, SECOND = "CONTRACT", "SECOND_IMPLEMENTATION"
NAMES = ("core", "fx", "esg", "license", "total", "net")
ASKED_NOTE = "The contract was called on chain, at the block given."
NOT_ASKED_NOTE = (
    "No chain was called: this sandbox has no fee contract. The fees were compared with a second "
    "implementation of the contract's rules."
)


class FeeContractUnavailable(Unavailable):
    """The fee contract could not be queried: it is not known whether it agrees."""

    code, title = "fee_contract_unavailable", "The fee contract does not answer"


@dataclass(frozen=True, slots=True)
class FeeComparison:
    """Our quote, and the observed fees; `block` is None if no chain was called."""

    quoted: Fees
    seen: FeePreview
    block: int | None = None


def gather_fee_comparison(*, asked: QuoteRequest, now: datetime) -> FeeComparison:
    """Return both sides; FeeContractUnavailable if the contract cannot be queried.

    Without a contract, a sandbox compares with the second implementation instead.
    """
    quoted = compute_fees(asked.payment)
    if settings.EVM_RPC_URL and settings.FEE_ROUTER:
        contract_preview = _preview_on_chain(asked)
        return FeeComparison(quoted, contract_preview.preview, contract_preview.block)
    if settings.PRODUCTION:
        raise FeeContractUnavailable("This installation has no fee contract to query.")
    payment = asked.payment
    local_preview = preview_fees(
        # the rate without a discount: the contract applies the discount of the volume itself
        core_rate=core_rate_of_tier(tier_of_volume(0)),
        fx_rate=bps_to_rate(FX_BPS),
        amount=payment.amount,
        has_fx=payment.fx,
        esg_score=payment.score,
        monthly_volume=payment.monthly_volume,
    )
    return FeeComparison(quoted, local_preview)


def _preview_on_chain(quote_request: QuoteRequest) -> ContractPreview:
    contract = FeeContract(url=settings.EVM_RPC_URL, address=settings.FEE_ROUTER)
    try:
        return contract.preview(payment=quote_request.payment, chain_id=get_network().chain_id)
    except UpstreamError as error:
        logger.warning("verify-fees: %s", error)
        raise FeeContractUnavailable("The fee contract could not be queried. Try again.") from None


def conclude_fee_comparison(
    *, asked: QuoteRequest, gathered: FeeComparison, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return whether both agree to the micro-unit; see VerifyFeesOut."""
    quoted = gathered.quoted
    ours = {fee.name: fee.units for fee in quoted.listed}
    ours |= {"total": quoted.total, "net": quoted.net}
    theirs = {name: getattr(gathered.seen, name) for name in NAMES}
    differing = [name for name in NAMES if ours[name] != theirs[name]]
    on_chain = gathered.block is not None
    answer: dict[str, Any] = {
        "fees_match": not differing,
        "checked_against": CONTRACT if on_chain else SECOND,
        "chain_asked": on_chain,
        "fees": serialize_fees(quoted),
        "net_usd": from_micro(quoted.net),
        # as texts: a contract may say more than a number holds
        "preview": {
            name: f"{units // 1_000_000}.{units % 1_000_000:06d}" for name, units in theirs.items()
        },
        "differing": differing,
        "schedule_version": VERSION,
        "note": ASKED_NOTE if on_chain else NOT_ASKED_NOTE,
    }
    if not on_chain:
        return answer
    where = {"contract": settings.FEE_ROUTER, "block_number": gathered.block}
    return answer | where | {"chain_id": get_network().chain_id}
