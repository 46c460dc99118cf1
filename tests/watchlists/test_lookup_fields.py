"""The look-up holds each part of a name field against the lists, and says which found a party."""

from typing import Any

import pytest

from apps.reference.watchlists import lookup
from apps.reference.watchlists.listed_entity import Identifier, ListedEntity, ListedName
from apps.reference.watchlists.matches import LookupResult
from apps.reference.watchlists.matching.index import IndexEntry
from apps.reference.watchlists.subjects import Subject
from tests.watchlists.indexes import engine_of

IMO, LEI, BIC = "9074729", "529900T8BM49AURSDO55", "DEUTDEFF500"
WALLET = "0xde709f2102306220921060314715629080e2fb77"
BECH = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"
PERSON, FIRM, SHIP = "Kourosh Rahmani Tabar", "Zagros Petrochemical Brokerage", "Tramontana Velebit"
LISTED = (
    ListedEntity(
        entity_id="rahmani",
        schema="Person",
        names=(ListedName(PERSON, "primary"),),
        identifiers=(Identifier("wallet", WALLET),),
    ),
    ListedEntity(
        entity_id="firm",
        schema="Organization",
        names=(ListedName(FIRM, "primary"),),
        identifiers=(Identifier("lei", LEI), Identifier("bic", BIC)),
    ),
    ListedEntity(
        entity_id="alone",
        schema="Organization",
        names=(ListedName("Zagrosneft", "primary"),),
        identifiers=(Identifier("other", BECH),),
    ),
    ListedEntity(
        entity_id="ship",
        schema="Vessel",
        names=(ListedName(SHIP, "primary"),),
        identifiers=(Identifier("imo", IMO),),
    ),
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The lists above, opened for searching."""
    entries = (
        IndexEntry(ref=f"l:{entity.entity_id}", dataset="l", entity=entity) for entity in LISTED
    )
    return engine_of(entries, tmp_path_factory.mktemp("index"))


def found(engine: Any, name: str, **known: Any) -> LookupResult:
    return lookup.match_sanctions(engine=engine, subject=Subject(name=name, **known))


@pytest.mark.parametrize("listed", [PERSON, FIRM])
@pytest.mark.parametrize(
    ("form", "part"),
    [
        ("{}", "MAIN"),
        ("{} INV 2026-1147", "MAIN"),
        ("{}, 12 Harbour Street, Tehran, Iran", "MAIN"),
        ("BLUE HERON LTD (FORMERLY {})", "FORMER"),
        ("BLUE HERON LTD D/B/A {}", "TRADING_AS"),
        ("ANNA MULLER C/O {}", "CARE_OF"),
        ("ANNA MULLER for the account of {}", "ON_BEHALF"),
        ("ANNA MULLER; {}", "HOLDER"),
        ("ANNA MULLER ({})", "BRACKET"),
    ],
)
def test_a_listed_part_blocks_and_is_named(engine: Any, listed: str, form: str, part: str) -> None:
    best = found(engine, form.format(listed)).matches[0]
    assert (best.score, best.part, best.asked, best.name) == (100, part, listed, listed)
    assert best.evidence["part"] == part


def test_the_note_says_what_the_part_is(engine: Any) -> None:
    best = found(engine, f"BLUE HERON LTD (FORMERLY {FIRM})").matches[0]
    assert best.notes == (f"The name field gives {FIRM} as a former name.",)
    assert found(engine, FIRM).matches[0].notes == ()


def test_a_part_of_an_alias_is_still_an_alias(engine: Any) -> None:
    best = found(engine, "Blue Heron", aliases=(f"Acme Ltd T/A {FIRM}",)).matches[0]
    assert (best.by, best.part, best.score) == ("ALIAS", "TRADING_AS", 100)


@pytest.mark.parametrize(
    ("written", "by", "listed"),
    [
        (f"IMO {IMO}", "IMO", SHIP),
        (f"LEI {LEI}", "LEI", FIRM),
        (f"SWIFT {BIC}", "BIC", FIRM),
        (f"wallet {WALLET}", "WALLET", PERSON),
    ],
)
def test_an_identifier_in_the_name_hits_exactly(
    engine: Any, written: str, by: str, listed: str
) -> None:
    best = found(engine, f"Maple Cedar ({written})").matches[0]
    assert (best.name, best.score, best.by) == (listed, 100, by)


@pytest.mark.parametrize("kind", ["wallet", "other"])
@pytest.mark.parametrize("form", ["{}", "ethereum:{}", "eip155:1:{}", "eth:{}"])
@pytest.mark.parametrize("case", [str, str.upper])
def test_a_listed_wallet_is_found_in_every_spelling_and_under_no_told_kind(
    engine: Any, kind: str, form: str, case: Any
) -> None:
    written = form.format(case(WALLET))
    best = found(engine, "Maple Cedar", identifiers=(Identifier(kind, written),)).matches[0]
    assert (best.name, best.score, best.by, best.asked) == (PERSON, 100, kind.upper(), written)


@pytest.mark.parametrize("form", ["{}", "BITCOIN:{}"])
def test_a_wallet_that_the_list_does_not_call_one_is_found(engine: Any, form: str) -> None:
    best = found(engine, "Maple Cedar", wallet=form.format(BECH.upper())).matches[0]
    assert (best.name, best.score, best.by) == ("Zagrosneft", 100, "WALLET")


def test_an_lei_of_no_told_kind_is_found(engine: Any) -> None:
    best = found(engine, "Maple Cedar", identifiers=(Identifier("other", LEI),)).matches[0]
    assert (best.name, best.score) == (FIRM, 100)


@pytest.mark.parametrize(
    ("name", "score"), [(SHIP, 69), (f"MV {SHIP}", 100), (f"{SHIP} (IMO {IMO})", 100)]
)
def test_a_ship_counts_whole_where_the_field_says_that_it_is_one(
    engine: Any, name: str, score: int
) -> None:
    assert found(engine, name).score == score


def test_a_ships_prefix_hides_no_other_party(engine: Any) -> None:
    assert found(engine, f"MV {FIRM}").score == 100


@pytest.mark.parametrize(
    "name", [" ".join(PERSON.replace(" ", "")), PERSON.replace("a", "а"), "12345"]
)
def test_what_is_not_fully_read_is_said(engine: Any, name: str) -> None:
    assert found(engine, name).unread != ()


def test_an_alias_that_is_not_fully_read_is_said(engine: Any) -> None:
    assert found(engine, "Blue Heron", aliases=("12345",)).unread != ()


@pytest.mark.parametrize("form", ["{}", "ANNA MULLER AND {}", "H.E. Dr. {}", "ANNA MULLER C/O {}"])
def test_an_office_holder_is_found_in_each_part(engine: Any, form: str) -> None:
    subject = Subject(name=form.format(PERSON))
    (holder,) = lookup.match_peps(engine=engine, subject=subject).matches
    assert (holder.name, holder.score) == (PERSON, 100)


def test_an_office_holder_is_spotted_in_the_text_of_a_payroll(engine: Any) -> None:
    text = f"Salary November 2026 staff member London office {PERSON}"
    (holder,) = lookup.match_peps(engine=engine, subject=Subject(name=text)).matches
    assert holder.name == PERSON and holder.score >= 60
    nobody = "Salary November 2026 staff member London office Blue Heron"
    assert lookup.match_peps(engine=engine, subject=Subject(name=nobody)).matches == ()


NOISE = (
    "maple cedar river stone light cloud paper metal garden amber coral ivory linen velvet birch"
)


@pytest.mark.parametrize("listed", [PERSON, FIRM])
@pytest.mark.parametrize("many", [5, 8, 15])
@pytest.mark.parametrize("before", [True, False])
def test_a_listed_name_among_other_words_is_looked_at(
    engine: Any, listed: str, many: int, before: bool
) -> None:
    noise = " ".join(NOISE.split()[:many])
    result = found(engine, f"{noise} {listed}" if before else f"{listed} {noise}")
    assert result.score >= 45
    assert result.matches and result.matches[0].name == listed


def test_a_turned_name_among_other_words_is_told_as_such(engine: Any) -> None:
    best = found(engine, f"{NOISE} Tabar Kourosh Rahmani {NOISE}").matches[0]
    assert (best.part, best.score, best.asked) == ("SEGMENT", 69, "tabar kourosh rahmani")
    assert best.notes == (
        "The name field gives tabar kourosh rahmani as words within a longer text.",
    )


def test_a_word_of_many_in_one_that_is_a_whole_listed_name_is_looked_at(engine: Any) -> None:
    assert found(engine, f"{NOISE} Zagrosneft").score == 69


def test_a_ships_name_of_two_words_within_others_is_looked_at_and_one_word_is_only_a_word(
    engine: Any,
) -> None:
    assert found(engine, f"{NOISE} {SHIP}").score == 69
    assert found(engine, f"{NOISE} {SHIP.split()[0]}").score < 45
