"""State of the AML engine."""

from apps.compliance.aml.models.decision_labels import Label, LabelCount
from apps.compliance.aml.models.expected_activity import (
    ActivityChange,
    ActivityChangeEvent,
    ActivityDeclaration,
    ActivityRecord,
    DeclaredAccount,
)
from apps.compliance.aml.models.profiles import Standing, WalletProfile
from apps.compliance.aml.models.screens import AmlScreen
from apps.compliance.aml.models.weights import WeightChange, WeightChangeEvent, WeightRecord

__all__ = [
    "ActivityChange",
    "ActivityChangeEvent",
    "ActivityDeclaration",
    "ActivityRecord",
    "AmlScreen",
    "DeclaredAccount",
    "Label",
    "LabelCount",
    "Standing",
    "WalletProfile",
    "WeightChange",
    "WeightChangeEvent",
    "WeightRecord",
]
