"""Identifiers that stand in a name field are found, with their check digits."""

import pytest

from apps.reference.watchlists.namefield import parse_name_field

IMO, LEI = "9074729", "529900T8BM49AURSDO55"
BITCOIN = "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"
ETHER = "0xde709f2102306220921060314715629080e2fb77"
BECH = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"
CASH = "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a"

FOUND = [
    (f"SUNNY HARBOUR (IMO {IMO})", "imo", IMO),
    (f"SUNNY HARBOUR IMO No. {IMO}", "imo", IMO),
    (f"SUNNY HARBOUR IMO:{IMO}", "imo", IMO),
    (f"SUNNY HARBOUR IMO{IMO}", "imo", IMO),
    (f"MV SUNNY HARBOUR {IMO}", "imo", IMO),
    (f"ACME LTD LEI {LEI}", "lei", LEI),
    (f"ACME LTD {LEI.lower()}", "lei", LEI),
    ("ACME BANK SWIFT CODE: DEUTDEFF500", "bic", "DEUTDEFF500"),
    ("ACME BANK BIC deutdeff", "bic", "DEUTDEFF"),
    ("ACME BANK DEUTDEFF500", "bic", "DEUTDEFF500"),
    ("DEUTDEFF", "bic", "DEUTDEFF"),
    (f"Anna Muller {BITCOIN}", "wallet", BITCOIN),
    (f"Anna Muller BTC: {BITCOIN}", "wallet", BITCOIN),
    (f"Anna Muller {ETHER}", "wallet", ETHER),
    (f"Anna Muller 0X{ETHER[2:].upper()}", "wallet", f"0X{ETHER[2:].upper()}"),
    *((f"Anna Muller {form}:{ETHER}", "wallet", ETHER) for form in ("ethereum", "eth", "eip155:1")),
    (f"Anna Muller {BECH}", "wallet", BECH),
    (f"Anna Muller bitcoin:{BECH.upper()}", "wallet", BECH.upper()),
    (f"Anna Muller {CASH}", "wallet", CASH),
    (f"Anna Muller bitcoincash:{CASH}", "wallet", CASH),
    (f"Anna Muller BITCOINCASH:{CASH.upper()}", "wallet", CASH.upper()),
]


@pytest.mark.parametrize(("text", "kind", "value"), FOUND)
def test_an_identifier_is_found(text: str, kind: str, value: str) -> None:
    assert [
        (identifier.kind, identifier.value) for identifier in parse_name_field(text).identifiers
    ] == [(kind, value)]


@pytest.mark.parametrize(
    "text",
    [
        "SUNNY HARBOUR (IMO 9074728)",  # check digit
        f"SUNNY HARBOUR {IMO}",  # nothing says that it is a ship's number
        "ACME LTD LEI 529900T8BM49AURSDO54",
        "Nordwind Holdings",  # built as a BIC is
        "ACME BANK BIC DEUTXXFF",
        "Anna Muller 1BoatSLRHtKNngkdXEeobR76b53LETtpyU",
        "Anna Muller 0xde709f",
        f"Anna Muller {BECH.upper()[:-1]}L",  # check digits
    ],
)
def test_what_is_no_identifier_is_not_taken_for_one(text: str) -> None:
    assert parse_name_field(text).identifiers == ()


@pytest.mark.parametrize(("text", "kind", "value"), [row for row in FOUND if " " in row[0]])
def test_the_name_stands_without_its_identifier(text: str, kind: str, value: str) -> None:
    first = parse_name_field(text).parts[0].text
    assert value.casefold() not in first.casefold()
    assert first.casefold() in ("sunny harbour", "acme ltd", "acme bank", "anna muller")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Correspondent account at DEUTDEFF, Frankfurt", True),
        ("Konto bei DEUTDEFF", True),
        ("Interiors by DEUTDEFF, Frankfurt", True),
        ("Maple Ltd bank DEUTDEFFXXX", True),
        ("Maple Ltd correspondent DEUTDEFF", True),
        ("MAPLE LTD BANK DEUTDEFF", True),
        ("Maple Ltd DEUTDEFF", True),
        ("Interiors by DEUTXXFF", False),  # no country is called XX
        ("Interiors by deutdeff", False),  # a word like others
        ("Interiors by DEUTDEF", False),
        ("Interiors by DEUTDEFFX", False),
    ],
)
def test_a_bic_in_capitals_is_looked_up_and_stays_a_word(text: str, found: bool) -> None:
    field = parse_name_field(text)
    assert bool(field.identifiers) is found
    assert any("DEUTDEFF" in part.text for part in field.parts) is ("DEUTDEFF" in text)


def test_an_imo_number_says_that_the_party_is_a_ship() -> None:
    assert parse_name_field(f"SUNNY HARBOUR (IMO {IMO})").parts[0].schema_hint == "Vessel"
