"""How far the callbacks of an event are, and the attempts to deliver them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.payments.callbacks.models import Attempt, Delivery


@dataclass(frozen=True, slots=True)
class WebhookStatus:
    """The status of a subject's last callback.

    `state` is PENDING, SENDING, DELIVERED, FAILED or PAUSED; `label` describes it; `error` is the
    code of the last failed attempt, `next_at` when the next one is due.
    """

    event: UUID
    name: str
    state: str
    label: str
    attempts: int
    error: str
    next_at: datetime | None
    ended_at: datetime | None


def load_webhook_statuses(*, subjects: Iterable[UUID]) -> dict[UUID, WebhookStatus]:
    """Return the status of each subject's latest callback; subjects without one are left out.

    One query. For readers who may see the subjects: it does not filter by owner.
    """
    rows = Delivery.objects.filter(event__subject__in=list(subjects)).select_related("event")
    return {
        row.event.subject: WebhookStatus(
            event=row.event.uid,
            name=row.event.name,
            state=row.state,
            label=row.get_state_display(),
            attempts=row.attempts,
            error=row.last_error,
            next_at=row.due_at,
            ended_at=row.ended_at,
        )
        for row in rows.order_by("pk")
    }


def list_attempts(*, subject: UUID) -> list[Attempt]:
    """Return every attempt at any callback of a subject, oldest first, with event and endpoint."""
    rows = Attempt.objects.filter(delivery__event__subject=subject)
    return list(rows.select_related("delivery__event", "delivery__endpoint").order_by("at", "pk"))
