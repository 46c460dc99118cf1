"""Validate texts by simple types: the facets of XML Schema that pain.001 uses. Pure."""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from apps.platform.common.days import parse_day

# from a text to what is wrong with it, "" if nothing is
TextValidator = Callable[[str], str]

_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
# XML Schema part 2: offsets reach from -14:00 to +14:00, and 24:00:00 is a time
_ZONE = r"(?:Z|[+-](?:(?:0[0-9]|1[0-3]):[0-5][0-9]|14:00))?"
_DATE = re.compile(rf"(-?(?:[1-9][0-9]{{3,}}|0[0-9]{{3}})-[0-9]{{2}}-[0-9]{{2}}){_ZONE}")
_CLOCK = r"(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?|24:00:00(?:\.0+)?)"
_MOMENT = re.compile(rf"(-?[0-9]{{4,}}-[0-9]{{2}}-[0-9]{{2}})T{_CLOCK}{_ZONE}")
_YEAR = re.compile(rf"-?(?:[1-9][0-9]{{3,}}|0[0-9]{{3}}){_ZONE}")
_BINARY = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
_BOOLEANS = ("true", "false", "1", "0")
MOST_LISTED = 12


def build_validator(facets: Mapping[str, Any]) -> TextValidator:
    """Return what judges the texts of a simple type by its facets (tables.json)."""
    base = facets["base"]
    if base == "decimal":
        return _decimal_validator(facets)
    if base == "date":
        return lambda text: "" if _is_day(_DATE, text) else "it is not a date (2026-11-20)"
    if base == "dateTime":
        return lambda text: (
            "" if _is_day(_MOMENT, text) else "it is not a date and time (2026-11-20T09:30:00)"
        )
    if base == "boolean":
        return lambda text: "" if text in _BOOLEANS else "it is not true or false"
    if base == "gYear":
        return lambda text: "" if _YEAR.fullmatch(text) else "it is not a year"
    if base == "base64Binary":
        return _binary_validator(facets)
    return _text_validator(facets)


def _is_day(form: re.Pattern[str], text: str) -> bool:
    match = form.fullmatch(text)
    return match is not None and parse_day(match.group(1)) is not None


def _decimal_validator(facets: Mapping[str, Any]) -> TextValidator:
    total, fraction, least = facets["total"], facets["fraction"], facets.get("least")

    def judge(text: str) -> str:
        # a Decimal of a megabyte of digits would take long to make
        if len(text) > 100 or not _DECIMAL.fullmatch(text):
            return "it is not a decimal number"
        value = Decimal(text)
        whole, _, rest = text.lstrip("+-").partition(".")
        rest = rest.rstrip("0")
        if len(rest) > fraction:
            return f"it has more than {fraction} decimals"
        # by XML Schema zeros at either end do not count as digits
        if len((whole + rest).lstrip("0")) > total:
            return f"it has more than {total} digits"
        if least is not None and value < least:
            return f"it is less than {least}"
        return ""

    return judge


def _binary_validator(facets: Mapping[str, Any]) -> TextValidator:
    most = facets["max"]

    def judge(text: str) -> str:
        # XML Schema allows blanks within base64Binary; its length counts decoded bytes
        packed = "".join(text.split())
        if not packed or not _BINARY.fullmatch(packed):
            return "it is not Base64"
        size = len(packed) // 4 * 3 - packed[-2:].count("=")
        return "" if size <= most else f"it has more than {most} bytes"

    return judge


def _text_validator(facets: Mapping[str, Any]) -> TextValidator:
    least, most = facets.get("min", 0), facets.get("max")
    pattern = re.compile(facets["pattern"]) if "pattern" in facets else None
    codes = frozenset(facets.get("codes", ()))
    listed = ", ".join(sorted(codes)[:MOST_LISTED]) + (", …" if len(codes) > MOST_LISTED else "")

    def judge(text: str) -> str:
        if len(text) < least:
            return "it is empty" if not text else f"it has fewer than {least} characters"
        if most is not None and len(text) > most:
            return f"it has {len(text)} characters, and at most {most} are allowed"
        if pattern is not None and not pattern.fullmatch(text):
            return f"it is not of the form {pattern.pattern}"
        if codes and text not in codes:
            return f"it is not one of {listed}"
        return ""

    return judge
