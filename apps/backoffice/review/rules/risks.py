"""Risk levels of cases. Pure."""

from collections.abc import Collection

RISKS_HIGHEST_FIRST = ("HIGH", "MEDIUM", "LOW")


def find_highest_risk(risks: Collection[str]) -> str:
    """Return the highest of some risks; LOW for none."""
    return next((risk for risk in RISKS_HIGHEST_FIRST if risk in risks), "LOW")
