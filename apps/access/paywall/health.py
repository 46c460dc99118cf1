"""Health of payments: money that came and bought nothing yet, or of which nobody knows."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Min

from apps.access.paywall.models import PaymentClaim, State
from apps.platform.desk.health import CheckWording, format_short_span

LATE_AFTER = timedelta(hours=1)


def check_payments(now: datetime) -> dict[str, Any]:
    """Return how many payments wait for an answer or an outcome; two look-ups by index."""
    unanswered = PaymentClaim.objects.unanswered().filter(lease_until__lte=now)
    open_ones = PaymentClaim.objects.filter(state=State.UNKNOWN)
    paid = unanswered.aggregate(count=Count("pk"), oldest=Min("settled_at"))
    unknown = open_ones.aggregate(count=Count("pk"), oldest=Min("claimed_at"))
    late = [at for at in (paid["oldest"], unknown["oldest"]) if at and now - at > LATE_AFTER]
    return {
        "status": "degraded" if late else "ok",
        "unanswered": paid["count"],
        "unknownOutcomes": unknown["count"],
        "oldestSeconds": int((now - min(late)).total_seconds()) if late else 0,
    }


def describe_payments_health(said: dict[str, Any]) -> list[str]:
    """Return what the check says, in words for operators."""
    paid, unknown = said.get("unanswered", 0), said.get("unknownOutcomes", 0)
    told = [
        f"Paid and not answered: {paid}. What is not asked for again within a day is owed back."
        if paid
        else "Every payment was answered."
    ]
    if unknown:
        told.append(f"Payments of which nobody knows yet whether they settled: {unknown}.")
    if oldest := said.get("oldestSeconds"):
        told.append(f"The oldest waits for {format_short_span(oldest)}: see the payments.")
    return told


WORDS = CheckWording("Payments", describe_payments_health)
