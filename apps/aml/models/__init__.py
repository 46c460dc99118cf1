"""State of the AML engine."""

from apps.aml.models.labels import Label, LabelCount
from apps.aml.models.profiles import Standing, WalletProfile
from apps.aml.models.screens import AmlScreen
from apps.aml.models.weights import WeightChange, WeightChangeEvent, WeightRecord

__all__ = [
    "AmlScreen",
    "Label",
    "LabelCount",
    "Standing",
    "WalletProfile",
    "WeightChange",
    "WeightChangeEvent",
    "WeightRecord",
]
