"""What a search does with everything that is known of a party (D §4 What is compared with what)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.reference.watchlists import lookup, match_effects
from apps.reference.watchlists.listed_entity import Identifier, ListedEntity, ListedName
from apps.reference.watchlists.matches import ListMatch
from apps.reference.watchlists.matching.index import IndexEntry
from apps.reference.watchlists.subjects import Subject
from tests.watchlists.indexes import engine_of

WALLET = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96"
PASSPORT = Identifier("passport", "AB1234567", "IR")
LISTED = (
    ListedEntity(
        entity_id="rahmani",
        schema="Person",
        names=(ListedName("Kourosh Rahmani Tabar", "primary"), ListedName("Korosh Tabari")),
        countries=("IR",),
        birth_dates=("1964-03-02",),
        identifiers=(PASSPORT, Identifier("wallet", WALLET)),
        addresses=("12 Valiasr Street, Tehran, Iran",),
        programs=("SDGT",),
        listed_on="2019-05-07",
    ),
    ListedEntity(
        entity_id="tramontana",
        schema="Vessel",
        names=(ListedName("Tramontana Velebit", "primary"),),
        identifiers=(Identifier("imo", "9074729"),),
    ),
    ListedEntity(
        entity_id="jet",
        schema="Aircraft",
        names=(ListedName("EP-GOM", "primary"),),
        identifiers=(Identifier("other", "EP-GOM"),),
    ),
    ListedEntity(  # as OFAC prints them: the tail number is the name
        entity_id="other-jet",
        schema="Aircraft",
        names=(ListedName("EP-KVB", "primary"),),
    ),
    ListedEntity(
        entity_id="trader",
        schema="Organization",
        names=(ListedName("Damavand Turbine Trading", "primary"),),
        identifiers=(Identifier("registration", "24467", "IR"), Identifier("other", "641")),
    ),
    ListedEntity(
        entity_id="house",
        schema="Organization",
        names=(ListedName("Zagros Petrochemical Brokerage", "primary"),),
        identifiers=(
            Identifier("tax_id", "7707083893", "RU"),
            Identifier("bic", "ZAGRIRTH"),
        ),
    ),
)
PERSON = "Kourosh Rahmani Tabar"
SHIP = "Tramontana Velebit"
HOUSE = "Zagros Petrochemical Brokerage"
NOBODY = "Blue Heron Stationery Limited"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The lists above, opened for searching."""
    entries = (
        IndexEntry(ref=f"l:{entity.entity_id}", dataset="l", entity=entity) for entity in LISTED
    )
    return engine_of(entries, tmp_path_factory.mktemp("index"))


def score(engine: Any, name: str, **known: Any) -> int:
    return lookup.match_sanctions(engine=engine, subject=Subject(name=name, **known)).score


