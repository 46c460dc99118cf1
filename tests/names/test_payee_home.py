"""A payee's own country behind its name is an address; degrees, initials and articles are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.reference.names.payee import compare_payee_names
from apps.reference.names.payee.home_country_suffix import strip_home_country

PLACES = ["UK", "United Kingdom", "Deutschland", "USA", "London", "Hong Kong", ""]
FORMS = ["Ltd", "GmbH", "Inc.", ""]


@pytest.mark.parametrize(
    ("submitted", "registered", "home", "score"),
    [
        ("Quillmont Ltd UK", "Quillmont Ltd", "GB", 89),
        ("Quillmont Ltd, United Kingdom", "Quillmont Limited", "GB", 89),
        ("Quillmont Ltd England", "Quillmont Ltd", "GB", 89),
        ("Quillmont GmbH (Germany)", "Quillmont GmbH", "DE", 89),
        ("Quillmont SARL, Côte d'Ivoire", "Quillmont SARL", "CI", 89),
        ("Quillmont Ltd UK", "Quillmont Ltd", "IE", 60),
        ("Quillmont Ltd UK", "Quillmont Ltd", "", 60),
        ("Quillmont Ltd, United Kingdom", "Quillmont Ltd", "", 60),
        ("Quillmont Inc. California", "Quillmont Inc.", "US", 60),  # a region is no country
    ],
)
def test_the_payees_own_country_behind_its_form_is_an_address(
    submitted: str, registered: str, home: str, score: int
) -> None:
    comparison = compare_payee_names(submitted=submitted, registered=registered, home=home)
    assert comparison.score == score
    assert ("P.66" in [one.code for one in comparison.charged]) is (score == 89)


def test_a_country_within_the_name_stays_another_company() -> None:
    for submitted in ("Quillmont (UK) Ltd", "Quillmont UK Ltd"):
        assert (
            compare_payee_names(submitted=submitted, registered="Quillmont Ltd", home="GB").band
            == "NO"
        )


@pytest.mark.parametrize(
    ("text", "home", "left"),
    [
        ("Quillmont Ltd UK", "GB", "Quillmont Ltd"),
        ("Quillmont Ltd - UK.", "GB", "Quillmont Ltd"),
        ("Quillmont Ltd UK", "", ""),
        ("Quillmont Ltd London", "GB", ""),
        ("Ltd UK", "GB", ""),
        ("Quillmont UK", "GB", ""),
        ("", "GB", ""),
    ],
)
def test_what_is_left_of_a_field_without_its_country(text: str, home: str, left: str) -> None:
    assert strip_home_country(text, home) == left


@given(
    st.sampled_from(["Quillmont", "Quillmond", "Tessaro"]),
    st.sampled_from(FORMS),
    st.sampled_from(PLACES),
    st.sampled_from(["GB", "DE", "US", "HK", "CI"]),
)
def test_to_know_the_country_never_lowers_a_score(
    word: str, form: str, place: str, home: str
) -> None:
    submitted = " ".join((word, form, place)).strip()
    comparison_outcome = compare_payee_names(
        submitted=submitted, registered="Quillmont Ltd", home=home
    )
    assert (
        comparison_outcome.score
        >= compare_payee_names(submitted=submitted, registered="Quillmont Ltd").score
    )


@pytest.mark.parametrize(
    "submitted",
    [
        "Prof. Dr. med. Gernot Wiesner",
        "Dr. rer. nat. Gernot Wiesner",
        "Dr. h.c. Gernot Wiesner",
        "Gernot Wiesner, Esq.",
        "Gernot Wiesner, PhD",
        "Gernot Wiesner, M.D.",
        "Gernot Wiesner LL.M.",
        "Wiesner, Gernot, Ph.D.",
    ],
)
def test_degrees_are_no_part_of_a_name_however_they_are_written(submitted: str) -> None:
    assert compare_payee_names(submitted=submitted, registered="Gernot Wiesner").band == "MATCH"


@pytest.mark.parametrize(
    ("submitted", "registered", "least", "most"),
    [
        ("Th. Langley", "Thomas Langley", 70, 80),
        ("Langley, Ph.", "Philipp Langley", 70, 80),
        ("Th. Langley", "Tobias Langley", 0, 34),
        ("Ahmed Al-Rashid", "Ahmad Alrasheed", 75, 89),
        ("Alsayyid Muhammad", "Mohammed Al-Sayed", 75, 89),
        ("Ahmed Al-Rashid", "Ahmed Almasri", 0, 34),
        ("Langley, M.A.", "Mary Anne Langley", 35, 89),  # initials
        ("J&J", "Johnson & Johnson", 35, 74),
        ("J&J", "Langley & Johnson", 0, 34),
        ("Dr. med. Quillmont GmbH", "Quillmont GmbH", 35, 89),
    ],
)
def test_letters_and_articles_are_read_as_what_they_are(
    submitted: str, registered: str, least: int, most: int
) -> None:
    assert least <= compare_payee_names(submitted=submitted, registered=registered).score <= most
