"""Figures as people read them."""

from decimal import Decimal

from apps.insight.esg.rules.measures import FLAG


def format_figure(value: Decimal, unit: str) -> dict[str, str]:
    """Return `value` and `unit` as text: flags as yes or no, and a value on a scale with that
    scale."""
    if unit == FLAG and value in (0, 1):
        return {"value": "yes" if value else "no", "unit": ""}
    text = f"{value.normalize():,f}"
    # units such as "0 to 1" describe a scale, not something that is counted
    if " to " in unit:
        return {"value": text, "unit": f"({unit})"}
    return {"value": text, "unit": unit}
