"""What a country's conventions say of two names: proprietors, couples, sons, wives, streets."""

import pytest

from apps.reference.names.payee import compare_payee_names

MATCHES = [
    ("WEG Lindenstr. 7", "WEG Lindenstraße 7"),
    ("Keane Constr. Ltd", "Keane Constr Ltd"),
    ("M/s Sharma Traders", "Sharma Traders"),
    ("M/s: Sharma Traders", "Sharma Traders"),
    ("M/s Sharma Traders Prop. R K Sharma", "Sharma Traders"),
    ("Bäckerei Knoll, Inh. Sabine Knoll", "Bäckerei Knoll"),
    ("Bar Aurora (titolare: Marco Bianchi)", "Bar Aurora"),
    ("Eheleute Jürgen und Petra Brandt", "Jürgen Brandt, Petra Brandt"),
    ("Coniugi Marco Bianchi e Anna Bianchi", "Anna Bianchi e Marco Bianchi"),
    ("Nagy Istvánné", "Nagy Istvánné"),
]
CLOSE = [
    ("Eheleute Jürgen und Karin Brandt", "Jürgen Brandt"),  # another holder is named besides
    ("Adrienne Moreau", "Adrien Moreau"),
    ("Ahmed bin Khalid", "Ahmed ibn Khalid"),
]
OTHERS = [
    ("WEG Lindenstr. 7", "WEG Birkenstraße 7"),
    ("Bäckerei Knoll, Inh. Sabine Knoll", "Bäckerei Weiss"),
    ("Eheleute Jürgen und Petra Brandt", "Karl Brandt, Rosa Brandt"),
    ("Ahmed bin Khalid", "Khalid bin Ahmed"),
    ("Noor binti Aziz", "Aziz binti Noor"),
    ("Nagy Istvánné", "Nagy István"),
    ("NAGY ISTVÁN", "Nagy Istvánné"),
    ("St Mary's Primary School PTA", "St Mary's Primary School"),
    ("St Mary's Primary School", "St Mary's Primary School PTA"),
]


@pytest.mark.parametrize(("submitted", "registered"), MATCHES)
def test_what_a_convention_adds_or_abbreviates_is_a_match(submitted: str, registered: str) -> None:
    assert compare_payee_names(submitted=submitted, registered=registered).band == "MATCH"


@pytest.mark.parametrize(("submitted", "registered"), CLOSE)
def test_what_it_leaves_open_is_close(submitted: str, registered: str) -> None:
    assert compare_payee_names(submitted=submitted, registered=registered).band == "CLOSE"


@pytest.mark.parametrize(("submitted", "registered"), OTHERS)
def test_who_is_another_by_a_convention_is_none(submitted: str, registered: str) -> None:
    assert compare_payee_names(submitted=submitted, registered=registered).band == "NO"


@pytest.mark.parametrize(
    ("submitted", "registered"),
    [
        ("Bäckerei Knoll, Inh. Sabine Knoll", "Bäckerei Knoll Inh. Peter Knoll"),
        ("Quillmont Prop. Holdings Ltd", "Quillmont"),
        ("Quillmont Prop. Mgmt", "Quillmont"),
    ],
)
def test_only_a_person_is_a_proprietor_and_two_are_two_payees(
    submitted: str, registered: str
) -> None:
    assert compare_payee_names(submitted=submitted, registered=registered).band != "MATCH"
