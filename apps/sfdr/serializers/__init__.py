"""Shapes of SFDR reports (document 1 section 2.8)."""

from apps.sfdr.serializers.answers import (
    PaiExportOut,
    PaiOut,
    PaiPartialOut,
    SfdrScreenExportOut,
    SfdrScreenOut,
)
from apps.sfdr.serializers.asked import PaiExportQuery, PaiIn, PaiPartialQuery, SfdrScreenIn

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
