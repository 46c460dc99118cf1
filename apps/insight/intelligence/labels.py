"""Format values of an answer for people: numbers, days, codes, sentences. Pure."""

import re
from collections.abc import Callable, Mapping
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from apps.insight.intelligence.rules.layers import NAMES
from apps.reference.signals.points import SAMPLE
from apps.reference.signals.sample_origins import INVENTED
from apps.reference.signals.series import find_series

NONE = "–"
SPACE = "\N{NO-BREAK SPACE}"
COUNTRIES = {
    "AU": "Australia", "CA": "Canada", "CH": "Switzerland", "CN": "China", "EU": "Euro area",
    "GB": "United Kingdom", "IN": "India", "JP": "Japan", "MX": "Mexico", "SE": "Sweden",
    "US": "United States",
}  # fmt: skip
ABBREVIATIONS = {
    abbreviation.lower(): abbreviation for abbreviation in ("EPU", "GDP", "HY", "IG", "VIX")
}
# three decimals or more, which sentences need not have; DOIs and versions do not match
_LONG_DECIMALS = re.compile(r"(?<![\w.])\d+\.\d{3,}(?![\w/])")
_SLOT = re.compile(r"{([\w.]+)(?::(\w+))?}")


def format_number(value: Any) -> str:
    """Return a number with two decimals at most: none from a thousand on, one from a hundred."""
    exact = Decimal(str(value))
    size = abs(exact)
    # two decimals would round it to 0: keep its first digit
    if size and size < Decimal("0.005"):
        return _replace_minus_sign(f"{exact:.1g}" if size >= Decimal("0.0001") else "0.0000")
    places = 0 if size >= 1000 else 1 if size >= 100 else 2
    text = f"{_round_half_up(exact, places):,}"
    return _replace_minus_sign(text.rstrip("0").rstrip(".") if places else text)


def format_score(value: Any) -> str:
    """Return a score of 0 to 100, or a part of one, with one decimal."""
    return _replace_minus_sign(str(_round_half_up(Decimal(str(value)), 1)))


def format_share(value: Any) -> str:
    """Return a part of one in hundredths, with a decimal below ten of them."""
    exact = 100 * Decimal(str(value))
    if 0 < exact < Decimal("0.05"):
        return f"under{SPACE}0.1{SPACE}%"
    places = 1 if 0 < abs(exact) < 10 else 0
    return _replace_minus_sign(f"{_round_half_up(exact, places)}{SPACE}%")


def format_day(value: Any) -> str:
    """Return the day of an ISO date or moment, with spaces that do not break."""
    day = date.fromisoformat(str(value)[:10])
    return f"{day.day}{SPACE}{day:%b}{SPACE}{day.year}"


def format_month(value: Any) -> str:
    """Return the month of an ISO date."""
    day = date.fromisoformat(str(value)[:10])
    return f"{day:%B}{SPACE}{day.year}"


def format_horizon_days(value: Any) -> str:
    """Return the days of the name of a horizon, like `h30`."""
    return str(value).lstrip("h")


def format_month_count(value: Any) -> str:
    """Return a count of months."""
    return "a month" if int(value) == 1 else f"{value}{SPACE}months"


def name_of_layer(value: Any) -> str:
    """Return the name of a layer by its code."""
    return NAMES.get(str(value), str(value))


def format_code(value: Any) -> str:
    """Return a code of the API as words; its capitals say that it is one."""
    return str(value).replace("_", " ")


def format_field_name(value: Any) -> str:
    """Return a name of a field, like `rhineKaub` or `trade_policy`, as words."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(value)).replace("_", " ").lower()
    text = " ".join(ABBREVIATIONS.get(part, part) for part in parted.split())
    return text[:1].upper() + text[1:]


def format_source(value: Any) -> str:
    """Return where a figure comes from: what is of the sample, or invented, says so."""
    parts = str(value).split("+")
    if SAMPLE not in parts:
        return ", ".join(parts) if value else NONE
    rest = [part for part in parts if part not in (SAMPLE, INVENTED)]
    return ", ".join(["sample, invented" if INVENTED in parts else "sample", *rest])


def title_of_series(value: Any) -> str:
    """Return the title of a series; for rates, which share one title, with the pair."""
    row = find_series(str(value))
    if row is None:
        return str(value)
    return f"{row.title}, {row.unit_of(str(value))}" if "*" in row.name else row.title


def format_flag(value: Any) -> str:
    """Return a flag in words."""
    return "yes" if value else "no"


def name_of_country(value: Any) -> str:
    """Return the name of a sovereign."""
    return COUNTRIES.get(str(value), str(value))


def format_plain(value: Any) -> str:
    """Return text with its long numbers shortened; of a list its words, or its sentences."""
    if not isinstance(value, list):
        return _LONG_DECIMALS.sub(lambda match: format_number(match[0]), str(value))
    parts = [format_code(format_plain(item)) for item in value]
    return " ".join(parts) if parts[0].endswith(".") else ", ".join(parts)


FORMS: Mapping[str, Callable[[Any], str]] = {
    "number": format_number,
    "score": format_score,
    "share": format_share,
    "day": format_day,
    "month": format_month,
    "days": format_horizon_days,
    "months": format_month_count,
    "layer": name_of_layer,
    "code": format_code,
    "words": format_field_name,
    "source": format_source,
    "title": title_of_series,
    "yes": format_flag,
    "country": name_of_country,
    "plain": format_plain,
}
NUMERIC = ("number", "score", "share")


def value_at_path(document: Any, path: str) -> Any:
    """Return the value at a path of names separated by dots; None if there is none."""
    for name in path.split("."):
        if not isinstance(document, Mapping):
            return None
        document = document.get(name)
    return document


def format_value_at(document: Any, path: str, form: str = "plain") -> str:
    """Format the value at a path; a dash if there is none."""
    value = value_at_path(document, path)
    if value is None or value in ("", []):
        return NONE
    return FORMS[form](value)


def fill_template(template: str, document: Any) -> str:
    """Return a sentence with its slots, `{path}` or `{path:form}`, filled from an answer."""
    return _SLOT.sub(lambda slot: format_value_at(document, slot[1], slot[2] or "plain"), template)


def _round_half_up(exact: Decimal, places: int) -> Decimal:
    return exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)


def _replace_minus_sign(text: str) -> str:
    bare = text.lstrip("-")
    # a negative number that was rounded to 0 has no sign
    return bare if not bare.strip("0.,% \N{NO-BREAK SPACE}") else text.replace("-", "−", 1)
