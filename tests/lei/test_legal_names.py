"""When a name given for an LEI is its legal name (DESIGN section 4, Fail closed)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.reference.lei.legal_name_check import fold_name, is_legal_name
from apps.reference.lei.values import Entity, OtherName


def entity(legal, *others):
    named = tuple(OtherName(name, kind) for name, kind in others)
    return Entity("x", legal, "ISSUED", other_names=named)


@pytest.mark.parametrize(
    ("given_name", "legal"),
    [
        ("Microsoft Corporation", "MICROSOFT CORPORATION"),
        ("Microsoft Corp.", "MICROSOFT CORPORATION"),
        ("microsoft", "MICROSOFT CORPORATION"),
        ("Micro soft Inc", "MICROSOFT CORPORATION"),
        ("Amazon.com Inc", "AMAZON.COM, INC."),
        ("Commerzbank AG", "COMMERZBANK Aktiengesellschaft"),
        ("Commerzbank GmbH", "COMMERZBANK Aktiengesellschaft"),
        ("La Gare Holding Aktiebolag", "La Gare Holding AB"),
        ("Boeing Co", "The Boeing Company"),
        ("Airport Partners Lima SRL", "Lima Airport Partners S.R.L."),
        ("Société Générale", "SOCIETE GENERALE S.A."),
        ("Sberbank Rossii", "Открытое акционерное общество Сбербанк России"),
        ("Lima Airport Partneers SRL", "Lima Airport Partners S.R.L."),
        ("UK Equity Fund (Offshore)", "UK EQUITY FUND (OFFSHORE)"),
    ],
)
def test_case_form_script_and_small_slips_agree(given_name, legal):
    assert is_legal_name(given_name, entity(legal))


@pytest.mark.parametrize(
    ("given_name", "legal"),
    [
        ("Blue Heron Stationery Limited", "MICROSOFT CORPORATION"),
        ("Apple Energy", "Apple Inc."),
        ("Apple", "APPLE ENERGY LLC"),
        ("Northwind Trading", "Northwind Traders"),
        ("Fund 3", "Fund 8"),
        ("Bloomberg Finance", "Bloomberg L.P."),
        ("Fraport", "Fraport AG Frankfurt Airport Services Worldwide"),
        ("Microsoft Microsoft", "MICROSOFT CORPORATION"),
        ("Ltd", "The Limited"),
        ("", "MICROSOFT CORPORATION"),
        ("...", "MICROSOFT CORPORATION"),
        ("Sun Oil", "Son Oil"),
    ],
)
def test_another_company_does_not(given_name, legal):
    assert not is_legal_name(given_name, entity(legal))


@pytest.mark.parametrize(
    ("similar", "ends"),
    [("abcdefx", True), ("abcdxx", False)],  # 6 of 7 letters is 0.857, 4 of 6 is 0.667
)
def test_a_slip_of_more_than_15_per_cent_of_a_word_is_another_word(similar, ends):
    assert is_legal_name(f"{similar} Marble", entity("abcdefg Marble Ltd")) is ends


def test_names_in_other_scripts_count_and_former_names_do_not():
    russian = entity(
        "Сбербанк",
        ("Savings Bank", "ALTERNATIVE_LANGUAGE_LEGAL_NAME"),
        ("Gosbank", "PREVIOUS_LEGAL_NAME"),
        ("SBOL", "TRADING_OR_OPERATING_NAME"),
    )
    assert is_legal_name("Savings Bank", russian)
    assert not is_legal_name("Gosbank", russian)
    assert not is_legal_name("SBOL", russian)


@given(st.text(max_size=60))
def test_any_text_is_judged_and_a_name_with_letters_agrees_with_itself(text):
    same = is_legal_name(text, entity(text))
    assert same or not any(character.isascii() and character.isalnum() for character in text)


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing(text):
    assert fold_name(fold_name(text)) == fold_name(text)
