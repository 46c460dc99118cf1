"""Datatypes of the standard, section 5.3 (D1 to D9), and texts that nobody may send (X2)."""

import re
from collections.abc import Iterator

from apps.travelrule.ivms import model, text
from apps.travelrule.ivms.rules.constraints import calendar_date
from apps.travelrule.ivms.rules.walking import Case, Hit

_AMOUNT = re.compile(r"[0-9]{1,24}(\.[0-9]{1,18})?")
_CURRENCY = re.compile(r"[A-Z0-9]{3,12}")
_WRITTEN = ("text",)


def length(case: Case) -> Iterator[Hit]:
    """D1: texts have at least one character and at most as many as their element."""
    return _lengths(case, exact=False)


def account_length(case: Case) -> Iterator[Hit]:
    """D4: the same for accounts."""
    return _lengths(case, exact=True)


def _lengths(case: Case, *, exact: bool) -> Iterator[Hit]:
    for path, one, value in case.leaves:
        if one.longest and (one.wrong == "D4") is exact and one.wrong != "P2":
            count = text.length(value)
            if not 1 <= count <= one.longest:
                yield Hit(path, f"{count} characters; at least 1, at most {one.longest}.")


def charset_2020(case: Case) -> Iterator[Hit]:
    """D2: texts are of the set of 2020; what is outside of that of 2023 too is told as D2b."""
    for path, value in _latin(case):
        narrow = case.charset == "2020" and not text.within(value, charset="2020")
        if narrow and text.within(value, charset="2023"):
            yield Hit(path)


def charset_2023(case: Case) -> Iterator[Hit]:
    """D2b: texts are of the set of 2023: printable ASCII."""
    return (Hit(path) for path, value in _latin(case) if not text.within(value, charset="2023"))


def _latin(case: Case) -> Iterator[tuple[tuple[str | int, ...], str]]:
    for path, one, value in case.leaves:
        if one.kind in _WRITTEN and not one.free and one.wrong != "P2" and value:
            yield path, value


def how_many(case: Case) -> Iterator[Hit]:
    """D3: an address has at most seven lines."""
    for path, found in case.of(model.ADDRESS):
        lines = found.get("addressLine", ())
        most = model.ADDRESS.fields["addressLine"].most
        if len(lines) > most:
            yield Hit((*path, "addressLine"), f"{len(lines)} lines; at most {most}.")


def listed(case: Case) -> Iterator[Hit]:
    """D5: codes are of their list."""
    for path, one, value in case.leaves:
        if one.kind == "code" and value not in one.codes:
            yield Hit(path, "It is none of " + ", ".join(sorted(one.codes)) + ".")


def version(case: Case) -> Iterator[Hit]:
    """D8b: the version is one that is known."""
    for path, value in case.kind("version"):
        if value.upper().removeprefix("IVMS") != "101":
            yield Hit(path)


def real_date(case: Case) -> Iterator[Hit]:
    """D9: a date is a day of the calendar."""
    return (Hit(path) for path, value in case.kind("date") if calendar_date(value) is None)


def amount(case: Case) -> Iterator[Hit]:
    """P2: amount and currency are decimal text and a code."""
    found = case.message.get("transferAmount")
    if found is None:
        return
    for name, form in (("transferAmount", _AMOUNT), ("transferCurrency", _CURRENCY)):
        if not form.fullmatch(found.get(name, "")):
            yield Hit(("transferAmount", name) if name in found else ("transferAmount",), name)


def letters(case: Case) -> Iterator[Hit]:
    """X2: no text holds control characters or turns the direction of writing."""
    said = {
        "control": "It holds a control character.",
        "direction": "It holds a character that turns the direction of writing.",
    }
    for path, _, value in case.leaves:
        if isinstance(value, str) and (found := text.unsafe(value)):
            yield Hit(path, said[found])
