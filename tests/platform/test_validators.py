"""What is written is what is read: days, sums, and texts that hide nothing."""

from datetime import date

import pytest

from apps.platform.common.amounts import is_money_amount, parse_money_amount
from apps.platform.common.days import parse_day
from apps.platform.common.hidden_characters import count_visible_characters, find_hidden_character
from apps.platform.desk.note_validation import find_note_fault


@pytest.mark.parametrize(
    "text",
    ["20261122", "20261122xx", "2026-W47-7", "2026-11-22 ", " 2026-11-22", "2026-11-22\n",
     "2026-11-31", "２０２６-11-22", "٢٠٢٦-11-22", "2026-1-2", "0000-01-01", ""],
)  # fmt: skip
def test_a_day_is_written_in_one_way(text: str) -> None:
    assert parse_day(text) is None


def test_a_day_is_read() -> None:
    assert parse_day("2026-11-22") == date(2026, 11, 22)


@pytest.mark.parametrize(
    ("text", "fits"),
    [("9800 USD", True), ("0.00000001 EUR", True), ("12.5 USDC", True), ("3 BTC", True),
     ("0 USD", False), ("0.00 USD", False), ("9800 ZZZ", False), ("٣ USD", False),
     ("９８ USD", False), ("-5 USD", False), ("9800", False), ("9800 usd", False),
     ("1 USD\n", False), ("1e5 USD", False)],
)  # fmt: skip
def test_a_sum_is_above_nothing_in_a_known_currency(text: str, fits: bool) -> None:
    assert is_money_amount(text) is fits


@pytest.mark.parametrize(
    ("text", "found"),
    [("9800 USD", "9800.00 USD"), ("9,800.00 USD", "9800.00 USD"), ("usd 9,800", "9800.00 USD"),
     ("1 250 000,", None), ("1\u202f250\u202f000 EUR", "1250000.00 EUR"),
     ("12'500.5chf", "12500.50 CHF"), ("CHF12\u2019500", "12500.00 CHF"),
     ("0.123456 USDC", "0.123456 USDC"), ("1,000 EURC", "1000.00 EURC"), ("007 BTC", "7.00 BTC"),
     ("999,999,999,999,999 JPY", "999999999999999.00 JPY"), ("1,000,000,000,000,000 JPY", None),
     ("9,80 EUR", None), ("1,2345 EUR", None), ("1,000 000 EUR", None), ("9.800,00 EUR", None),
     ("USD 9800 USD", None), ("9800", None), ("0 USD", None), ("-5 USD", None), ("$ 9800", None),
     ("9800 ZZZ", None), ("1e5 USD", None), ("٣ USD", None), ("1.123456789 BTC", None), ("", None)],
)  # fmt: skip
def test_a_sum_is_read_as_people_write_it_and_has_one_form(text: str, found: str | None) -> None:
    assert parse_money_amount(text) == found


@pytest.mark.parametrize(
    "note",
    ["\u200b" * 10, "Good\u200b enough a note.", "\u202eetsap ni si sihT .siht daer",
     "Ten letters\x07.", "\u2800" * 10, " " * 20, "a" + " " * 20 + "b", "\u0301" * 12],
)  # fmt: skip
def test_a_note_that_cannot_be_read_is_no_sentence(note: str) -> None:
    assert find_note_fault(note) != ""


@pytest.mark.parametrize(
    "note",
    ["Another person: the birth dates differ.", "One line.\r\nAnd\ttwo.",
     "生年月日が異なるため別人です",
     "می\u200cخواهم بگویم که نیست", "Größe geprüft – «ja»."],
)  # fmt: skip
def test_a_note_in_any_script_and_of_several_lines_is_one(note: str) -> None:
    assert find_note_fault(note) == ""


def test_a_hidden_character_is_named_and_lines_are_of_notes_alone() -> None:
    assert "U+200B" in find_hidden_character("a\u200bb")
    assert find_hidden_character("a\nb", lines=True) == "" and "U+000A" in find_hidden_character(
        "a\nb"
    )
    assert count_visible_characters("a   b\u0301") == 3
