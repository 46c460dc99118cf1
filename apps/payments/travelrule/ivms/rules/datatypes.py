"""Datatypes of the standard, section 5.3 (D1 to D9), and forbidden texts (X2)."""

import re
from collections.abc import Iterator

from apps.payments.travelrule.ivms import model, text
from apps.payments.travelrule.ivms.rules.constraints import parse_calendar_date
from apps.payments.travelrule.ivms.rules.context import RuleBreach, RuleContext

# `transferAmount` (P2), also of the messages that build.py makes
AMOUNT = re.compile(r"[0-9]{1,24}(\.[0-9]{1,18})?")
CURRENCY = re.compile(r"[A-Z0-9]{3,12}")
_TEXT_KINDS = ("text",)


def check_text_length(case: RuleContext) -> Iterator[RuleBreach]:
    """D1: texts have at least one character and at most as many as their element."""
    return _check_lengths(case, exact=False)


def check_account_length(case: RuleContext) -> Iterator[RuleBreach]:
    """D4: the same for accounts."""
    return _check_lengths(case, exact=True)


def _check_lengths(case: RuleContext, *, exact: bool) -> Iterator[RuleBreach]:
    for path, field, value in case.leaves:
        if field.longest and (field.wrong == "D4") is exact and field.wrong != "P2":
            count = text.count_characters(value)
            if not 1 <= count <= field.longest:
                yield RuleBreach(path, f"{count} characters; at least 1, at most {field.longest}.")


def check_charset_2020(case: RuleContext) -> Iterator[RuleBreach]:
    """D2: texts are of the set of 2020; text outside that of 2023 too is reported as D2b."""
    for path, value in _find_latin_texts(case):
        narrow = case.charset == "2020" and not text.is_within_charset(value, charset="2020")
        if narrow and text.is_within_charset(value, charset="2023"):
            yield RuleBreach(path)


def check_charset_2023(case: RuleContext) -> Iterator[RuleBreach]:
    """D2b: texts are of the set of 2023: printable ASCII."""
    return (
        RuleBreach(path)
        for path, value in _find_latin_texts(case)
        if not text.is_within_charset(value, charset="2023")
    )


def _find_latin_texts(case: RuleContext) -> Iterator[tuple[tuple[str | int, ...], str]]:
    for path, field, value in case.leaves:
        if field.kind in _TEXT_KINDS and not field.free and field.wrong != "P2" and value:
            yield path, value


def check_line_count(case: RuleContext) -> Iterator[RuleBreach]:
    """D3: an address has at most seven lines."""
    for path, address in case.of(model.ADDRESS):
        lines = address.get("addressLine", ())
        most = model.ADDRESS.fields["addressLine"].most
        if len(lines) > most:
            yield RuleBreach((*path, "addressLine"), f"{len(lines)} lines; at most {most}.")


def check_code_listed(case: RuleContext) -> Iterator[RuleBreach]:
    """D5: codes are of their list."""
    for path, field, value in case.leaves:
        if field.kind == "code" and value not in field.codes:
            yield RuleBreach(path, "It is none of " + ", ".join(sorted(field.codes)) + ".")


def check_version(case: RuleContext) -> Iterator[RuleBreach]:
    """D8b: the version is one that is known."""
    for path, value in case.kind("version"):
        if value.upper().removeprefix("IVMS") != "101":
            yield RuleBreach(path)


def check_real_date(case: RuleContext) -> Iterator[RuleBreach]:
    """D9: a date is a day of the calendar."""
    return (
        RuleBreach(path) for path, value in case.kind("date") if parse_calendar_date(value) is None
    )


def check_amount(case: RuleContext) -> Iterator[RuleBreach]:
    """P2: amount and currency are decimal text and a code."""
    transfer_amount = case.message.get("transferAmount")
    if transfer_amount is None:
        return
    for name, form in (("transferAmount", AMOUNT), ("transferCurrency", CURRENCY)):
        if not form.fullmatch(transfer_amount.get(name, "")):
            yield RuleBreach(
                ("transferAmount", name) if name in transfer_amount else ("transferAmount",), name
            )


def check_characters(case: RuleContext) -> Iterator[RuleBreach]:
    """X2: no text holds control characters or turns the direction of writing."""
    sentences = {
        "control": "It contains a control character.",
        "direction": "It contains a character that changes the direction of writing.",
    }
    for path, _, value in case.leaves:
        if isinstance(value, str) and (unsafe_character := text.find_unsafe_character(value)):
            yield RuleBreach(path, sentences[unsafe_character])
