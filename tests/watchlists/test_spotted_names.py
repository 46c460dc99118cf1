"""Runs of words that are a whole listed name are picked out of texts too long for one."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from apps.reference.watchlists import lookup
from apps.reference.watchlists.listed_entity import Schema
from apps.reference.watchlists.matching.index import Hit, MatchIndex, Query
from apps.reference.watchlists.namefield import parse_name_field
from apps.reference.watchlists.namefield.containment import RunContext, is_name_of_hit, is_shop_name
from apps.reference.watchlists.namefield.spotted_names import (
    find_listed_segments,
    spot_listed_names,
)
from apps.reference.watchlists.subjects import Subject
from tests.watchlists.indexes import index_of

LISTED: list[tuple[str, Schema]] = [
    ("RAHMANI TABAR, Kourosh", "Person"),
    ("Zagros Petrochemical Brokerage LLC", "Organization"),
    ("Zagrosneft", "Organization"),
    ("Al-Qurnaf", "Organization"),
    ("Hizballah", "Organization"),
    ("Moscow", "Organization"),
    ("Holding", "Organization"),
    ("Sergio", "Organization"),
    ("Vostok Ltd", "Organization"),
    ("Anatoly Sergeyevich Gorbunkov", "Person"),
    ("Real Estate Bank", "Organization"),
    ("ADRIANA DARIA 1", "Vessel"),
    ("Pelikan", "Vessel"),
    ("Abdur RAHMAN", "Person"),
    ("LLC Elektronik", "Organization"),
    ("EP-KVZ", "Aircraft"),
    ("P-5321", "Aircraft"),
    ("YV4417", "Aircraft"),
    ("Cargo Aircraft Leasing Corp.", "Organization"),
    ("Zarin Bank Iran", "Organization"),
]
NOISE = "maple cedar river stone light cloud paper"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> MatchIndex:
    """The names above, opened."""
    return index_of(LISTED, tmp_path_factory.mktemp("index"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"{NOISE} Kourosh Rahmani Tabar", ["kourosh rahmani tabar"]),
        (f"Rahmani Tabar Kourosh {NOISE}", ["rahmani tabar kourosh"]),
        (f"{NOISE} Zagros Petrochemical Brokerage {NOISE}", ["zagros petrochemical brokerage"]),
        (f"{NOISE} {NOISE} {NOISE} Kourosh Rahmani Tabar", ["kourosh rahmani tabar"]),
        (f"{NOISE} Zagrosneft", ["zagrosneft"]),
        (f"{NOISE} Al-Qurnaf", ["al qurnaf"]),
        ("maple cedar river Al-Qurnaf stone", []),  # an article is no second word
        (f"{NOISE} Hizballah", ["hizballah"]),
        ("maple cedar river stone Zagrosneft", []),  # one word in few
        ("river Kourosh Rahmani Tabar", []),  # few words are compared as one name
        (f"{NOISE} Kourosh Rahmani", []),  # half a name
        (f"{NOISE} Rahmani Kourosh Tabar", []),  # no turn of it
        (f"{NOISE} Moscow Holding", []),  # a place, a word of business
        (NOISE, []),
        ("", []),
    ],
)
def test_whole_listed_names_are_picked_out(index: MatchIndex, text: str, found: list[str]) -> None:
    parts = find_listed_segments(index, text)
    assert [part.text for part in parts] == found
    assert {part.kind for part in parts} <= {"SEGMENT"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Rahrnani Tabar Kourosh", ["RAHMANI TABAR, Kourosh"]),
        ("Zagros Petrochernical Brokerage", ["Zagros Petrochemical Brokerage LLC"]),
        ("Bernard Arnold International", []),
    ],
)
def test_pairs_of_letters_are_read_as_the_letter_they_look_like(
    index: MatchIndex, text: str, found: list[str]
) -> None:
    hits = spot_listed_names(
        index=index, query=Query(text), field=parse_name_field(text), cutoff=0.45
    )
    assert [hit.hit.name for hit in hits if hit.hit.score > 0.95] == found


@pytest.mark.parametrize("text", ["kouroshrahmanitabar Ltd", "rent kouroshrahmanitabar maple"])
def test_a_name_written_as_one_word_beside_others_is_for_a_human(
    index: MatchIndex, text: str
) -> None:
    (one,) = spot_listed_names(
        index=index, query=Query(name=text), field=parse_name_field(text), cutoff=0.45
    )
    assert (one.hit.ref, one.hit.score) == ("RAHMANI TABAR, Kourosh", 0.69)


@pytest.mark.parametrize("text", ["Maple Abderrahman", "Maple Elektronik"])
def test_a_given_name_or_word_of_business_is_no_name_written_as_one_word(
    index: MatchIndex, text: str
) -> None:
    assert not list(
        spot_listed_names(
            index=index, query=Query(name=text), field=parse_name_field(text), cutoff=0.45
        )
    )


def test_a_listed_name_in_what_is_cut_away_is_for_a_human(index: MatchIndex) -> None:
    text = f"{NOISE} Ltd, Kourosh Rahmani Tabar, Maple Cedar, River Stone, Cloud Paper, London"
    engine: Any = SimpleNamespace(sanctions=index)
    lookup_result = lookup.match_sanctions(engine=engine, subject=Subject(name=text))
    assert [(match.score, match.part) for match in lookup_result.matches] == [(69, "SEGMENT")]


SHORT = [
    # a company that bears a listed person's name, middle names left out or not
    ("Anatoly Gorbunkov Logistics FZE", "Anatoly Sergeyevich Gorbunkov"),
    ("Kourosh Rahmani Tabar Trading", "RAHMANI TABAR, Kourosh"),
    ("Gorbunkov Logistics FZE", ""),  # half a name
    ("Anatoly Boris Gorbunkov Peter", ""),  # people have other given names
    # a listed group with words behind or before
    ("Hizballah Hamburg e.V.", "Hizballah"),
    ("Relief Fund of Hizballah", "Hizballah"),
    ("Hezbollah Hamburg e.V.", "Hizballah"),
    ("Hisbollah Kulturverein", ""),  # a spelling that neither the list nor the dictionary has
    ("Zagrosneft Trading House Dubai", "Zagrosneft"),
    ("Zagros Petrochemical Brokerage Dubai Branch Office", "Zagros Petrochemical Brokerage LLC"),
    ("Vostok Maritime Insurance", ""),  # a company is called by a word, a group is not
    ("Blue Heron Holding", ""),
    ("Sergio Hotels", ""),
    ("Zagros Maple Trading", ""),  # one word of several
    ("Maple Real Estate Fund", ""),  # words of business that some name has among others
    # a ship of two words in a text about something else
    ("Bunkers for ADRIANA DARIA I", "ADRIANA DARIA 1"),
    ("Adriana Daria I freight", "ADRIANA DARIA 1"),
    ("Bunkers for ADRIANA DARIA 12", ""),
    ("Pelikan Hotels", ""),
]


@pytest.mark.parametrize(("text", "name"), SHORT)
@pytest.mark.parametrize("told", ["", "company", "person"])
def test_a_name_that_bears_a_listed_one_is_for_a_human(
    index: MatchIndex, text: str, name: str, told: str
) -> None:
    engine: Any = SimpleNamespace(sanctions=index)
    lookup_result = lookup.match_sanctions(
        engine=engine, subject=Subject(name=text, entity_type=told)
    )
    assert [match.name for match in lookup_result.matches] == ([name] if name else [])


def test_what_is_spotted_takes_the_place_of_a_lower_hit_on_the_same_party(
    index: MatchIndex,
) -> None:
    engine: Any = SimpleNamespace(sanctions=index)
    text = "Anatoly Gorbunkov Freight Logistics FZE"
    (low,) = index.search(Query(name=text, known="Unknown"), cutoff=0.2)
    assert 0.2 <= low.score < 0.45
    lookup_result = lookup.match_sanctions(engine=engine, subject=Subject(name=text))
    (one,) = lookup_result.matches
    assert (one.ref, one.score, lookup_result.score) == (low.ref, 69, 69)
    assert (one.part, one.asked) == ("SEGMENT", "anatoly gorbunkov")
    assert lookup_result.nearest == "Anatoly Sergeyevich Gorbunkov (l)"


@pytest.mark.parametrize("near", ["Zamira Ghamdan Shemkov", "Dmitry Cherkomazov", "Imam Hamedi"])
def test_a_disguise_scores_as_what_it_looks_like_however_near_its_letters_are(
    near: str, tmp_path: Path
) -> None:
    engine: Any = SimpleNamespace(sanctions=index_of([(near, "Person")], tmp_path))
    subject = Subject(name=near.replace("m", "rn"))
    (match,) = lookup.match_sanctions(engine=engine, subject=subject).matches
    assert (match.score, match.asked) == (100, near.lower())


def test_a_lower_hit_on_another_party_does_not_keep_from_looking(index: MatchIndex) -> None:
    engine: Any = SimpleNamespace(sanctions=index)
    text = "Elektronik Handel Hizballah Verein"
    assert any(one.score < 0.45 for one in index.search(Query(name=text), cutoff=0.2))
    lookup_result = lookup.match_sanctions(engine=engine, subject=Subject(name=text))
    assert [match.name for match in lookup_result.matches] == ["Hizballah"]


@pytest.mark.parametrize("text", ["Anatoly Gorbunkov Logistics FZE", "Hizballah Hamburg e.V."])
def test_an_office_holder_is_not_looked_for_in_a_few_words(index: MatchIndex, text: str) -> None:
    engine: Any = SimpleNamespace(pep=index)
    assert lookup.match_peps(engine=engine, subject=Subject(name=text)).matches == ()


def test_a_shop_that_plays_on_the_word_of_a_group_is_not_the_group() -> None:
    beside = RunContext(4, company=True)
    hit = Hit(score=1.0, position=0, ref="x", dataset="l", name="CAMORRA")
    schema: Schema = "Organization"
    assert is_name_of_hit(run=["camorra"], beside=beside, hit=hit, schema=schema)
    shop = replace(beside, shop=True)
    assert not is_name_of_hit(run=["camorra"], beside=shop, hit=hit, schema=schema)
    assert is_shop_name("Pizzeria La Camorra di Rossi") and not is_shop_name("Hamas Relief Fund")


@pytest.mark.parametrize(("score", "told"), [(0.86, True), (0.85, False)])
def test_a_common_given_name_must_be_more_surely_the_person_s(score: float, told: bool) -> None:
    beside = RunContext(4, company=True)
    hit = Hit(score=score, position=0, ref="x", dataset="l", name="Umar Farouk")
    assert is_name_of_hit(run=["umar", "farooq"], beside=beside, hit=hit, schema="Person") is told
    assert is_name_of_hit(run=["bout", "farooq"], beside=beside, hit=hit, schema="Person")


@pytest.mark.parametrize("tail", ["EP-KVZ", "EPKVZ", "epkvz", "P-5321", "P5321", "YV4417"])
@pytest.mark.parametrize("text", ["LEASE OF AIRCRAFT {} OCT 2026", "{} CHARTER"])
def test_a_tail_number_in_a_text_is_told(index: MatchIndex, tail: str, text: str) -> None:
    matches = lookup.match_sanctions_in_index(
        index=index, subject=Subject(name=text.format(tail)), most=5
    ).matches
    told = [
        match for match in matches if match.name.replace("-", "") == tail.upper().replace("-", "")
    ]
    assert [one.score for one in told] == [69]


@pytest.mark.parametrize("text", ["LEASE OF AIRCRAFT EP-KVX", "EPKVZX CHARTER", "EPKV FEES"])
def test_what_only_looks_like_a_tail_number_is_none(index: MatchIndex, text: str) -> None:
    matches = lookup.match_sanctions_in_index(
        index=index, subject=Subject(name=text), most=5
    ).matches
    assert not [match for match in matches if match.name == "EP-KVZ"]


@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("Zarin Bank Iran Hamburg Branch", 100),
        ("Zarin Bank Iran, Hamburg Branch", 100),
        ("Zarin Bank Iran Branch", 100),
        ("Zarin Bank Iran Succursale", 100),
        ("Zarin Bank Branch Family", 0),
    ],
)
def test_a_branch_is_its_bank(index: MatchIndex, name: str, score: int) -> None:
    matches = lookup.match_sanctions_in_index(
        index=index, subject=Subject(name=name), most=5
    ).matches
    assert max([match.score for match in matches if match.score >= 70], default=0) == score


def test_long_words_in_front_hide_no_name_that_is_written_as_one(index: MatchIndex) -> None:
    noise = [f"{letter}lpinegardens" for letter in "abcdefghij"]
    text = " ".join([*noise, "anatolysergeyevichgorbunkov"])
    matches = lookup.match_sanctions_in_index(
        index=index, subject=Subject(name=text), most=5
    ).matches
    assert "Anatoly Sergeyevich Gorbunkov" in [match.name for match in matches]
