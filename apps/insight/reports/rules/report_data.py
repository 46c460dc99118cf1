"""Read data of reports by path, and format their numbers. Pure."""

from collections.abc import Mapping
from typing import Any


def value_at_path(data: Mapping[str, Any], path: str) -> Any:
    """Return the value at a dotted path; None if any part is missing."""
    value: Any = data
    for name in path.split("."):
        if not isinstance(value, Mapping) or name not in value:
            return None
        value = value[name]
    return value


def list_at_path(data: Mapping[str, Any], path: str) -> list[Any]:
    """Return the list at a path; an empty one where there is none."""
    rows = value_at_path(data, path)
    return rows if isinstance(rows, list) else []


def format_number(value: float, places: int = 1) -> str:
    """Format a number with thousands separators and at most `places` decimals."""
    text = f"{value:,.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def format_percent(share: float) -> str:
    """Write a share of 1 in whole per cent."""
    return f"{100 * share:.0f} %"


def format_day(moment: str) -> str:
    """Write the day of an ISO moment."""
    return moment[:10]


def format_code(code: str) -> str:
    """Write a code of the wire as words."""
    return code.replace("_", " ").lower()
