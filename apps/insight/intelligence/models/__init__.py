"""What the intelligence service keeps."""

from apps.insight.intelligence.models.answers import IntelligenceAnswer
from apps.insight.intelligence.models.call_outcomes import CallOutcome
from apps.insight.intelligence.models.graph_editions import GraphEdition
from apps.insight.intelligence.models.predictions import RegimeOutcome, RegimePrediction
from apps.insight.intelligence.models.recalibrations import Recalibration

__all__ = [
    "CallOutcome", "GraphEdition", "IntelligenceAnswer", "Recalibration", "RegimeOutcome",
    "RegimePrediction",
]  # fmt: skip
