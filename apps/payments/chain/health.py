"""Health of expected transfers: whether each chain is read, and what was taken back."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Min

from apps.payments.chain.assets import CHAINS
from apps.payments.chain.clients.nodes import node_urls
from apps.payments.chain.models import Cursor, Order
from apps.platform.desk.health import CheckWording, format_short_span

# the sweep plans a scan each minute (jobs.py)
LATE_AFTER = timedelta(minutes=3)


def check_chain_health(now: datetime) -> dict[str, Any]:
    """Judge how long ago each chain with awaited transfers was read; look-ups by index."""
    # late transfers are only reported: nobody waits for an expired order
    waiting = Order.objects.filter(ended_at=None).exclude(state="EXPIRED").order_by()
    counts = waiting.values_list("chain").annotate(count=Count("pk"), oldest=Min("opened_at"))
    since = {chain: oldest for chain, _, oldest in counts}
    awaited = sum(count for _, count, _ in counts)
    cursors = {cursor.chain: cursor for cursor in Cursor.objects.filter(chain__in=list(since))}
    unnamed = [chain for chain in since if chain not in CHAINS or not node_urls(CHAINS[chain])]
    # a chain without orders was not read: its time counts from the first order
    last_looks = [
        max(since[chain], cursors[chain].looked_at) if chain in cursors else since[chain]
        for chain in since
        if chain not in unnamed
    ]
    age = now - min(last_looks, default=now)
    unclear = waiting.filter(state="CONFLICT").count()
    troubled = sorted(chain for chain in cursors if cursors[chain].trouble)
    well = not unnamed and not unclear and age < LATE_AFTER
    return {
        "status": "ok" if well else "degraded",
        "awaited": awaited,
        "unclear": unclear,
        "readSecondsAgo": max(0, int(age.total_seconds())),
        "withoutNode": sorted(unnamed),
        "troubled": troubled,
    }


def _health_sentences(health: dict[str, Any]) -> list[str]:
    sentences = []
    if health.get("withoutNode"):
        named = ", ".join(health["withoutNode"])
        sentences.append(
            f"No node is configured for {named}: see the settings of this installation."
        )
    age = health.get("readSecondsAgo") or 0
    if age >= LATE_AFTER.total_seconds():
        sentences.append(
            f"A chain was last read {format_short_span(age)} ago: check that its nodes "
            "respond, that two of them agree, and that the workers of the lane `outbound` are "
            "running."
        )
    if health.get("unclear"):
        sentences.append(
            f"{health['unclear']} expected transfers are unclear: a transfer matches several "
            "orders, or the chain reversed a final one. See the expected transfers."
        )
    return sentences or [
        f"{health.get('awaited', 0)} transfers are expected, and the chains are being read."
    ]


WORDS = CheckWording("Transfers on chains", _health_sentences)
