"""A mandate in the form of AP2 0.2: an open payment mandate, as far as ours says what that has.

docs/agents.md says what is compatible and what is not. Amounts of a range are whole cents and those
of a budget whole units (AP2: open_payment_mandate.json); both are rounded down, never up.
"""

from datetime import UTC, datetime, timedelta
from decimal import ROUND_DOWN, Decimal
from typing import Any

from apps.compliance.agents.models import Mandate
from apps.compliance.agents.rules.spend_limits import SpendLimits
from apps.platform.common.clock import to_epoch_seconds
from apps.platform.common.days import start_of_day

TYPE = "mandate.payment.open.1"
CURRENCY = "USD"


def build_ap2_document(
    *, mandate: Mandate, limits: SpendLimits, key: str, active: bool, now: datetime
) -> dict[str, Any]:
    """Return the document of this UTC day, and what it lacks to be an AP2 credential.

    There is none under a mandate that is not `active`. `key` is the JWK thumbprint of the agent's
    own key (RFC 7638), where it proved one.
    """
    # under a mandate of a revoked agent, or of one whose level fell, nothing may be paid
    if not active:
        return {
            "document": None,
            "active": False,
            "conformant": False,
            "missing": ["an active mandate"],
            "notExpressed": {"mandateId": mandate.mandate_id},
        }
    if not limits.whitelist:
        payee_constraints = []
    else:
        allowed = [{"id": lei, "name": lei} for lei in limits.whitelist]
        payee_constraints = [{"type": "payment.allowed_payees", "allowed": allowed}]
    if limits.max_notional is None:
        range_constraints = []
    else:
        # AP2 has cents in a range; down, so that the document never allows more than the mandate
        most = int((limits.max_notional * 100).to_integral_value(ROUND_DOWN))
        range_constraints = [{"type": "payment.amount_range", "currency": CURRENCY, "max": most}]
    constraints = [
        *range_constraints,
        *_budget_constraints(limits),
        *payee_constraints,
    ]
    document: dict[str, Any] = {
        "vct": TYPE,
        "constraints": constraints,
        "iat": to_epoch_seconds(now),
        # AP2 budgets have no period, ours is of one UTC day: so the document ends with it
        "exp": to_epoch_seconds(start_of_day(now.astimezone(UTC).date() + timedelta(days=1))),
    }
    if key:
        document["cnf"] = {"jkt": key}
    # required of an AP2 credential: better said to be missing than taken for conformant
    missing = ["payment.reference", "SD-JWT signature"] + ([] if key else ["cnf"])
    unsaid: dict[str, Any] = {
        "currencyPairs": list(limits.pairs),
        "esgFloor": limits.esg_floor,
        "mandateId": mandate.mandate_id,
    }
    return {
        "document": document,
        "active": True,
        "conformant": False,
        "missing": missing,
        "notExpressed": unsaid,
    }


def _budget_constraints(limits: SpendLimits) -> list[dict[str, Any]]:
    if limits.daily_cap is None:
        return []
    # a budget is in units, with cents as decimals
    most = limits.daily_cap.quantize(Decimal("0.01"), ROUND_DOWN)
    return [
        {"type": "payment.agent_recurrence", "frequency": "ON_DEMAND"},
        {"type": "payment.budget", "currency": CURRENCY, "max": most},
    ]
