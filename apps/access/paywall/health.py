"""Health of payments: unanswered money, and unknown outcomes."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Min

from apps.access.paywall.models import PaymentClaim, State
from apps.platform.desk.health import CheckWording, format_short_span

LATE_AFTER = timedelta(hours=1)


def check_payments(now: datetime) -> dict[str, Any]:
    """Return how many payments wait for an answer or an outcome; two look-ups by index."""
    # a payment whose call still runs is not late
    unanswered = PaymentClaim.objects.unanswered().filter(lease_until__lte=now)
    unknown_outcomes = PaymentClaim.objects.filter(state=State.UNKNOWN)
    paid = unanswered.aggregate(count=Count("pk"), oldest=Min("settled_at"))
    unknown = unknown_outcomes.aggregate(count=Count("pk"), oldest=Min("claimed_at"))
    late = [at for at in (paid["oldest"], unknown["oldest"]) if at and now - at > LATE_AFTER]
    return {
        "status": "degraded" if late else "ok",
        "unanswered": paid["count"],
        "unknownOutcomes": unknown["count"],
        "oldestSeconds": int((now - min(late)).total_seconds()) if late else 0,
    }


def describe_payments_health(payments_health: dict[str, Any]) -> list[str]:
    """Describe the result of the check for operators."""
    paid, unknown = payments_health.get("unanswered", 0), payments_health.get("unknownOutcomes", 0)
    sentences = [
        f"Paid and not answered: {paid}. Payments not claimed within a day are owed back."
        if paid
        else "Every payment was answered."
    ]
    if unknown:
        sentences.append(f"Payments for which it is not known yet whether they settled: {unknown}.")
    if oldest := payments_health.get("oldestSeconds"):
        sentences.append(f"The oldest waits for {format_short_span(oldest)}: see the payments.")
    return sentences


WORDS = CheckWording("Payments", describe_payments_health)