CASES = [
    # name, what is known, least and most score
    (PERSON, {}, 100, 100),
    (PERSON, {"entity_type": "person"}, 100, 100),
    (PERSON, {"individual": True}, 100, 100),
    (PERSON, {"entity_type": "company"}, 69, 69),
    (PERSON, {"entity_type": "vessel"}, 69, 69),
    # a caller who contradicts himself hides nobody
    (PERSON, {"entity_type": "company", "individual": True}, 100, 100),
    (HOUSE, {}, 100, 100),
    (HOUSE, {"entity_type": "organization"}, 100, 100),
    (HOUSE, {"individual": True}, 69, 69),
    (SHIP, {}, 69, 69),
    (SHIP, {"entity_type": "company"}, 69, 69),
    (SHIP, {"individual": True}, 69, 69),
    (SHIP, {"entity_type": "vessel"}, 100, 100),
    (SHIP, {"identifiers": (Identifier("imo", "9176187"),)}, 45, 69),
    (NOBODY, {"identifiers": (Identifier("imo", "9074729"),)}, 100, 100),
    ("Tramontana", {}, 0, 44),
    (NOBODY, {"identifiers": (Identifier("tail_number", "EP-GOM"),)}, 100, 100),
    ("EP-GOM", {}, 69, 69),
    *(
        (NOBODY, {"identifiers": (Identifier("tail_number", tail),)}, 100, 100)
        for tail in ("EP-KVB", "EPKVB", "ep kvb")
    ),
    (NOBODY, {"identifiers": (Identifier("tail_number", "EP-KVX"),)}, 0, 44),
    # a number of few characters is nobody's own, unless its country agrees too
    (NOBODY, {"identifiers": (Identifier("registration", "24467"),)}, 69, 69),
    (NOBODY, {"identifiers": (Identifier("registration", "24467", "DE"),)}, 69, 69),
    (NOBODY, {"identifiers": (Identifier("registration", "24467", "IR"),)}, 100, 100),
    (NOBODY, {"identifiers": (Identifier("other", "641"),)}, 69, 69),
    # a number that stands in a name says nothing of the party, nor of its other names
    (f"{PERSON} IMO 9176187", {}, 100, 100),
    ("Kourosh Rahmani", {"aliases": ("MV Ocean IMO 9176187",)}, 70, 100),
    ("Kourosh Rahmani - freight MV Ocean Star IMO 9176187", {}, 70, 100),
    ("Zagros Petrochemical Brokerag IMO 9176187", {}, 70, 100),
    (f"{SHIP} IMO 9176187", {}, 69, 100),
    # whom a name would block is looked at whatever type is told
    ("Kourosh Rahmani", {"entity_type": "company", "birth_date": "1964-03-02"}, 69, 69),
    ("Zagros Petrochemical Brokerage payroll", {"individual": True}, 69, 69),
    ("EP-GOM", {"identifiers": (Identifier("tail_number", "EP-XXX"),)}, 100, 100),
    (PERSON, {"birth_date": "1964-03-02"}, 100, 100),
    (PERSON, {"birth_date": "1964"}, 100, 100),
    (PERSON, {"birth_date": "1991-03-02"}, 45, 69),
    (PERSON, {"birth_date": "1965"}, 45, 69),
    (PERSON, {"nationality": "FR"}, 70, 99),
    (PERSON, {"nationality": "IR"}, 100, 100),
    (PERSON, {"identifiers": (Identifier("passport", "ZZ0000001", "IR"),)}, 45, 69),
    (PERSON, {"identifiers": (Identifier("passport", "ZZ0000001", "FR"),)}, 100, 100),
    (NOBODY, {"identifiers": (PASSPORT,)}, 100, 100),
    (NOBODY, {"identifiers": (Identifier("passport", "ab 1234-567"),)}, 100, 100),
    (NOBODY, {"identifiers": (Identifier("passport", "AB1234567", "FR"),)}, 69, 69),
    # the same number under another kind
    (NOBODY, {"identifiers": (Identifier("registration", "7707083893"),)}, 100, 100),
    (NOBODY, {"identifiers": (Identifier("bic", "ZAGRIRTH"),)}, 100, 100),
    (NOBODY, {"identifiers": (Identifier("bic", "ZAGRIRTHXXX"),)}, 100, 100),
    (NOBODY, {"identifiers": (Identifier("bic", "zagrirth001"),)}, 100, 100),
    (NOBODY, {"identifiers": (Identifier("bic", "ZAGRIRT1"),)}, 0, 44),
    (HOUSE, {"identifiers": (Identifier("bic", "DEUTDEFF"),)}, 45, 69),
    # a number that stands in the name may be another's: it takes nothing away
    (f"{HOUSE} BIC DEUTDEFF", {}, 70, 100),
    (NOBODY, {"wallet": WALLET}, 100, 100),
    (NOBODY, {"wallet": WALLET.lower()}, 100, 100),
    (NOBODY, {"wallet": WALLET[:-1] + "7"}, 0, 44),
    (NOBODY, {"aliases": ("Acme", PERSON)}, 100, 100),
    (NOBODY, {"aliases": ("Acme",)}, 0, 44),
    # an identifier that is the same outweighs a birth date that is not
    (NOBODY, {"identifiers": (PASSPORT,), "birth_date": "1991"}, 100, 100),
]


@pytest.mark.parametrize(("name", "known", "least", "most"), CASES)
def test_what_is_known_moves_a_hit_and_never_hides_it(engine, name, known, least, most) -> None:
    assert least <= score(engine, name, **known) <= most


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("Kourosh Rahmani", {"birth_date": "1964-03-02"}),
        ("Kourosh Rahmani", {"nationality": "IR"}),
        ("Kourosh Rahmani", {"address": "Valiasr Street 12, Tehran"}),
    ],
)
def test_what_agrees_raises_certainty(engine, name, known) -> None:
    assert score(engine, name, **known) > score(engine, name)


@given(
    birth=st.sampled_from(["", "1950", "1964", "1964-03-02", "2001-01-01"]),
    nationality=st.sampled_from(["", "IR", "FR"]),
    number=st.sampled_from(["", "AB1234567", "ZZ0000001"]),
    individual=st.booleans(),
    kind=st.sampled_from(["", "person", "company", "organization", "vessel", "aircraft"]),
)
def test_nothing_that_a_caller_says_hides_a_listed_name(
    engine, birth, nationality, number, individual, kind
) -> None:
    found = score(
        engine,
        PERSON,
        birth_date=birth,
        nationality=nationality,
        identifiers=(Identifier("passport", number),) if number else (),
        individual=individual,
        entity_type=kind,
    )
    assert found >= 45


def found(engine: Any, name: str, **known: Any) -> ListMatch:
    return lookup.match_sanctions(engine=engine, subject=Subject(name=name, **known)).matches[0]


def test_a_match_shows_who_it_is(engine) -> None:
    shown = found(engine, "Korosh Tabari", entity_type="person").shown()
    assert shown == {
        "name": PERSON,
        "matched_name": "Korosh Tabari",
        "matched_by": "NAME",
        "type": "person",
        "programs": ["SDGT"],
        "birth_dates": ["1964-03-02"],
        "listed_on": "2019-05-07",
        "score": 100,
        "dataset": "l",
        "entity_id": "l:rahmani",
        "evidence": [],
    }


