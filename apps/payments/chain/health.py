"""Health of what is expected on chains: whether each is read, and what was taken back."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Min

from apps.payments.chain.assets import CHAINS
from apps.payments.chain.clients.nodes import node_urls
from apps.payments.chain.models import Cursor, Order
from apps.platform.desk.health import CheckWording, format_short_span

LATE_AFTER = timedelta(minutes=3)


def check_chain_health(now: datetime) -> dict[str, Any]:
    """Judge how long ago each chain was read on which a transfer is awaited; look-ups by index."""
    waiting = Order.objects.filter(ended_at=None).exclude(state="EXPIRED").order_by()
    found = waiting.values_list("chain").annotate(count=Count("pk"), oldest=Min("opened_at"))
    since = {chain: oldest for chain, _, oldest in found}
    awaited = sum(count for _, count, _ in found)
    read = {cursor.chain: cursor for cursor in Cursor.objects.filter(chain__in=list(since))}
    unnamed = [one for one in since if one not in CHAINS or not node_urls(CHAINS[one])]
    # one that nobody waited for was not read: its time counts from the first order
    looked = [
        max(since[one], read[one].looked_at) if one in read else since[one]
        for one in since
        if one not in unnamed
    ]
    age = now - min(looked, default=now)
    unclear = waiting.filter(state="CONFLICT").count()
    troubled = sorted(one for one in read if read[one].trouble)
    well = not unnamed and not unclear and age < LATE_AFTER
    return {
        "status": "ok" if well else "degraded",
        "awaited": awaited,
        "unclear": unclear,
        "readSecondsAgo": max(0, int(age.total_seconds())),
        "withoutNode": sorted(unnamed),
        "troubled": troubled,
    }


def _health_sentences(found: dict[str, Any]) -> list[str]:
    said = []
    if found.get("withoutNode"):
        named = ", ".join(found["withoutNode"])
        said.append(f"No node is configured for {named}: see the settings of this installation.")
    age = found.get("readSecondsAgo") or 0
    if age >= LATE_AFTER.total_seconds():
        said.append(
            f"A chain was last read {format_short_span(age)} ago: check that its nodes "
            "respond, that two of them agree, and that the workers of the lane `outbound` are "
            "running."
        )
    if found.get("unclear"):
        said.append(
            f"{found['unclear']} expected transfers are unclear: a transfer matches several "
            "orders, or the chain reversed a final one. See the expected transfers."
        )
    return said or [
        f"{found.get('awaited', 0)} transfers are expected, and the chains are being read."
    ]


WORDS = CheckWording("Transfers on chains", _health_sentences)
