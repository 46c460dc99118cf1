"""Whether a name is evidence enough for an office holder: one word, and sound across scripts."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from apps.reference.watchlists import lookup, pep_search
from apps.reference.watchlists.listed_entity import ListedEntity, ListedName
from apps.reference.watchlists.matching.index import Hit, MatchIndex
from apps.reference.watchlists.matching.index_builder import IndexEntry, build_index
from apps.reference.watchlists.pep_search import (
    NEAR_COST,
    SOUND,
    detect_script,
    find_resembling_peps,
)
from apps.reference.watchlists.subjects import Subject

Make = Callable[..., MatchIndex]


@pytest.fixture
def index(tmp_path: Path) -> Make:
    """Index office holders by their names: `index(("George",), ("Jack Reed", "ג'ק ריד"))`."""

    def make(*people: tuple[str, ...], country: str = "LB") -> MatchIndex:
        entries = [
            IndexEntry(
                str(number),
                "test",
                ListedEntity(
                    str(number),
                    "Person",
                    tuple(map(ListedName, names)),
                    topic="pep",
                    countries=(country,),
                ),
            )
            for number, names in enumerate(people)
        ]
        build_index(entries=entries, directory=tmp_path / "pep")
        return MatchIndex.open(tmp_path / "pep")

    return make


@pytest.mark.parametrize(
    ("asked", "listed", "found"),
    [
        ("George Wald", "George!", False),
        ("Tapia", "Juan Tapia Ortega", False),
        ("Sylla", "Schill!", False),
        ("Tapia", "Tapia", True),
        ("Georg Waldner", "George Waldner", True),
    ],
)
def test_one_word_is_a_name_only_of_what_is_wholly_that_word(
    index: Make, asked: str, listed: str, found: bool
) -> None:
    hits = find_resembling_peps(index=index((listed,)), name=asked, limit=5)
    assert bool(hits) is found


@pytest.mark.parametrize(("country", "found"), [("", False), ("US", False), ("LB", True)])
def test_what_sounds_alike_a_little_counts_where_the_country_agrees(
    index: Make, country: str, found: bool
) -> None:
    hebrew = "רוברט בירד"  # Robert Bird
    people = index((hebrew,))
    weak = find_resembling_peps(index=people, name="Robert Huber", limit=5, country="LB")
    assert weak and weak[0].hit.score < SOUND["abjad"] and weak[0].by_sound
    hits = find_resembling_peps(index=people, name="Robert Huber", limit=5, country=country)
    assert bool(hits) is found


@pytest.mark.parametrize(
    ("asked", "found"), [("Zhou Feng", False), ("Zhou Yifeng", True), ("周奕丰", True)]
)
def test_a_han_name_has_one_reading(index: Make, asked: str, found: bool) -> None:
    hits = find_resembling_peps(index=index(("周奕丰",), country="CN"), name=asked, limit=5)
    assert bool(hits) is found


EDWARDS = ListedEntity("0", "Person", (ListedName("Jonathan Edwards"),), countries=("GB",))


@pytest.mark.parametrize(
    ("score", "country", "counts", "near"),
    [
        (0.85, "", 0.85, False),
        (0.84, "", 0.84 - NEAR_COST, True),
        (0.84, "US", 0.84 - NEAR_COST, True),
        (0.84, "gb", 0.84, False),
        (0.66, "", 0.66 - NEAR_COST, True),
        (0.64, "", None, None),
        (0.64, "GB", 0.64, False),
    ],
)
def test_a_name_that_is_only_near_counts_less_unless_the_country_agrees(
    score: float, country: str, counts: float | None, near: bool | None
) -> None:
    hit = Hit("0", "test", score, "Jonathan Edwards", 0)
    index: Any = SimpleNamespace(search=lambda *_, **__: [hit], entity=lambda _: EDWARDS)
    resembling_peps = find_resembling_peps(
        index=index, name="Jon Edvardsson", limit=5, country=country
    )
    assert [resembling_pep.near for resembling_pep in resembling_peps] == (
        [] if near is None else [near]
    )
    assert [resembling_pep.hit.score for resembling_pep in resembling_peps] == (
        [] if counts is None else [pytest.approx(counts)]
    )


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Jack Reed", ""),
        ("Виктор", ""),
        ("محمود", "abjad"),
        ("ריד", "abjad"),
        ("赖清德", "han"),
        ("김정은", "hangul"),
        ("", ""),
    ],
)
def test_the_scripts_that_let_many_names_sound_as_one(text: str, script: str) -> None:
    assert detect_script(text) == script


@pytest.mark.parametrize(("nationality", "told"), [("", True), ("GB", False)])
def test_an_officer_reads_why_the_score_is_lower_than_that_of_the_name(
    index: Make, nationality: str, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pep_search, "NEAR_BELOW", 1.01)  # every name is only near
    engine: Any = SimpleNamespace(pep=index(("Konstantin Baranov",), country="GB"))
    subject = Subject(name="Konstantin Baranov", nationality=nationality)
    (match,) = lookup.match_peps(engine=engine, subject=subject).matches
    near = [effect for effect in match.effects if effect.what == "near"]
    assert bool(near) is told
    assert ("only similar" in " ".join(match.notes)) is told
    assert match.explanation is not None
    cost = sum(one.effect for one in near)
    assert match.score == pytest.approx(100 * (match.explanation.score + float(cost)), abs=1)
