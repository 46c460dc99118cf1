"""What the intelligence service keeps."""

from apps.intelligence.models.answers import IntelligenceAnswer
from apps.intelligence.models.calls import CallOutcome
from apps.intelligence.models.editions import GraphEdition
from apps.intelligence.models.predictions import RegimeOutcome, RegimePrediction
from apps.intelligence.models.recalibrations import Recalibration

__all__ = [
    "CallOutcome", "GraphEdition", "IntelligenceAnswer", "Recalibration", "RegimeOutcome",
    "RegimePrediction",
]  # fmt: skip
