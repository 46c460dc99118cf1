"""Gaps between women and men: law, work, parliaments, schools, deaths of mothers."""

from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult
from apps.insight.intelligence.methods.gauge_scores import build_gauge_answer
from apps.insight.intelligence.rules.sustainability_gauges import GENDER


def compute_gender_risk(known: MethodInputs) -> MethodResult:
    """Return how wide the gaps are; raises TooFewInputs where too little is known."""
    return build_gauge_answer(known, GENDER, headline="gender_risk_score")
