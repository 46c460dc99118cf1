"""Editions of the causal graph: one a day, of what was known as it began, by the daily job."""

from datetime import UTC, datetime, time
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max

from apps.intelligence import knowing
from apps.intelligence.catalogue.shape import Product
from apps.intelligence.editions import SHARE
from apps.intelligence.known import rounded
from apps.intelligence.methods import graph
from apps.intelligence.methods.graph import Graph
from apps.intelligence.models import GraphEdition
from apps.intelligence.telling import HUNDREDTH
from apps.signals.quality import Unavailable


def issue(product: Product, *, now: datetime) -> GraphEdition | None:
    """Write the edition of a day; None where there is one, or too little is known for any."""
    day = now.date()
    if GraphEdition.objects.filter(day=day, version=product.version).exists():
        return None
    known = knowing.known(product, as_of=datetime.combine(day, time(), UTC))
    try:
        made = product.compute(known)
    except Unavailable:
        return None
    whole = graph.graph(known)
    newest = GraphEdition.objects.aggregate(last=Max("number"))["last"] or 0
    told = made.body["topology"]
    quality = known.named(made.quality, product.series)
    payload = {
        "edges": [_edge(whole, at) for at in range(len(whole.links))],
        "path": told["dominant_causal_path"],
        "most": told["most_influential"],
        "coverage": str(rounded(quality.coverage, HUNDREDTH)),
        "missing": list(quality.missing),
    }
    try:
        with transaction.atomic():
            found: GraphEdition = GraphEdition.write(
                payload=payload,
                now=now,
                number=newest + 1,
                day=day,
                version=product.version,
                phase=whole.phase,
                share=round(SHARE * whole.share),
                quality=quality.label,
            )
    except IntegrityError:  # another worker was quicker
        return None
    return found


def _edge(whole: Graph, at: int) -> dict[str, Any]:
    link, edge = whole.links[at], whole.edges[at]
    return {
        "from": link.source,
        "to": link.target,
        "lag": link.months,
        "theory": str(link.weight),
        "figures": str(rounded(edge.strength, HUNDREDTH)),
        "chance": str(rounded(edge.p, HUNDREDTH)),
        "months": edge.months,
        "found": edge.found,
        "weight": str(rounded(whole.weights[at], HUNDREDTH)),
    }
