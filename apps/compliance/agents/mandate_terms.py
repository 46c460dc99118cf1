"""What a version of a mandate says, as the wire and the ledger name it."""

from typing import Any

from apps.compliance.agents.models import Mandate


def serialize_mandate_terms(mandate: Mandate) -> dict[str, Any]:
    """Return what a version says, in the names of MandateTerms."""
    return {
        "max_notional_usd": mandate.max_notional,
        "daily_cap_usd": mandate.daily_cap,
        "currency_pairs": mandate.currency_pairs,
        "counterparty_whitelist": mandate.whitelist,
        "esg_floor": mandate.esg_floor,
        "ap2_compatible": mandate.ap2_compatible,
    }
