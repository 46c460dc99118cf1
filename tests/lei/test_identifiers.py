"""LEIs: form and check digits (ISO 17442, ISO 7064 MOD 97-10)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import lei as stdnum_lei
from stdnum.iso7064.mod_97_10 import calc_check_digits as check_digits

from apps.platform.common.lei import is_valid_lei

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
    assert is_valid_lei(lei)


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
    assert not is_valid_lei(text)


@given(stems)
def test_made_check_digits_are_valid(stem):
    assert is_valid_lei(stem + check_digits(stem))


@given(stems, st.integers(0, 19), st.integers(1, 25))
def test_a_wrong_digit_for_a_digit_or_letter_for_a_letter_is_always_found(stem, place, step):
    # a letter for a digit lengthens the number, and there the method promises nothing
    lei = stem + check_digits(stem)
    kind = "0123456789" if lei[place].isdigit() else "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    other = kind[(kind.index(lei[place]) + step) % len(kind)]
    changed = lei[:place] + other + lei[place + 1 :]
    assert is_valid_lei(changed) == (changed == lei)


@given(stems, st.integers(0, 99))
def test_it_agrees_with_the_library_of_standard_numbers(stem, digits):
    lei = f"{stem}{digits:02d}"
    assert is_valid_lei(lei) == stdnum_lei.is_valid(lei)
