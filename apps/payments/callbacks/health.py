"""Health of callbacks: what is due and not sent, what failed, what is paused, and the secrets."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Min

from apps.payments.callbacks import signing_secrets
from apps.payments.callbacks.models import Delivery, Endpoint, Secret, State
from apps.platform.desk.health import CheckWording, format_short_span

LATE_AFTER = timedelta(seconds=30)
FAILED_WITHIN = timedelta(days=1)
LOOKED_AT = 500


def check_callback_health(now: datetime) -> dict[str, Any]:
    """Judge how long the oldest due callback waits; look-ups by index.

    A receiver that fails is its owner's matter, and paused after days; it is counted here, and
    degrades nothing. Secrets that a changed SECRET_KEY no longer derives do.
    """
    # what waits behind a receiver that does not answer waits for that one alone
    due = Delivery.objects.due(now).filter(endpoint__slow=False, endpoint__paused_at=None)
    oldest = due.aggregate(due=Min("due_at"))["due"]
    waits = now - oldest if oldest else timedelta(0)
    failed = Delivery.objects.filter(state=State.FAILED, ended_at__gte=now - FAILED_WITHIN)
    wrong = sum(
        1
        for row in Secret.objects.order_by("-pk")[:LOOKED_AT]
        if signing_secrets.fingerprint_secret(
            signing_secrets.derive_secret(owner=row.owner, generation=row.generation)
        )
        != row.fingerprint
    )
    return {
        "status": "ok" if waits < LATE_AFTER and not wrong else "degraded",
        "oldestDueSeconds": int(waits.total_seconds()),
        "failedToday": failed.count(),
        "pausedEndpoints": Endpoint.objects.filter(paused_at__isnull=False).count(),
        "secretsNotDerived": wrong,
    }


def _health_sentences(found: dict[str, Any]) -> list[str]:
    said = []
    waits = found.get("oldestDueSeconds") or 0
    if waits >= LATE_AFTER.total_seconds():
        said.append(
            f"The oldest due callback has been waiting for {format_short_span(waits)}: check "
            "the workers of the lane `callbacks` and whether one receiver has too many."
        )
    else:
        said.append("No callback is late.")
    said.append(f"Failed within a day: {found.get('failedToday', 0)}.")
    if paused := found.get("pausedEndpoints"):
        said.append(f"Paused endpoints: {paused}.")
    if wrong := found.get("secretsNotDerived"):
        said.append(f"SECRET_KEY was changed: {wrong} secrets must be reissued.")
    return said


WORDS = CheckWording("Callbacks", _health_sentences)
