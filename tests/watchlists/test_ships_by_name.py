"""A ship's own name blocks where it is said to be a ship; one that is only like it is looked at."""

from types import SimpleNamespace
from typing import Any

import pytest

from apps.reference.watchlists import lookup
from apps.reference.watchlists.listed_entity import Identifier, ListedEntity, ListedName
from apps.reference.watchlists.matches import ListMatch
from apps.reference.watchlists.matching.index import IndexEntry
from apps.reference.watchlists.subjects import Subject
from tests.watchlists.indexes import opened

SHIPS = (
    ("GREEN LIGHT", "9199127"),
    ("MARIANA", ""),
    ("BLUE DREAM", ""),
    ("BLUEGAS", ""),
    ("ADRIAN DARYA 1", ""),
    ("SEA STAR III", ""),
)
OTHERWISE = "The listed party is a vessel; the screened one is not stated to be one."


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Any:
    entries = (
        IndexEntry(
            ref=f"l:{name}",
            dataset="l",
            entity=ListedEntity(
                entity_id=name,
                schema="Vessel",
                names=(ListedName(name, "primary"),),
                identifiers=(Identifier("imo", number),) if number else (),
            ),
        )
        for name, number in SHIPS
    )
    return SimpleNamespace(sanctions=opened(entries, tmp_path_factory.mktemp("ships")))


def first(engine: Any, name: str, **known: Any) -> ListMatch:
    return lookup.match_sanctions(engine=engine, subject=Subject(name=name, **known)).matches[0]


@pytest.mark.parametrize(
    ("written", "listed"),
    [
        ("MV GREEN LIGHT", "GREEN LIGHT"),
        ("M/V GREENLIGHT", "GREEN LIGHT"),
        ("MV Mariana", "MARIANA"),
        ("MV ADRIAN DARYA 1", "ADRIAN DARYA 1"),
        ("MV ADRIAN DARYA I", "ADRIAN DARYA 1"),
        ("tanker Sea Star III", "SEA STAR III"),
    ],
)
def test_the_same_name_of_a_ship_blocks_and_nobody_says_that_it_is_none(
    engine, written, listed
) -> None:
    list_match = first(engine, written)
    assert (list_match.name, list_match.score) == (listed, 100)
    assert OTHERWISE not in list_match.notes


@pytest.mark.parametrize(
    "written",
    [
        "MV Marianna",
        "MV Green Lighthouse",
        "M/V Green Lights",
        "MV Blue Dreamer",
        "MV Bluegrass",
        "vessel Green Light Star",
        "MV ADRIAN DARYA 2",
    ],
)
def test_a_name_that_is_only_like_a_ships_is_looked_at_and_does_not_block(engine, written) -> None:
    lookup_result = lookup.match_sanctions(engine=engine, subject=Subject(name=written))
    assert 0 <= lookup_result.score <= 69
    assert all(OTHERWISE not in match.notes for match in lookup_result.matches)


def test_why_a_name_that_is_only_like_a_ships_does_not_block_is_said(engine) -> None:
    list_match = first(engine, "M/V Green Lights")
    assert list_match.score == 69
    assert "only similar to the name of the listed ship" in list_match.notes[0]
    assert [effect.what for effect in list_match.effects][-1] == "craft"


def test_a_number_on_the_list_blocks_whatever_the_ship_is_called(engine) -> None:
    number = (Identifier("imo", "9199127"),)
    assert first(engine, "M/V Green Lights", identifiers=number).score == 100


def test_where_nothing_says_that_it_is_a_ship_that_is_told(engine) -> None:
    list_match = first(engine, "GREEN LIGHT")
    assert (list_match.score, list_match.notes) == (69, (OTHERWISE,))
