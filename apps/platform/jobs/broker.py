"""The table of tasks of django-q2, whose tick goes on after the clock was set back."""

import time
from typing import Any

from django.utils import timezone
from django_q.brokers.orm import ORM

from apps.platform.jobs import clock_skew

CHECK_EVERY_SECONDS = 10.0  # seconds


class JobBroker(ORM):  # type: ignore[misc]  # django-q2 has no types
    """What a lane takes its tasks from; it looks after the tick now and then."""

    looked = 0.0

    def dequeue(self) -> Any:
        """Return tasks that are due, after a look at the tick."""
        if time.monotonic() - self.looked >= CHECK_EVERY_SECONDS:
            self.looked = time.monotonic()
            self.get_connection()  # closes one that broke, or grew old, since the last look
            clock_skew.recall_tick(now=timezone.now())
        return super().dequeue()
