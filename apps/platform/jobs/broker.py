"""The django-q2 broker on its task table; it keeps the tick going after the clock was set back."""

import time
from typing import Any

from django.utils import timezone
from django_q.brokers.orm import ORM

from apps.platform.jobs import clock_skew

CHECK_EVERY_SECONDS = 10.0


class JobBroker(ORM):  # type: ignore[misc]  # django-q2 has no types
    """The broker of a lane; it checks the tick now and then."""

    looked = 0.0  # monotonic seconds: the system clock is what is being checked

    def dequeue(self) -> Any:
        """Return tasks that are due, after a check of the tick."""
        if time.monotonic() - self.looked >= CHECK_EVERY_SECONDS:
            self.looked = time.monotonic()
            self.get_connection()  # closes a connection that broke or grew old since the last poll
            clock_skew.make_overdue_tick_due(now=timezone.now())
        return super().dequeue()
