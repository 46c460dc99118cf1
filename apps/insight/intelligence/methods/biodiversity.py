"""Biodiversity risk: species, forest, protected areas."""

from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult
from apps.insight.intelligence.methods.gauge_scores import build_gauge_answer
from apps.insight.intelligence.rules.sustainability_gauges import BIODIVERSITY


def compute_biodiversity(known: MethodInputs) -> MethodResult:
    """Return the risk of nature; raises TooFewInputs where too little is known."""
    return build_gauge_answer(known, BIODIVERSITY, headline="biodiversity_risk_score")
