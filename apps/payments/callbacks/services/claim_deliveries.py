"""Which callbacks are sent next: what is due, in turns, and never too many to one receiver.

Claims are made one after the other, so that what is under way can be counted; each takes some
milliseconds, and nothing is sent while it lasts.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b

from django.db import connection, transaction
from django.db.models import Count, F

from apps.payments.callbacks.models import Delivery, Endpoint, State

LEASE = timedelta(seconds=45)  # an attempt takes ten: what is not settled by then was lost
PER_HOST = 4  # at once, of all owners together
PER_OWNER = 8
PER_SLOW_HOST = 1  # one whose last attempt ran out of time
PAIRS_PER_LOOK = 16
Pair = tuple[str, str]  # a receiver (host and port), and an owner
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

    A receiver (host and port) has at most four under way, one while it does not answer in time;
    an owner at most eight. What is beyond that stays due, and holds up nobody else. Where several
    owners wait for one receiver, none is held up by how much another has there: who has least under
    way goes first, of equals one by lot, and the oldest only of one owner. Deliveries to a paused
    endpoint are paused. The attempt is counted before it is sent: a sender that dies after this has
    used it up, and cannot repeat it for ever.
    """
    if most < 1 or not Delivery.objects.due(now).exists():
        return []
    _lock_claims()
    shares, taken = _Capacity(now), list[ClaimedDelivery]()
    while len(taken) < most:
        due_deliveries = _load_due_deliveries(now, shares)
        if not due_deliveries:
            break
        # each row is taken, is paused, or shows that its receiver or owner takes no more
        taken += _count_attempts(_choose_deliveries(due_deliveries, shares, most - len(taken)), now)
    return taken


def _load_due_deliveries(now: datetime, shares: "_Capacity") -> dict[Pair, list[Delivery]]:
    """Return what is due, oldest first, of each owner at each receiver; of so many at a look."""
    rows = Delivery.objects.due(now).exclude(endpoint__host__in=shares.full_hosts)
    rows = rows.exclude(owner__in=shares.full_owners).select_related("endpoint", "event")
    found: dict[Pair, list[Delivery]] = {}
    while len(found) < PAIRS_PER_LOOK:
        some = list(rows.order_by("due_at", "pk")[:PAIRS_PER_LOOK])
        if not some:
            break
        for row in some:
            found.setdefault((row.endpoint.host, row.owner), []).append(row)
        # thousands of one owner hide nobody behind them
        for host, owner in {(row.endpoint.host, row.owner) for row in some}:
            rows = rows.exclude(endpoint__host=host, owner=owner)
    return found


def _choose_deliveries(
    found: dict[Pair, list[Delivery]], shares: "_Capacity", most: int
) -> list[Delivery]:
    """Return whose turn it is, one after the other, as far as there is room."""
    chosen: list[Delivery] = []
    while found and len(chosen) < most:
        pair = min(found, key=lambda one: (shares.turn(one), found[one][0].due_at))
        row = found[pair].pop(0)
        if not found[pair]:
            del found[pair]
        if not _pause_if_endpoint_paused(row) and shares.take(row.endpoint, row.owner):
            chosen.append(row)
    return chosen


class _Capacity:
    """What is under way to each host and owner, and which of them take no more."""

    def __init__(self, now: datetime) -> None:
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
        """Return what is under way of an owner at a receiver, and a lot that each moment redraws.

        So of many who wait for one that takes one at a time none waits for ever.
        """
        lot = blake2b(f"{self._lot}:{pair[1]}".encode(), digest_size=8).digest()
        return self.pairs[pair], lot

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
    """Count an attempt for each of these; what is PENDING is moved by nobody but a claim."""
    Delivery.objects.filter(pk__in=[row.pk for row in rows], state=State.PENDING).update(
        state=State.SENDING, due_at=now + LEASE, attempts=F("attempts") + 1, tries=F("tries") + 1
    )
    return [
        ClaimedDelivery(row, row.attempts + 1, row.tries + 1, row.due_at or now, now)
        for row in rows
    ]


def _lock_claims() -> None:
    """Wait for whoever claims now; SQLite has one writer at a time anyhow."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
