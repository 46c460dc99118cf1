"""LEIs: form and check digits (ISO 17442, ISO 7064 MOD 97-10)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.lei import identifiers

REAL = (
    "HWUPKR0MPOU8FGXBT394",
    "INR2EJN1ERAN0W5ZP974",
    "549300LBI3LRIZ2V8V66",
    "549300WE6TAF5EEWQS81",
    "21380068P1DRHMJ8KU70",
)
stems = st.text("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=18, max_size=18)


@pytest.mark.parametrize("lei", REAL)
def test_real_leis_are_valid(lei):
    assert identifiers.is_valid(lei)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "INR2EJN1ERAN0W5ZP975",
        "INR2EJN1ERAN0W5ZP97",
        "INR2EJN1ERAN0W5ZP9744",
        "inr2ejn1eran0w5zp974",
        " INR2EJN1ERAN0W5ZP974",
        "INR2EJN1ERAN0W5ZP974\n",
        "INR2EJN1ERAN0W5ZP9٧4",
        "INR2EJN1ERAN0W5ZPA74",
    ],
)
def test_anything_else_is_not(text):
    assert not identifiers.is_valid(text)


def test_normalising_takes_out_blanks_and_lower_case():
    assert identifiers.normalise(" inr2 EJN1 eran 0w5z p974\t") == REAL[1]


@given(stems)
def test_made_check_digits_are_valid(stem):
    assert identifiers.is_valid(stem + identifiers.check_digits(stem))


@given(stems, st.integers(0, 19), st.integers(1, 25))
def test_a_wrong_digit_for_a_digit_or_letter_for_a_letter_is_always_found(stem, place, step):
    # a letter for a digit lengthens the number, and there the method promises nothing
    lei = stem + identifiers.check_digits(stem)
    kind = "0123456789" if lei[place].isdigit() else "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    other = kind[(kind.index(lei[place]) + step) % len(kind)]
    changed = lei[:place] + other + lei[place + 1 :]
    assert identifiers.is_valid(changed) == (changed == lei)


def test_a_stem_of_another_form_is_refused():
    with pytest.raises(ValueError, match="18 characters"):
        identifiers.check_digits("short")
