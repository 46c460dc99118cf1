"""Shapes of SFDR reports (document 1 section 2.8)."""

from apps.insight.esg.sfdr.serializers.requests import (
    PaiExportQuery,
    PaiIn,
    PaiPartialQuery,
    SfdrScreenIn,
)
from apps.insight.esg.sfdr.serializers.responses import (
    PaiExportOut,
    PaiOut,
    PaiPartialOut,
    SfdrScreenExportOut,
    SfdrScreenOut,
)

__all__ = [
    "PaiExportOut",
    "PaiExportQuery",
    "PaiIn",
    "PaiOut",
    "PaiPartialOut",
    "PaiPartialQuery",
    "SfdrScreenExportOut",
    "SfdrScreenIn",
    "SfdrScreenOut",
]
