"""Health of payments: whether there is a rail, and whether any payment is stuck."""

from datetime import datetime, timedelta
from typing import Any

from apps.payments.payments.models import Payment
from apps.payments.payments.rails import configured_rail
from apps.payments.payments.rules.transitions import MOVING
from apps.platform.desk.health import CheckWording

# past its due time; the sweep looks each minute (jobs.py)
LATE = timedelta(minutes=5)


def check_payment_health(now: datetime) -> dict[str, Any]:
    """Return the rail, and since when the oldest overdue payment waits."""
    chosen = configured_rail()
    late = Payment.objects.filter(state__in=MOVING, due_at__lt=now - LATE).order_by("due_at")
    oldest = late.values_list("due_at", flat=True).first()
    well = chosen is not None and oldest is None
    return {
        "status": "ok" if well else "degraded",
        "rail": chosen.name if chosen else "none",
        "oldestDueSeconds": int((now - oldest).total_seconds()) if oldest else 0,
    }


def _health_sentences(check: dict[str, Any]) -> list[str]:
    if check.get("rail") == "none":
        return ["No settlement rail is configured: payments are refused."]
    if seconds := check.get("oldestDueSeconds"):
        return [f"A payment is {seconds} seconds late for its next step: see the background jobs."]
    return [f"Payments settle on the rail {check.get('rail', 'none')}, none of them late."]


WORDS = CheckWording("Settlement of payments", _health_sentences)
