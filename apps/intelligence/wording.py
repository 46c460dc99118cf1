"""Values of an answer in words for people: numbers, days, codes, sentences with both. Pure."""

import re
from collections.abc import Callable, Mapping
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from apps.intelligence.rules.layers import NAMES
from apps.signals.origins import INVENTED
from apps.signals.points import SAMPLE
from apps.signals.series import row_of

NONE = "–"
SPACE = "\N{NO-BREAK SPACE}"
COUNTRIES = {
    "AU": "Australia", "CA": "Canada", "CH": "Switzerland", "CN": "China", "EU": "Euro area",
    "GB": "United Kingdom", "IN": "India", "JP": "Japan", "MX": "Mexico", "SE": "Sweden",
    "US": "United States",
}  # fmt: skip
SHORT = {one.lower(): one for one in ("EPU", "GDP", "HY", "IG", "VIX")}
_LONG = re.compile(r"(?<![\w.])\d+\.\d{3,}(?![\w/])")  # more decimals than anyone reads
_SLOT = re.compile(r"{([\w.]+)(?::(\w+))?}")


def number(value: Any) -> str:
    """Return a number with two decimals at most: none from a thousand on, one from a hundred.

    A number that two decimals would make nought keeps its first digit.
    """
    exact = Decimal(str(value))
    size = abs(exact)
    if size and size < Decimal("0.005"):
        return _signed(f"{exact:.1g}" if size >= Decimal("0.0001") else "0.0000")
    places = 0 if size >= 1000 else 1 if size >= 100 else 2
    text = f"{_to(exact, places):,}"
    return _signed(text.rstrip("0").rstrip(".") if places else text)


def score(value: Any) -> str:
    """Return a score of 0 to 100, or a part of one, with one decimal."""
    return _signed(str(_to(Decimal(str(value)), 1)))


def share(value: Any) -> str:
    """Return a part of one in hundredths, with a decimal below ten of them."""
    exact = 100 * Decimal(str(value))
    if 0 < exact < Decimal("0.05"):
        return f"under{SPACE}0.1{SPACE}%"
    places = 1 if 0 < abs(exact) < 10 else 0
    return _signed(f"{_to(exact, places)}{SPACE}%")


def day(value: Any) -> str:
    """Return the day of an ISO date or moment, which no line breaks within."""
    found = date.fromisoformat(str(value)[:10])
    return f"{found.day}{SPACE}{found:%b}{SPACE}{found.year}"


def month(value: Any) -> str:
    """Return the month of an ISO date."""
    found = date.fromisoformat(str(value)[:10])
    return f"{found:%B}{SPACE}{found.year}"


def days(value: Any) -> str:
    """Return the days of the name of a horizon, like `h30`."""
    return str(value).lstrip("h")


def months(value: Any) -> str:
    """Return a count of months."""
    return "a month" if int(value) == 1 else f"{value}{SPACE}months"


def layer(value: Any) -> str:
    """Return the name of a layer by its code."""
    return NAMES.get(str(value), str(value))


def code(value: Any) -> str:
    """Return a code of the API as words; its capitals say that it is one."""
    return str(value).replace("_", " ")


def words(value: Any) -> str:
    """Return a name of a field, like `rhineKaub` or `trade_policy`, as words."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(value)).replace("_", " ").lower()
    told = " ".join(SHORT.get(one, one) for one in parted.split())
    return told[:1].upper() + told[1:]


def source(value: Any) -> str:
    """Return where a figure comes from: what is of the sample, or invented, says so."""
    parts = str(value).split("+")
    if SAMPLE not in parts:
        return ", ".join(parts) if value else NONE
    rest = [one for one in parts if one not in (SAMPLE, INVENTED)]
    return ", ".join(["sample, invented" if INVENTED in parts else "sample", *rest])


def title(value: Any) -> str:
    """Return what a series is; of a rate, whose title many share, the pair."""
    row = row_of(str(value))
    if row is None:
        return str(value)
    return f"{row.title}, {row.unit_of(str(value))}" if "*" in row.name else row.title


def yes(value: Any) -> str:
    """Return a flag in words."""
    return "yes" if value else "no"


def country(value: Any) -> str:
    """Return the name of a sovereign."""
    return COUNTRIES.get(str(value), str(value))


def plain(value: Any) -> str:
    """Return text with its long numbers shortened; of a list its words, or its sentences."""
    if not isinstance(value, list):
        return _LONG.sub(lambda found: number(found[0]), str(value))
    parts = [code(plain(one)) for one in value]
    return " ".join(parts) if parts[0].endswith(".") else ", ".join(parts)


FORMS: Mapping[str, Callable[[Any], str]] = {
    "number": number, "score": score, "share": share, "day": day, "month": month, "days": days,
    "months": months, "layer": layer,
    "code": code, "words": words, "source": source, "title": title, "yes": yes,
    "country": country, "plain": plain,
}  # fmt: skip
NUMERIC = ("number", "score", "share")


def at(found: Any, path: str) -> Any:
    """Return what stands at a path of names parted by dots; None where there is nothing."""
    for name in path.split("."):
        if not isinstance(found, Mapping):
            return None
        found = found.get(name)
    return found


def told(found: Any, path: str, form: str = "plain") -> str:
    """Return what stands at a path in its form; a dash where there is nothing."""
    value = at(found, path)
    if value is None or value in ("", []):
        return NONE
    return FORMS[form](value)


def filled(template: str, found: Any) -> str:
    """Return a sentence with its slots, `{path}` or `{path:form}`, filled from an answer."""
    return _SLOT.sub(lambda slot: told(found, slot[1], slot[2] or "plain"), template)


def _to(exact: Decimal, places: int) -> Decimal:
    return exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)


def _signed(text: str) -> str:
    bare = text.lstrip("-")
    return bare if not bare.strip("0.,% \N{NO-BREAK SPACE}") else text.replace("-", "−", 1)
