"""Freeze a case's evidence, so that later changes cannot reach it. Pure."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any


def freeze_evidence(value: Any) -> Any:
    """Return evidence as plain JSON without floats, so that its digest is the same everywhere.

    Floats (scores) become texts of at most four decimals, Decimals and dates texts.
    """
    if isinstance(value, bool | int | str | None):
        return value
    if isinstance(value, float):
        # scores have four decimals
        text = f"{value:.4f}".rstrip("0").rstrip(".")
        return "0" if text == "-0" else text
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): freeze_evidence(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [freeze_evidence(inner) for inner in value]
    raise TypeError(f"{type(value).__name__} cannot be evidence")
