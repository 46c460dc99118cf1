"""Background work on callbacks: send due ones, and recover lost ones."""

import logging
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from queue import Empty, SimpleQueue

from apps.payments.callbacks import signatures, signing_secrets
from apps.payments.callbacks.clients import webhook_client
from apps.payments.callbacks.clients.webhook_client import AttemptResult
from apps.payments.callbacks.models import Delivery
from apps.payments.callbacks.services import (
    attempts,
    claim_deliveries,
    endpoint_pauses,
    publish_event,
)
from apps.payments.callbacks.services.claim_deliveries import ClaimedDelivery

# callbacks under way in one process
AT_ONCE = 32
# seconds, while something is under way
POLL_EVERY = 0.1
# seconds after which a run takes nothing more; the next run does, well within the job's lease
SHIFT = 20.0
logger = logging.getLogger(__name__)


def send_due_callbacks(key: str, now: datetime) -> None:
    """Send due callbacks: the one that this run was planned for, and any others.

    Callbacks that become due while a receiver is slow are sent in parallel: a run checks ten times
    a second. A repeated run, or one with nothing due, does nothing more.
    """
    SendRun(now).work()


def send_missed_callbacks(key: str, now: datetime) -> None:
    """Send callbacks that are due and were missed: an attempt's job may have been lost."""
    endpoint_pauses.release_paused_deliveries(now=now)
    attempts.reschedule_far_deliveries(now=now)
    SendRun(now).work()


class SendRun:
    """One run: several callbacks at once, each in a thread; only the run uses the database.

    `Delivery` rows hold the whole state: a run that dies leaves its attempts counted and leased,
    and `recover_lost_attempts` plans what follows them.
    """

    def __init__(self, now: datetime) -> None:
        # a monotonic clock: a host whose time is set must not stretch or cut the run
        self._began, self._from = time.monotonic(), now
        self._done: SimpleQueue[tuple[ClaimedDelivery, AttemptResult]] = SimpleQueue()
        self._under_way = 0

    def now(self) -> datetime:
        """Return the present moment, counted from the start of the run."""
        return self._from + timedelta(seconds=self._passed())

    def _passed(self) -> float:
        return time.monotonic() - self._began

    def work(self) -> None:
        """Send until nothing is due or the time is over; then wait for attempts under way.

        Attempts whose sender died are settled first.
        """
        attempts.recover_lost_attempts(now=self.now())
        while True:
            if self._passed() < SHIFT:
                self._take()
            if not self._under_way:
                break
            self._settle()
        if self._passed() >= SHIFT and Delivery.objects.due(self.now()).exists():
            publish_event.enqueue_send(key="next shift", now=self.now())

    def _take(self) -> None:
        live: dict[str, signing_secrets.LiveSecrets] = {}
        for due_delivery in claim_deliveries.claim_due_deliveries(
            now=self.now(), most=AT_ONCE - self._under_way
        ):
            self._under_way += 1
            owner = due_delivery.delivery.owner
            if owner not in live:
                live[owner] = signing_secrets.load_live_secrets(owner=owner, now=due_delivery.at)
            work = _prepare_attempt(due_delivery, live[owner])
            # daemon: a thread that hangs must not keep the process from ending
            threading.Thread(target=self._send, args=(due_delivery, work), daemon=True).start()

    def _send(self, taken: ClaimedDelivery, work: Callable[[], AttemptResult]) -> None:
        try:
            reply = work()
        except Exception:
            # it never raises; if it did, the run would wait for this attempt for ever
            reply = AttemptResult(error="broken")
        self._done.put((taken, reply))

    def _settle(self) -> None:
        """Record ended attempts; wait a moment if there are none."""
        try:
            taken, reply = self._done.get(timeout=POLL_EVERY)
        except Empty:
            return
        while True:
            self._under_way -= 1
            attempts.record_attempt(
                delivery_id=taken.delivery.pk,
                number=taken.number,
                sent_at=taken.at,
                reply=reply,
                now=self.now(),
            )
            try:
                taken, reply = self._done.get_nowait()
            except Empty:
                return


def _prepare_attempt(
    claimed_delivery: ClaimedDelivery, live: signing_secrets.LiveSecrets
) -> Callable[[], AttemptResult]:
    """Return the function that sends an attempt, with all its data loaded."""
    row, event = claimed_delivery.delivery, claimed_delivery.delivery.event
    # checked at each attempt: the row may have been altered since it was published
    why = "it is another owner's" if row.owner != row.event.owner else row.event.fault(row.url)
    if why:
        logger.error("callback %s is not sent: %s", row.pk, why)
        return lambda: AttemptResult(error=attempts.ALTERED)
    body = event.body.encode()
    headers = signatures.build_signed_headers(
        body=body,
        live=live,
        event=event.uid,
        name=event.name,
        subject=event.subject,
        attempt=claimed_delivery.number,
        now=claimed_delivery.at,
    )
    return lambda: webhook_client.post_callback(url=row.url, content=body, headers=headers)
