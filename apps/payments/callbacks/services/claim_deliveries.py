"""Choose the next callbacks to send: those due, in turns, and never too many to one receiver.

Claims are made one after the other, so that attempts under way can be counted; each takes a few
milliseconds and sends nothing.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b

from django.db import connection, transaction
from django.db.models import Count, F

from apps.payments.callbacks.models import Delivery, Endpoint, State

# an attempt takes ten seconds: one that is not settled by then was lost
LEASE = timedelta(seconds=45)
# attempts at once at a receiver, of all owners together
PER_HOST = 4
PER_OWNER = 8
# at a receiver whose last attempt timed out
PER_SLOW_HOST = 1
PAIRS_PER_LOOK = 16
# a receiver (host and port) and an owner
Pair = tuple[str, str]
# any number that no other advisory lock of the database has
LOCK = 0x5C_CA_11_BA


@dataclass(frozen=True, slots=True)
class ClaimedDelivery:
    """A delivery whose attempt is counted and must now be sent, and settled."""

    delivery: Delivery
    number: int
    tries: int
    due_at: datetime
    at: datetime


@transaction.atomic
def claim_due_deliveries(*, now: datetime, most: int) -> list[ClaimedDelivery]:
    """Count an attempt for each of at most `most` due deliveries, and return them.

    A receiver (host and port) has at most four under way, one while it does not answer in time; an
    owner at most eight. Deliveries beyond that stay due, and delay nobody else. If several owners
    wait for one receiver, the owner with the fewest under way goes first, ties are broken at
    random, and within one owner the oldest goes first. Deliveries to a paused endpoint are paused.
    """
    # without a lock: most looks find nothing due
    if most < 1 or not Delivery.objects.due(now).exists():
        return []
    _lock_claims()
    # behind the lock: what is under way is counted before anything is added
    shares, taken = _Capacity(now), list[ClaimedDelivery]()
    while len(taken) < most:
        rows = Delivery.objects.due(now).exclude(endpoint__host__in=shares.full_hosts)
        rows = rows.exclude(owner__in=shares.full_owners).select_related("endpoint", "event")
        due_deliveries: dict[Pair, list[Delivery]] = {}
        while len(due_deliveries) < PAIRS_PER_LOOK:
            deliveries = list(rows.order_by("due_at", "pk")[:PAIRS_PER_LOOK])
            if not deliveries:
                break
            for row in deliveries:
                due_deliveries.setdefault((row.endpoint.host, row.owner), []).append(row)
            # thousands of one owner do not hide the others
            for host, owner in {(row.endpoint.host, row.owner) for row in deliveries}:
                rows = rows.exclude(endpoint__host=host, owner=owner)
        if not due_deliveries:
            break
        # each step takes or pauses a row, or finds that its receiver or owner is at its limit
        taken += _count_attempts(_choose_deliveries(due_deliveries, shares, most - len(taken)), now)
    return taken


def _choose_deliveries(
    grouped_deliveries: dict[Pair, list[Delivery]], shares: "_Capacity", most: int
) -> list[Delivery]:
    """Return the deliveries whose turn it is, one after the other, within the limits."""
    chosen: list[Delivery] = []
    while grouped_deliveries and len(chosen) < most:
        pair = min(
            grouped_deliveries,
            key=lambda group_key: (
                shares.turn(group_key),
                grouped_deliveries[group_key][0].due_at,
            ),
        )
        row = grouped_deliveries[pair].pop(0)
        if not grouped_deliveries[pair]:
            del grouped_deliveries[pair]
        if not _pause_if_endpoint_paused(row) and shares.take(row.endpoint, row.owner):
            chosen.append(row)
    return chosen


class _Capacity:
    """The attempts under way by host and owner, and which of these are at their limit."""

    def __init__(self, now: datetime) -> None:
        # an attempt whose lease has run out occupies nothing any more
        busy = Delivery.objects.filter(state=State.SENDING, due_at__gt=now)
        counts = busy.values_list("endpoint__host", "owner").annotate(many=Count("pk"))
        self.hosts: Counter[str] = Counter()
        self.owners: Counter[str] = Counter()
        self.pairs: Counter[Pair] = Counter()
        self._lot = now.isoformat()
        for host, owner, many in counts:
            self.pairs[host, owner] += many
            self.hosts[host] += many
            self.owners[owner] += many
        slow = Endpoint.objects.filter(slow=True, host__in=self.hosts).values_list("host")
        self.slow = {host for (host,) in slow}
        self.full_hosts = {host for host in self.hosts if not self._has_room(host)}
        self.full_owners = {owner for owner, many in self.owners.items() if many >= PER_OWNER}

    def _has_room(self, host: str) -> bool:
        return self.hosts[host] < (PER_SLOW_HOST if host in self.slow else PER_HOST)

    def turn(self, pair: Pair) -> tuple[int, bytes]:
        """Return an owner's attempts under way at a receiver, and a lot that changes every moment.

        So among many who wait for a receiver that takes one at a time, none waits for ever.
        """
        lot = blake2b(f"{self._lot}:{pair[1]}".encode(), digest_size=8).digest()
        return self.pairs[pair], lot

    def take(self, endpoint: Endpoint, owner: str) -> bool:
        """Count one more, if the limit allows it."""
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
        self.pairs[host, owner] += 1
        if not self._has_room(host):
            self.full_hosts.add(host)
        if self.owners[owner] >= PER_OWNER:
            self.full_owners.add(owner)
        return True


def _pause_if_endpoint_paused(row: Delivery) -> bool:
    if row.endpoint.paused_at is None:
        return False
    waiting = Delivery.objects.filter(pk=row.pk, state=State.PENDING)
    waiting.update(state=State.PAUSED, due_at=None)
    return True


def _count_attempts(rows: list[Delivery], now: datetime) -> list[ClaimedDelivery]:
    """Count an attempt for each of these; only a claim moves a PENDING delivery."""
    # counted before it is sent: a sender that dies has used its attempt up, and cannot repeat it
    # for ever
    Delivery.objects.filter(pk__in=[row.pk for row in rows], state=State.PENDING).update(
        state=State.SENDING, due_at=now + LEASE, attempts=F("attempts") + 1, tries=F("tries") + 1
    )
    return [
        ClaimedDelivery(row, row.attempts + 1, row.tries + 1, row.due_at or now, now)
        for row in rows
    ]


def _lock_claims() -> None:
    """Wait for any other claim; SQLite has only one writer at a time anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
