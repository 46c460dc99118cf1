"""Pause and resume the endpoints that callbacks are sent to."""

from datetime import datetime

from django.db import transaction

from apps.payments.callbacks.models import Delivery, Endpoint, Pause, State
from apps.payments.callbacks.services.publish_event import enqueue_send, publish_to_feed

PAUSED, RESUMED = "callback.endpoint_paused", "callback.endpoint_resumed"


@transaction.atomic
def pause_endpoint(*, endpoint: Endpoint, why: Pause, now: datetime) -> bool:
    """Pause an endpoint, and notify its owner in the feed; False if it is paused already.

    Due deliveries are paused when their turn comes; those under way end normally.
    """
    rows = Endpoint.objects.filter(pk=endpoint.pk, paused_at=None)
    if not rows.update(paused_at=now, paused_why=why):
        return False
    body = {"endpointId": endpoint.uid, "address": endpoint.address, "reason": why.value}
    publish_to_feed(endpoint.owner, PAUSED, endpoint.uid, body, now)
    return True


@transaction.atomic
def resume_endpoint(*, endpoint: Endpoint, now: datetime) -> bool:
    """Resume an endpoint, and send the paused deliveries; False if it is not paused.

    The start of the failures stays on record; the time until it is paused again counts from now.
    """
    rows = Endpoint.objects.filter(pk=endpoint.pk, paused_at__isnull=False)
    if not rows.update(paused_at=None, paused_why="", resumed_at=now):
        return False
    waiting = Delivery.objects.filter(endpoint=endpoint, state=State.PAUSED)
    # a full series of four attempts: those before the pause say nothing about now
    waiting.update(state=State.PENDING, due_at=now, tries=0, ended_at=None)
    enqueue_send(key=str(endpoint.uid), now=now)
    body = {"endpointId": endpoint.uid, "address": endpoint.address}
    publish_to_feed(endpoint.owner, RESUMED, endpoint.uid, body, now)
    return True


def release_paused_deliveries(*, now: datetime) -> int:
    """Release paused deliveries of an endpoint that is not paused; returns how many.

    A callback may be paused at the very moment at which its endpoint is resumed.
    """
    stuck = Delivery.objects.filter(state=State.PAUSED, endpoint__paused_at=None)
    return Delivery.objects.filter(pk__in=stuck.values("pk")).update(
        state=State.PENDING, due_at=now, tries=0, ended_at=None
    )
