"""Texts: one form, nothing invisible, and lengths in characters."""

import pytest

from apps.payments.travelrule.ivms import codes, text


def test_letters_have_one_form() -> None:
    assert text.normalize_text("Mu\u0308ller") == "Müller"
    assert text.normalize_text("a\u0315\u0300" * 600) == "a\u0315\u0300" * 600


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("Abc 1", ""),
        ("吴信利", ""),
        ("نور", ""),
        ("क्‍ष", ""),
        ("a\tb", "control"),
        ("a\x7f", "control"),
        ("a\x85", "control"),
        ("a\u2028", "control"),
        ("\ud800", "control"),
        ("a\u202e", "direction"),
        ("a\u2066", "direction"),
        ("\u200fa", "direction"),
        ("\u061c", "direction"),
    ],
)
def test_what_no_text_may_hold_is_found(written: str, found: str) -> None:
    assert text.find_unsafe_character(written) == found


@pytest.mark.parametrize(
    ("written", "in_2020", "in_2023"),
    [
        ("Bob's 2", True, True),
        ("Bob, PLC", False, True),
        ("~", False, True),
        ("Müller", False, False),
        ("a\n", False, False),
        ("\x7f", False, False),
    ],
)
def test_the_sets_of_2020_and_2023_differ(written: str, in_2020: bool, in_2023: bool) -> None:
    assert text.is_within_charset(written, charset="2020") is in_2020
    assert text.is_within_charset(written, charset="2023") is in_2023


def test_characters_are_counted_and_not_bytes() -> None:
    assert (
        text.count_characters("吴信利"),
        text.count_characters(""),
        text.count_characters(" \u3000"),
        text.count_characters(" a"),
    ) == (3, 0, 0, 2)


@pytest.mark.parametrize(
    ("lei", "remainder"),
    [
        ("529900T8BM49AURSDO55", 1),
        ("3M5E1GQKGL17HI8CPN20", 69),  # the standard's own example
        ("529900T8BM49AURSDO56", 2),
    ],
)
def test_check_digits_of_an_lei(lei: str, remainder: int) -> None:
    assert codes.is_lei_form(lei) and codes.compute_lei_remainder(lei) == remainder


@pytest.mark.parametrize("lei", ["529900T8BM49AURSDO5", "529900T8BM49AURSDO555",
                                 "529900t8BM49AURSDO55", "529900T8BM49AURSDO5A", "５" * 20,
                                 "529900T8BM49AURSDO55\n"])  # fmt: skip
def test_what_has_not_the_form_of_an_lei(lei: str) -> None:
    assert not codes.is_lei_form(lei)
