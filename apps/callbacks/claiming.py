"""Which callbacks are sent next: what is due, oldest first, and never too many to one receiver.

Claims are made one after the other, so that what is under way can be counted; each takes some
milliseconds, and nothing is sent while it lasts.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import Count

from apps.callbacks.models import Delivery, Endpoint, State

LEASE = timedelta(seconds=45)  # an attempt takes ten: what is not settled by then was lost
PER_HOST = 4  # at once, of all owners together
PER_OWNER = 8
PER_SLOW_HOST = 1  # one whose last attempt ran out of time
LOOKED_AT = 64
LOCK = 0x5C_CA_11_BA


@dataclass(frozen=True, slots=True)
class Taken:
    """A delivery whose attempt is counted and must now be sent, and settled."""

    delivery: Delivery
    number: int
    tries: int
    due_at: datetime
    at: datetime


@transaction.atomic
def claim(*, now: datetime, most: int) -> list[Taken]:
    """Count an attempt for each of at most `most` due deliveries, and return them.

    A receiver (host and port) has at most four under way, one while it does not answer in time;
    an owner at most eight. What is beyond that stays due, and holds up nobody else. Deliveries to
    a paused endpoint are paused. The attempt is counted before it is sent: a sender that dies
    after this has used it up, and cannot repeat it for ever.
    """
    if most < 1 or not Delivery.objects.due(now).exists():
        return []
    _one_at_a_time()
    shares, taken = _Shares(now), list[Taken]()
    while len(taken) < most:
        rows = Delivery.objects.due(now).exclude(endpoint__host__in=shares.full_hosts)
        rows = rows.exclude(owner__in=shares.full_owners).select_related("endpoint", "event")
        found = list(rows.order_by("due_at", "pk")[:LOOKED_AT])
        if not found:
            break
        # each row is taken, is paused, or shows that its receiver or owner takes no more
        for row in found:
            if len(taken) < most and (one := _take(row, shares, now)):
                taken.append(one)
    return taken


class _Shares:
    """What is under way to each host and owner, and which of them take no more."""

    def __init__(self, now: datetime) -> None:
        busy = Delivery.objects.filter(state=State.SENDING, due_at__gt=now)
        counts = busy.values_list("endpoint__host", "owner").annotate(many=Count("pk"))
        self.hosts: Counter[str] = Counter()
        self.owners: Counter[str] = Counter()
        for host, owner, many in counts:
            self.hosts[host] += many
            self.owners[owner] += many
        slow = Endpoint.objects.filter(slow=True, host__in=self.hosts).values_list("host")
        self.slow = {host for (host,) in slow}
        self.full_hosts = {host for host in self.hosts if not self._has_room(host)}
        self.full_owners = {owner for owner, many in self.owners.items() if many >= PER_OWNER}

    def _has_room(self, host: str) -> bool:
        return self.hosts[host] < (PER_SLOW_HOST if host in self.slow else PER_HOST)

    def take(self, endpoint: Endpoint, owner: str) -> bool:
        """Count one more, if there is room for it."""
        host = endpoint.host
        if endpoint.slow:
            self.slow.add(host)
        if host in self.full_hosts or not self._has_room(host):
            self.full_hosts.add(host)
            return False
        if owner in self.full_owners:
            return False
        self.hosts[host] += 1
        self.owners[owner] += 1
        if not self._has_room(host):
            self.full_hosts.add(host)
        if self.owners[owner] >= PER_OWNER:
            self.full_owners.add(owner)
        return True


def _take(row: Delivery, shares: _Shares, now: datetime) -> Taken | None:
    mine = Delivery.objects.filter(pk=row.pk, state=State.PENDING, attempts=row.attempts)
    if row.endpoint.paused_at is not None:
        mine.update(state=State.PAUSED, due_at=None)
        return None
    if not shares.take(row.endpoint, row.owner):
        return None
    due, number, tries = row.due_at or now, row.attempts + 1, row.tries + 1
    won = mine.update(state=State.SENDING, due_at=now + LEASE, attempts=number, tries=tries)
    return Taken(row, number, tries, due, now) if won else None


def _one_at_a_time() -> None:
    """Wait for whoever claims now; SQLite has one writer at a time anyhow."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