def test_the_reason_names_the_type_that_contradicts(engine) -> None:
    note = "The listed party is a vessel; the screened one is not stated to be one."
    assert found(engine, SHIP).notes == (note,)
    assert found(engine, SHIP, individual=True).notes == (
        "The listed party is a vessel; the screened one is a person.",
    )
    assert found(engine, SHIP, entity_type="vessel").notes == ()


def test_the_effect_of_every_given_field_is_told(engine) -> None:
    match = found(
        engine,
        PERSON,
        entity_type="person",
        birth_date="1991",
        nationality="FR",
        address="5 Rue X, Paris",
        lei="5493001KJTIIGC8Y1R12",
        wallet="bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        identifiers=(Identifier("passport", "ZZ0000001", "IR"),),
    )
    told = {effect.what: effect for effect in match.effects}
    assert list(told) == [
        *("type", "birth_date", "countries", "address", "lei", "wallet", "passport"),
    ]
    moved = {what for what, one in told.items() if one.effect}
    assert moved == {"birth_date", "countries", "passport"}
    assert told["wallet"].listed == WALLET
    assert "Birth date 1991 differs from the list's 1964-03-02." in match.notes


@pytest.mark.parametrize(
    ("known", "by", "asked"),
    [
        ({"wallet": WALLET}, "WALLET", WALLET),
        ({"identifiers": (PASSPORT,)}, "PASSPORT", "AB1234567"),
        ({"aliases": ("Korosh Tabari",)}, "ALIAS", "Korosh Tabari"),
    ],
)
def test_it_is_said_what_found_a_party(engine, known, by, asked) -> None:
    match = found(engine, NOBODY, **known)
    assert (match.by, match.asked, match.exact) == (by, asked, by != "ALIAS")
    if match.exact:
        assert match.notes[-1].endswith(f"{asked} is on the list.")


def test_a_score_below_a_partial_match_is_told_without_a_match(engine) -> None:
    near = lookup.match_sanctions(engine=engine, subject=Subject(name="Zagros Steel Brokerage"))
    assert 0 < near.score < 45
    assert near.matches == ()


@pytest.mark.parametrize(
    ("known", "told"),
    [
        (
            {"identifiers": (Identifier("registration", "7707083893"),)},
            "Registration number 7707083893 is on the list as: tax id.",
        ),
        (
            {"identifiers": (Identifier("passport", "AB1234567"),)},
            "Passport AB1234567 is on the list.",
        ),
        (
            {"identifiers": (Identifier("passport", "AB1234567", "FR"),)},
            "Passport AB1234567 is on the list; the list gives its country as IR.",
        ),
        (
            {"identifiers": (Identifier("other", "641"),)},
            "Identifier 641 is on the list; a number this short may belong to another party.",
        ),
        (
            {"identifiers": (Identifier("tail_number", "EP-KVB"),)},
            "Tail number EP-KVB is on the list.",
        ),
    ],
)
def test_what_is_said_of_a_number_is_what_the_list_prints(engine, known, told) -> None:
    lookup_result = lookup.match_sanctions(engine=engine, subject=Subject(name=NOBODY, **known))
    assert told in lookup_result.matches[0].notes


def test_bounds_are_told_so_that_the_rows_add_up(engine) -> None:
    subject = Subject(name=PERSON, birth_date="1990-01-01")
    [match] = lookup.match_sanctions(engine=engine, subject=subject).matches[:1]
    assert match.score == 69
    assert 100 + sum(int(100 * effect.effect) for effect in match.effects) == 69
    assert "A hard fact differs: the score stays below a match." in match.notes
    agreeing = Subject(name=PERSON, birth_date="1964-03-02", nationality="IR")
    [match] = lookup.match_sanctions(engine=engine, subject=agreeing).matches[:1]
    assert match.score == 100 and not [
        effect for effect in match.effects if effect.what == "bounds"
    ]


@pytest.mark.parametrize(
    ("value", "country", "doubted"),
    [
        ("12345", "", True),
        ("12-34-5", "", True),
        ("123456", "", False),
        ("12345", "IR", False),
        ("12345", "FR", True),
        ("123456", "FR", True),
    ],
)
def test_a_number_is_somebodys_own_from_six_characters_or_with_its_country(
    value: str, country: str, doubted: bool
) -> None:
    listed = ListedEntity(
        entity_id="n",
        schema="Person",
        names=(ListedName("N"),),
        identifiers=(Identifier("passport", value, "IR"),),
    )
    identifier = Identifier("passport", value, country)
    assert (
        bool(
            match_effects.describe_identifier_doubt(listed, kind="passport", identifier=identifier)
        )
        is doubted
    )


def test_an_address_of_the_same_city_is_told_and_moves_nothing(engine) -> None:
    match = found(engine, PERSON, entity_type="person", address="Tehran, Iran")
    (told,) = (effect for effect in match.effects if effect.what == "address")
    assert (told.effect, told.listed) == (0, "12 Valiasr Street, Tehran, Iran")
    listed = "12 Valiasr Street, Tehran, Iran"
    assert f"Address Tehran, Iran is only in the same city as the list's {listed}." in match.notes
    plain = found(engine, PERSON, entity_type="person")
    assert match.score == plain.score
