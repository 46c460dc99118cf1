"""Runs of words that are a whole listed name are picked out of texts too long for one."""

from pathlib import Path

import pytest

from apps.watchlists.matching.index import Entry, MatchIndex, Query, build
from apps.watchlists.namefield import read, search
from apps.watchlists.namefield.spotting import segments, spotted
from apps.watchlists.values import ListedEntity, ListedName, Schema

LISTED: list[tuple[str, Schema]] = [
    ("RAHMANI TABAR, Kourosh", "Person"),
    ("Zagros Petrochemical Brokerage LLC", "Organization"),
    ("Zagrosneft", "Organization"),
    ("Al-Qurnaf", "Organization"),
    ("Hizballah", "Organization"),
    ("Moscow", "Organization"),
    ("Holding", "Organization"),
    ("Abdur RAHMAN", "Person"),
    ("LLC Elektronik", "Organization"),
]
NOISE = "maple cedar river stone light cloud paper"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> MatchIndex:
    """The names above, opened."""
    place: Path = tmp_path_factory.mktemp("index")
    entities = (
        ListedEntity(entity_id=name, schema=schema, names=(ListedName(name, "primary"),))
        for name, schema in LISTED
    )
    build(entries=(Entry(one.entity_id, "l", one) for one in entities), directory=place)
    return MatchIndex.open(place)


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
    parts = segments(index, text)
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
    hits = spotted(index=index, query=Query(text), field=read(text), cutoff=0.45)
    assert [one.hit.name for one in hits if one.hit.score > 0.95] == found


@pytest.mark.parametrize("text", ["kouroshrahmanitabar Ltd", "rent kouroshrahmanitabar maple"])
def test_a_name_written_as_one_word_beside_others_is_for_a_human(
    index: MatchIndex, text: str
) -> None:
    (one,) = spotted(index=index, query=Query(name=text), field=read(text), cutoff=0.45)
    assert (one.hit.ref, one.hit.score) == ("RAHMANI TABAR, Kourosh", 0.69)


@pytest.mark.parametrize("text", ["Maple Abderrahman", "Maple Elektronik"])
def test_a_given_name_or_word_of_business_is_no_name_written_as_one_word(
    index: MatchIndex, text: str
) -> None:
    assert not list(spotted(index=index, query=Query(name=text), field=read(text), cutoff=0.45))


def test_a_listed_name_in_what_is_cut_away_is_for_a_human(index: MatchIndex) -> None:
    text = f"{NOISE} Ltd, Kourosh Rahmani Tabar, Maple Cedar, River Stone, Cloud Paper, London"
    found = search(index=index, query=Query(name=text))
    assert [(one.hit.score, one.part.kind) for one in found.found] == [(0.69, "SEGMENT")]
