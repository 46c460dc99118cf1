"""Events and their feed, deliveries and their attempts, endpoints and their secrets."""

from apps.payments.callbacks.models.deliveries import Attempt, Delivery, State
from apps.payments.callbacks.models.endpoints import Endpoint, Pause, Secret, Step
from apps.payments.callbacks.models.events import Event, FeedEntry, FeedHead, Unnumbered

__all__ = [
    "Attempt",
    "Delivery",
    "Endpoint",
    "Event",
    "FeedEntry",
    "FeedHead",
    "Pause",
    "Secret",
    "State",
    "Step",
    "Unnumbered",
]
