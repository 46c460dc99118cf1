"""Health of callbacks: overdue and failed ones, paused endpoints, and the secrets."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Min

from apps.payments.callbacks import signing_secrets
from apps.payments.callbacks.models import Delivery, Endpoint, Secret, State
from apps.platform.desk.health import CheckWording, format_short_span

LATE_AFTER = timedelta(seconds=30)
FAILED_WITHIN = timedelta(days=1)
NEWEST_SECRETS = 500  # of which is checked whether they still derive


def check_callback_health(now: datetime) -> dict[str, Any]:
    """Judge how long due callbacks wait, and whether secrets derive; look-ups by index."""
    # callbacks behind a receiver that does not answer wait only for that one
    due = Delivery.objects.due(now).filter(endpoint__slow=False, endpoint__paused_at=None)
    oldest = due.aggregate(due=Min("due_at"))["due"]
    waits = now - oldest if oldest else timedelta(0)
    # a failing receiver is its owner's responsibility: counted, but it degrades nothing
    failed = Delivery.objects.filter(state=State.FAILED, ended_at__gte=now - FAILED_WITHIN)
    # SECRET_KEY was changed: callbacks would be signed with secrets that nobody has
    wrong = sum(
        1
        for row in Secret.objects.order_by("-pk")[:NEWEST_SECRETS]
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


def _health_sentences(findings: dict[str, Any]) -> list[str]:
    health_sentences = []
    waits = findings.get("oldestDueSeconds") or 0
    if waits >= LATE_AFTER.total_seconds():
        health_sentences.append(
            f"The oldest due callback has been waiting for {format_short_span(waits)}: check "
            "the workers of the lane `callbacks` and whether one receiver has too many."
        )
    else:
        health_sentences.append("No callback is late.")
    health_sentences.append(f"Failed within a day: {findings.get('failedToday', 0)}.")
    if paused := findings.get("pausedEndpoints"):
        health_sentences.append(f"Paused endpoints: {paused}.")
    if wrong := findings.get("secretsNotDerived"):
        health_sentences.append(f"SECRET_KEY was changed: {wrong} secrets must be reissued.")
    return health_sentences


WORDS = CheckWording("Callbacks", _health_sentences)
