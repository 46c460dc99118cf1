"""What an index answered is told again to the same question, and by that index alone."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from apps.reference.watchlists import lookup
from apps.reference.watchlists.listed_entity import Identifier, ListedEntity, ListedName
from apps.reference.watchlists.matches import LookupResult
from apps.reference.watchlists.matching import index as indexes
from apps.reference.watchlists.matching.index import IndexEntry, MatchIndex
from apps.reference.watchlists.subjects import Subject
from tests.watchlists.indexes import index_of, opened

ASKED = Subject(name="Kourosh Rahmani Tabar")


@pytest.fixture
def index(tmp_path: Path) -> MatchIndex:
    return index_of(
        [("Kourosh Rahmani Tabar", "Person"), ("Volga Trade", "Organization")], tmp_path
    )


@pytest.fixture
def searches(monkeypatch: Any) -> list[str]:
    names: list[str] = []
    search = MatchIndex.search

    def counted(self: MatchIndex, query: Any, **how: Any) -> Any:
        names.append(query.name)
        return search(self, query, **how)

    monkeypatch.setattr(MatchIndex, "search", counted)
    return names


def found(index: MatchIndex, subject: Subject) -> LookupResult:
    engine: Any = SimpleNamespace(sanctions=index)
    return lookup.match_sanctions(engine=engine, subject=subject)


def test_the_same_party_is_searched_once_and_found_each_time(
    index: MatchIndex, searches: list[str]
) -> None:
    first = found(index, ASKED)
    count = len(searches)
    assert count and first.matches
    assert found(index, ASKED) == first and len(searches) == count


@pytest.mark.parametrize("fact", [{"nationality": "RU"}, {"birth_date": "1964"}, {"address": "x"}])
def test_whoever_something_else_is_known_of_is_searched_anew(
    index: MatchIndex, searches: list[str], fact: dict[str, str]
) -> None:
    found(index, ASKED)
    count = len(searches)
    found(index, Subject(name=ASKED.name, **fact))
    assert len(searches) > count


def test_a_wallet_is_looked_up_though_the_name_was_searched_before(tmp_path: Path) -> None:
    wallet = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96"
    bearer = ListedEntity(
        entity_id="bearer",
        schema="Organization",
        names=(ListedName("Volga Trade", "primary"),),
        identifiers=(Identifier("wallet", wallet),),
    )
    index = opened([IndexEntry("l:bearer", "l", bearer)], tmp_path)
    assert not found(index, Subject(name="Somebody Else")).matches
    assert found(index, Subject(name="Somebody Else", wallet=wallet)).matches


def test_other_lists_answer_for_themselves(tmp_path: Path) -> None:
    without = index_of([("Volga Trade", "Organization")], tmp_path / "a")
    holding = index_of([(ASKED.name, "Person")], tmp_path / "b")
    assert not found(without, ASKED).matches
    assert found(holding, ASKED).matches
    assert not found(without, ASKED).matches


def test_no_more_answers_are_kept_than_there_is_room_for(
    index: MatchIndex, monkeypatch: Any
) -> None:
    monkeypatch.setattr(indexes, "KEPT", 2)
    asked: list[int] = []

    def answer(number: int) -> int:
        return index.once(number, lambda: asked.append(number) or number)  # type: ignore[func-returns-value]

    assert [answer(one) for one in (1, 2, 1, 3, 1)] == [1, 2, 1, 3, 1]
    assert asked == [1, 2, 3, 1]
