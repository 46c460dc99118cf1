"""Innocent names of many cultures: who they are, what counts as a hit, and what fails a group."""

import csv
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from apps.reference.watchlists.matches import BulkHits
from apps.reference.watchlists.matching.index import Hit, MatchIndex
from benchmarks import cultures, cultures_data, frequent_names, innocent_companies
from benchmarks.cultures import Group, Key
from benchmarks.cultures_data import Innocent
from tests.shared_data import folder, shared
from tests.watchlists.indexes import index_of

KEY: Key = ("Korean", "Hangul", "people", "no type given")


@pytest.fixture(scope="module")
def index(tmp_path_factory: Any) -> MatchIndex:
    place: Path = tmp_path_factory.mktemp("cultures")
    return index_of([("Viktor Bout", "Person"), ("Bank Melli Iran", "Organization")], place / "i")


def hits(score: float) -> BulkHits:
    return BulkHits((Hit("ref", "list", score, "Viktor Bout", 0),), ())


def test_people_are_of_many_cultures_in_their_own_script_and_in_latin_letters() -> None:
    people = list(cultures_data.people(seed=1, count=3))
    of_locale = Counter((person.culture, person.script) for person in people)
    assert len(cultures_data.LOCALES) >= 40 and min(of_locale.values()) >= 3
    assert {"Arabic", "Cyrillic", "Han", "Hangul", "Hebrew", "Thai", "Devanagari"} <= {
        person.script for person in people
    }
    assert of_locale["Russian", "Cyrillic"] == of_locale["Russian", "Latin"] == 3
    assert people == list(cultures_data.people(seed=1, count=3))
    assert people != list(cultures_data.people(seed=2, count=3))


def test_twenty_given_and_twenty_family_names_of_each_culture_are_crossed() -> None:
    tables = frequent_names.tables()
    sizes = {culture: (len(one.given), len(one.family)) for culture, one in tables.items()}
    assert set(sizes.values()) == {(20, 20)} and len(sizes) >= 40
    crossed = Counter(
        (innocent.culture, innocent.script)
        for innocent in cultures_data.frequent(seed=1, count=400)
    )
    assert crossed["Chinese", "Han"] == crossed["Chinese", "Latin"] == 400
    assert len(crossed) > 60


def test_companies_are_of_twenty_legal_cultures() -> None:
    names = list(innocent_companies.companies(seed=1, count=500))
    assert len({name.culture for name in names if "Faker" not in name.culture}) >= 20
    known = {name.name for name in names}
    assert {"Volksbank Ulm eG", "Port of Varna Authority", "부산대학교"} <= known
    assert not [name.name for name in names if name.name.strip() in ("T", "F", "")]


def test_a_listed_name_is_no_innocent(index: MatchIndex) -> None:
    names = [
        Innocent("Russian", "Latin", "people", name)
        for name in ("BOUT, Viktor", "Viktor Bouth", "Maria Keller")
    ]
    listed = frozenset({cultures.folded("Viktor Bout")})
    groups = cultures.screen(names, index=index, listed=listed, typed=True)
    assert set(groups) == {
        ("Russian", "Latin", "people", asked) for asked in ("type given", "no type given")
    }
    for group in groups.values():
        assert (group.names, group.listed) == (2, 1)
        assert group.share(45) == 0.5 and group.worst[0][1:] == ("Viktor Bouth", "Viktor Bout")


def test_how_an_innocent_comes_to_be_hit_is_told(index: MatchIndex) -> None:
    names = [Innocent("Russian", "Latin", "people", "Viktor Bout Ivanov")]
    groups = cultures.screen(names, index=index, listed=frozenset(), typed=False, why=True)
    [(text, count)] = groups["Russian", "Latin", "people", "no type given"].ways.items()
    assert count == 1 and text.endswith("exact+exact, more words of the query")


@pytest.mark.parametrize(
    ("score", "stopped", "looked"), [(0.70, 1, 1), (0.69, 0, 1), (0.45, 0, 1), (0.44, 0, 0)]
)
def test_a_hit_counts_from_the_scores_of_the_product(
    score: float, stopped: int, looked: int
) -> None:
    group = Group()
    group.add("Victor Booth", hits(score))
    assert group.hits == {70: stopped, 45: looked}


@pytest.mark.parametrize(
    ("hits", "bound", "fails", "fails_surely"),
    [
        ({70: 0, 45: 5}, cultures.GOAL, False, False),
        ({70: 0, 45: 6}, cultures.GOAL, True, False),
        ({70: 1, 45: 0}, cultures.GOAL, True, False),
        ({70: 0, 45: 20}, cultures.GOAL, True, True),
        ({70: 1, 45: 20}, {70: 0.01, 45: 0.2}, False, False),
    ],
)
def test_a_group_fails_above_its_bound_and_a_kind_beyond_chance_alone(
    hits: dict[int, int], bound: dict[int, float], fails: bool, fails_surely: bool
) -> None:
    groups = {KEY: Group(names=100, hits=hits)}
    bounds = {KEY: bound}
    assert cultures.worse_than_bound(groups, bounds) == ({KEY} if fails else set())
    assert cultures.worse_together(groups, bounds) == ({KEY} if fails_surely else set())


def test_bounds_are_only_of_groups_that_miss_the_goal() -> None:
    with cultures.BOUNDS.open(encoding="utf-8", newline="") as source:
        rows = list(csv.DictReader(source))
    goal = cultures.GOAL
    assert len(cultures.read_bounds()) == len(rows)
    assert all(float(row["match"]) > goal[70] or float(row["look"]) > goal[45] for row in rows)


@pytest.mark.slow
def test_a_run_ends_with_one_where_a_bound_is_passed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shared("lists/ofac_2022_01/sdn.csv"), shared("lists/un/un_consolidated_2026-02-27.xml")
    words = ["cultures", "--data", str(folder()), "--people", "2"]
    monkeypatch.setattr(sys, "argv", words)
    monkeypatch.setattr(cultures, "BOUNDS", tmp_path / "bounds.csv")
    monkeypatch.setattr(sys, "argv", [*words, "--set-bounds"])
    assert cultures.main() == 0
    assert "0 are worse than their bound" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", words)
    monkeypatch.setattr(cultures, "read_bounds", dict)
    assert cultures.main() == 1
    assert "FAILED" in capsys.readouterr().out
