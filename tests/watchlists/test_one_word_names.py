"""One common word names nobody: what is held below a match, what blocks all the same, what lifts.

D §4 What is compared with what: evidence is the information in what agrees.
"""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from apps.reference.watchlists.listed_entity import Identifier
from apps.reference.watchlists.matching.index import MatchIndex, Query, build_index
from apps.reference.watchlists.rules.score_limits import BOUNDS, MOST
from tests.watchlists.indexes import best_match, engine_of, official_engine, party

BORN, PASSPORT = "1971-05-30", Identifier("passport", "KX4471902", "YE")
HOME = "14 Hadda Street, Sanaa, Yemen"


LISTED = (
    party(
        *("noms", "Person", "Tariq Wasim Albadani", "Hassan", "Abu Yunus", "Mullah Makomburi"),
        birth_dates=(BORN,),
        countries=("YE",),
        identifiers=(PASSPORT,),
        addresses=(HOME,),
    ),
    *(party(f"same{at}", "Person", f"Tariq Wasim Albadani {at}", "Makomburi") for at in "abc"),
    party("mononym", "Person", "Santoso"),
    party("servant", "Person", "Abdul Majeed"),
    party("tribe", "Person", "Salih Karwan Zubairi", "al-Shammari"),
    party("optima", "Organization", "Optima, OOO", addresses=("7 Lenina Prospekt, Minsk",)),
    party("emma", "Organization", "Emma LLC"),
    party("place", "Organization", "Arizona S.A."),
    party("letters", "Organization", "J & E S. de R.L. de C.V."),
    party("shop", "Organization", "Haji Abdul Basir Exchange Shop"),
    party("taatta", "Organization", "Taatta, AO"),
    party("hizballah", "Organization", "Hizballah", "Jundallah"),
    party("arms", "Organization", "Rosoboronexport JSC", "PKK"),
    party("coined", "Organization", "Lazarus Group"),
    party("hamas", "Organization", "Hamas"),
    party("charity", "Organization", "Rahmah Charitable Organization"),
    party("trade", "Organization", "Optima Bearings"),
    party("star", "Organization", "Golden Star Co"),
    party("sky", "Organization", "Sky Blue Bird Aviation"),
    party("guards", "Organization", "Islamic Revolutionary Guard Corps"),
    party("smart", "Organization", "Smart Logistics Offshore"),
    party("path", "Organization", "Shining Path"),
    party("atlas", "Organization", "Atlas Ocean and Petrochemical (AOPC)"),
    party("marine", "Organization", "Marine Industries Organization"),
    party("bearer", "Person", "Qasim Tolvani"),
    party("namesake", "Person", "Sergio Qasim Tolvani"),
    party("united", "Organization", "Korea United Development Bank", countries=("KP",)),
    party("credit", "Organization", "Koryo Credit Bank"),
    party("mass", "Organization", "Mass Com Group for General Trading and Contracting"),
    party("export", "Organization", "Export Development Bank of Iran", countries=("IR",)),
    party("drawn", "Person", "Kim Jong Ryang"),
    party("bagheri", "Person", "Hossein Baqeri"),
    party("ship", "Vessel", "Pioneer"),
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return engine_of(LISTED, tmp_path_factory.mktemp("index"))


HELD = [
    "Hassan",
    "Abu Hassan",
    "Abu Yunus",
    "Yunus",
    "Santoso",
    "Abdul Majeed",
    "Abdulmajid",
    "Shammari",
    "Optima",
    "Optima OOO",
    "Optima Group",
    "Emma Limited",
    "Marine Industries",
    "Arizona",
    "J & E",
    "Abdul Basir",
    "Tata",
    "Lazard Group",
    "Lazaro Group GmbH",
    "حسن",
]


@pytest.mark.parametrize("name", HELD)
def test_one_common_word_is_for_a_human(engine: Any, name: str) -> None:
    match = best_match(engine, name)
    assert match.score in range(45, 70)
    assert not set("~^") & set(" ".join(match.notes)), "a mark of a script is nobody's to read"


@pytest.mark.parametrize(
    "name",
    [
        "Makomburi",
        "Mullah Makomburi",
        "Hizballah",
        "Hezbollah",
        "Jundallah",
        "Rosoboronexport",
        "Rosoboronexport JSC",
        "PKK",
        "Hamas",
        "Taatta",
        "Lasarus Group",
        "Rahmah Charitable Organization",
        "Optima Bearings",
        "Tariq Wasim Albadani",
    ],
)
def test_a_coined_word_or_more_than_one_blocks(engine: Any, name: str) -> None:
    match = best_match(engine, name)
    assert match.score >= 70
    assert "one_word" not in [effect.what for effect in match.effects]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Golden Star Logistics", "common_words"),
        ("Smart Logistics Ltd", "common_words"),
        ("Blue Sky Aviation Inc.", "common_words"),
        ("Shining Path Yoga Studio", "common_words"),
        ("Qasim Tolvani Construction", "business"),
        ("Hossein Bakery", "business"),
        ("Qasim Tolvani S.L.", "business"),
        ("Qasim Tolvani GmbH", "business"),
        ("Korea Development Bank", "trade_words"),
        ("Korea Credit Bank", "trade_words"),
        ("Iran Development Bank", "trade_words"),
        ("Development Bank of Korea", "trade_words"),
        ("GENERAL TRADING AND CONTRACTING COM", "trade_words"),
    ],
)
def test_what_stands_beside_makes_another_party_of_common_words(
    engine: Any, name: str, code: str
) -> None:
    match = best_match(engine, name)
    assert match.score == MOST
    [held] = [effect for effect in match.effects if effect.what == code]
    assert held.effect < 0
    assert any("block" in note for note in match.notes)


