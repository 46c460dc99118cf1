"""Issue one edition of the causal graph a day, from what was known at its start; a daily job."""

from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max

from apps.insight.intelligence.catalogue.product import Product
from apps.insight.intelligence.component_payloads import FOUR_DECIMALS
from apps.insight.intelligence.graph_editions import SHARE_SCALE
from apps.insight.intelligence.method_inputs import round_to_step
from apps.insight.intelligence.methods import layer_graph
from apps.insight.intelligence.methods.layer_graph import CausalGraph
from apps.insight.intelligence.models import GraphEdition
from apps.insight.intelligence.selectors import product_inputs
from apps.platform.common.days import start_of_day
from apps.reference.signals.quality import TooFewInputs


def issue_graph_edition(product: Product, *, now: datetime) -> GraphEdition | None:
    """Write the edition of a day; None where there is one, or too little is known for any."""
    day = now.date()
    if GraphEdition.objects.filter(day=day, version=product.version).exists():
        return None
    method_inputs = product_inputs.load_method_inputs(product, as_of=start_of_day(day))
    try:
        answer = product.compute(method_inputs)
    except TooFewInputs:
        return None
    whole = layer_graph.build_causal_graph(method_inputs)
    newest = GraphEdition.objects.aggregate(last=Max("number"))["last"] or 0
    topology = answer.body["topology"]
    quality = method_inputs.named(answer.quality, product.series)
    payload = {
        "edges": [_serialize_edge(whole, at) for at in range(len(whole.links))],
        "path": topology["dominant_causal_path"],
        "most": topology["most_influential"],
        "coverage": str(round_to_step(quality.coverage, FOUR_DECIMALS)),
        "missing": list(quality.missing),
    }
    try:
        with transaction.atomic():
            graph_edition: GraphEdition = GraphEdition.write(
                payload=payload,
                now=now,
                number=newest + 1,
                day=day,
                version=product.version,
                phase=whole.phase,
                share=round(SHARE_SCALE * whole.share),
                quality=quality.label,
            )
    # another worker wrote the edition of this day first
    except IntegrityError:
        return None
    return graph_edition


def _serialize_edge(whole: CausalGraph, at: int) -> dict[str, Any]:
    link, edge = whole.links[at], whole.edges[at]
    return {
        "from": link.source,
        "to": link.target,
        "lag": link.months,
        "theory": str(link.weight),
        "figures": str(round_to_step(edge.strength, FOUR_DECIMALS)),
        "chance": str(round_to_step(edge.p, FOUR_DECIMALS)),
        "months": edge.months,
        "found": edge.found,
        "weight": str(round_to_step(whole.weights[at], FOUR_DECIMALS)),
    }
