"""Bodies as their country abbreviates them, their departments, and offices of professionals."""

import pytest

from apps.reference.names.payee import compare_payee_names

# what is submitted, what is registered, and the band
ONE = [
    ("Ayto. Getafe", "Ayuntamiento de Getafe", "MATCH"),
    ("Brf Eken", "Bostadsrättsföreningen Eken", "MATCH"),
    ("Ets Moreau", "Établissements Moreau", "MATCH"),
    ("St. Leergeld Tiel", "Stichting Leergeld Tiel", "CLOSE"),
    ("CAF de Paris", "Caisse d'Allocations Familiales de Paris", "CLOSE"),
    ("CPAM du Rhône", "Caisse Primaire d'Assurance Maladie du Rhône", "CLOSE"),
    ("CCAS de Lyon", "Centre Communal d'Action Sociale de Lyon", "CLOSE"),
    ("Dept. for Transport", "Department for Transport", "CLOSE"),
    ("Univ of Bath", "University of Bath", "CLOSE"),
    ("DRFIP Bretagne", "Direction régionale des finances publiques Bretagne", "CLOSE"),
    ("CP Alcalá 45", "Comunidad de Propietarios Alcalá 45", "CLOSE"),
    ("IBM UK", "International Business Machines United Kingdom Ltd", "CLOSE"),
    ("Dept of Physics, University of Leeds", "University of Leeds", "CLOSE"),
    ("University of Leeds, School of Law", "University of Leeds", "CLOSE"),
    ("Institut für Informatik, Universität Passau", "Universität Passau", "CLOSE"),
    ("Studio Legale Avv. Ferri", "Avv. Paolo Ferri", "CLOSE"),
    ("M. ou Mme Dubois", "Claire Dubois", "CLOSE"),
    ("Bloemen Janssen", "Bloemenhandel Janssen", "CLOSE"),
    ("CT TNHH Minh Long", "Công ty TNHH Minh Long", "MATCH"),
    ("ИП Сидоров Пётр", "Сидоров Петр", "MATCH"),
]
ANOTHER = [
    ("Ayto. Getafe", "Ayuntamiento de Leganés"),
    ("Brf Eken", "Bostadsrättsföreningen Granen"),
    ("St. Jan", "Stichting Leergeld Tiel"),
    ("Dept. for Transport", "Department for Education"),
    ("DRFIP Bretagne", "Direction régionale des finances publiques Normandie"),
    ("CP Alcalá 45", "Comunidad de Propietarios Alcalá 47"),
    ("Dept of Physics, University of Leeds", "University of York"),
    ("Department of Health, Acme Ltd", "Acme Ltd"),
    ("Studio Legale Avv. Ferri", "Avv. Paolo Conti"),
    ("M. ou Mme Dubois", "Claire Martin"),
    ("Bloemen Janssen", "Bloemenhandel Pieters"),
]


@pytest.mark.parametrize(("submitted", "registered", "band"), ONE)
def test_what_is_abbreviated_or_told_besides_is_the_payee(
    submitted: str, registered: str, band: str
) -> None:
    assert compare_payee_names(submitted=submitted, registered=registered).band == band
    # registers abbreviate as well as payers do
    assert compare_payee_names(submitted=registered, registered=submitted).band != "NO"


@pytest.mark.parametrize(("submitted", "registered"), ANOTHER)
def test_an_abbreviation_makes_nobody_another(submitted: str, registered: str) -> None:
    assert compare_payee_names(submitted=submitted, registered=registered).band != "MATCH"


@pytest.mark.parametrize(
    ("submitted", "registered", "code"),
    [
        ("Ayto. Getafe", "Ayuntamiento de Getafe", "P.68"),
        ("CP Alcalá 45", "Comunidad de Propietarios Alcalá 45", "P.69"),
        ("Dept of Physics, University of Leeds", "University of Leeds", "P.70"),
        ("Studio Legale Avv. Ferri", "Avv. Paolo Ferri", "P.71"),
        ("Gde. Seeham", "Gemeinde Seeham", "P.72"),
    ],
)
def test_the_rule_that_held_is_told(submitted: str, registered: str, code: str) -> None:
    comparison = compare_payee_names(submitted=submitted, registered=registered)
    assert code in [one.code for one in comparison.charged]
    assert comparison.matched == registered


@pytest.mark.parametrize(
    ("submitted", "registered", "most"),
    [
        ("St. Jude Medical", "Stichting Jude Medical", 70),
        ("SP Nr 5 Kraków", "Spółdzielnia Nr 5 Kraków", 70),
        ("LK Bau GmbH", "Landkreis Bau GmbH", 70),
        ("Ph. Nowak", "Przedsiębiorstwo Nowak", 34),
        # another company, whose name begins as one of a department does
        ("Service Master Ltd, Townsend Finance Ltd", "Townsend Finance Ltd", 74),
        ("Office Angels Ltd, Electricity Supply Board", "Electricity Supply Board", 74),
        ("Service Partners Ltd - Velocity Logistics Ltd", "Velocity Logistics Ltd", 74),
        ("Service Master Ltd, City of London", "City of London", 74),
        # two departments of one body
        ("Institute of Physics, University of Leeds", "University of Leeds, School of Law", 74),
        ("Amt für Jugend, Stadt Köln", "Stadt Köln, Amt für Steuern", 74),
        ("Dept of Health, New York City", "Dept of Finance, New York City", 74),
    ],
)
def test_what_may_be_another_is_not_taken_for_nearly_the_payee(
    submitted: str, registered: str, most: int
) -> None:
    assert compare_payee_names(submitted=submitted, registered=registered).score <= most