@pytest.mark.parametrize(
    "name",
    [
        "Golden Star",
        "Golden Star Company",
        "Islamic Revolutionary Guard",
        "Golden Star Co Ltd",
        "Smart Logistics Offshore",
        "Shining Path",
        "Atlas Ocean and Petrochemical",
        "Marine Industries Organization",
        "Qasim Tolvani",
        "Dr Qasim Tolvani",
        "Kim Jong Ryang",
        "Jong Ryang Kim",
        "Hossein Baqeri",
        "Korea United Development Bank",
        "Export Development Bank of Iran",
        "Iranian Export Development Bank",
    ],
)
def test_whole_names_block_whatever_their_words(engine: Any, name: str) -> None:
    assert best_match(engine, name).score >= 70


LIFTS = [
    # name, what is known, and whether it bears the word out
    ("Korea Development Bank", {"nationality": "KP"}, True),
    ("Korea Development Bank", {"nationality": "KR"}, False),
    ("Hassan", {"birth_date": BORN}, True),
    ("Hassan", {"birth_date": "1971", "nationality": "YE"}, True),
    ("Hassan", {"address": "Hadda Street 14, Sanaa"}, True),
    ("Hassan", {"identifiers": (PASSPORT,)}, True),
    ("Optima", {"address": "Lenina Prospekt 7, Minsk"}, True),
    ("Hassan", {"birth_date": "1971"}, False),
    ("Hassan", {"nationality": "YE"}, False),
    ("Hassan", {"address": "Sanaa, Yemen"}, False),
    ("Hassan", {"nationality": "YE", "address": "Sanaa, Yemen"}, False),
    ("Hassan", {"birth_date": "1980-01-01", "nationality": "YE"}, False),
    ("Hassan", {"individual": True}, False),
    ("Optima", {"entity_type": "company"}, False),
]


@pytest.mark.parametrize(("name", "known", "lifted"), LIFTS)
def test_what_else_agrees_lifts_the_bound(
    engine: Any, name: str, known: dict[str, Any], lifted: bool
) -> None:
    assert (best_match(engine, name, **known).score >= 70) is lifted


def test_a_ship_is_judged_by_its_type(engine: Any) -> None:
    assert best_match(engine, "Pioneer", entity_type="vessel").score == 100
    assert best_match(engine, "Pioneer").score == 69


def test_the_officer_is_told_the_word_and_what_would_lift_it(engine: Any) -> None:
    match = best_match(engine, "Optima OOO")
    assert match.score == MOST
    [held] = [effect for effect in match.effects if effect.what == "one_word"]
    assert (held.query, held.listed, 100 + int(100 * held.effect)) == ("optima", "Optima, OOO", 69)
    assert match.notes == (
        "Only “optima” matches, and it is a common word or name, or not certainly the listed one: "
        "by itself this does not block. A matching birth date, address or identifier would.",
    )
    assert match.evidence["explanation"]["thin"] == {"code": "one_word", "words": "optima"}


def test_the_index_finds_every_name_by_itself_whatever_the_decision(engine: Any) -> None:
    for entry in LISTED:
        for name in entry.entity.names:
            hits = engine.sanctions.search(Query(name=name.full))
            assert hits[0].score >= 0.70


def test_a_party_that_more_bears_out_is_found_behind_many_of_the_name(tmp_path: Path) -> None:
    crowd = [party(f"{at:02}", "Person", f"Zorvan{at} Wexley", "Bilal") for at in range(20)]
    index_entry = party("zz", "Person", "Quillan Ostrov", "Bilal", birth_dates=(BORN,))
    build_index(entries=[*crowd, index_entry], directory=tmp_path / "index")
    index = MatchIndex.open(tmp_path / "index")
    match = best_match(SimpleNamespace(sanctions=index), "Bilal", birth_date=BORN)
    assert (match.ref, match.score) == ("l:zz", 100)


def test_bounds_hold_just_below_a_match_or_a_look_and_have_codes_of_their_own() -> None:
    assert {bound.most for bound in BOUNDS} == {69, 44}
    assert len({bound.code for bound in BOUNDS}) == len(BOUNDS)


@pytest.fixture(scope="module")
def official(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """OFAC's list as it was in January 2022."""
    return official_engine(tmp_path_factory.mktemp("official"))


@pytest.mark.parametrize(
    "name",
    [
        *("Hassan", "Bilal", "Khalid", "Abdullah", "Santoso", "Ali", "Mohammed", "Abu Khalid"),
        *("Tara", "Solid GmbH", "Melon", "Abdul Haq", "Basu", "Cotto", "Abdul Hamid"),
        *("Hassan Bakery", "Smart Logistics Ltd", "Basic Element Yoga Studio"),
        *("Blue Sky Aviation Inc.", "Osama Laden Construction"),
        *("Golden Star Logistics", "Pioneer Logistics Solutions"),
    ],
)
def test_on_the_real_list_too_little_is_for_a_human(official: Any, name: str) -> None:
    assert best_match(official, name).score in range(45, 70)


@pytest.mark.parametrize(
    "name",
    [
        *("Hamas", "Taliban", "Hizballah", "Al-Shabaab", "IRISL", "PDVSA", "Daesh", "Basij"),
        *("PKK", "Rosoboronexport", "Belneftekhim", "Cubanatur", "Camorra", "Yakuza"),
    ],
)
def test_on_the_real_list_a_designation_of_one_word_blocks(official: Any, name: str) -> None:
    assert best_match(official, name).score >= 70
