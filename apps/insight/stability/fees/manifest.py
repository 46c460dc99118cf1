"""The manifest by which agents find the fee service and its calls."""

from typing import Any

from django.conf import settings

from apps.access.paywall.configured_facilitator import get_network
from apps.insight.stability.fees.fee_schedule import SERVICE
from apps.insight.stability.fees.rules import fees as fee_rules
from apps.insight.stability.fees.rules.esg_fee_tiers import FORMULA
from apps.insight.stability.fees.rules.fees import PricedPayment, compute_fees
from apps.insight.stability.fees.services.quotes import QUOTE_LIFETIME
from apps.platform.api.routers import operations_of_service
from config.prices import CORE_BPS, FX_BPS, LICENSE_BPS, MICRO
from config.services import SERVICES

DOCUMENTS = ("openapi.json", "docs", "llms.txt", "llms-full.txt", ".well-known/ai-plugin.json")


def build_manifest() -> dict[str, Any]:
    """Return what this service is; see ManifestOut."""
    service, chain = SERVICES[SERVICE], get_network()
    named = settings.EVM_RPC_URL and settings.FEE_ROUTER
    fee_router_address = {"fee_router": settings.FEE_ROUTER} if named else {}
    return {
        "name": service.title,
        "version": service.version,
        "description": service.about,
        "network": settings.X402_NETWORK,
        "chain_id": chain.chain_id,
        "fees": {
            "core_bps": CORE_BPS,
            "fx_bps": FX_BPS,
            "license_bps": LICENSE_BPS,
            "esg_formula": FORMULA,
            "typical_total_bps": fee_rules.rate_to_bps(compute_fees(PricedPayment(MICRO)).rate),
        },
        "contracts": {"token": chain.asset} | fee_router_address,
        "onboarding": {"human_required": False},
        "quote_valid_for_seconds": int(QUOTE_LIFETIME.total_seconds()),
        "endpoints": [
            {"method": row.method, "path": f"/{row.path}", "summary": row.summary}
            for row in operations_of_service(SERVICE)
        ],
        "documents": [f"/{name}" for name in DOCUMENTS],
        "sandbox": not settings.PRODUCTION,
    }
