"""A score is told word by word, in percents that add up to it."""

import re
from decimal import Decimal
from typing import Any

import pytest

from apps.reference.watchlists import engine as engines
from apps.reference.watchlists import lookup
from apps.reference.watchlists.match_effects import WORDS
from apps.reference.watchlists.matches import ListMatch
from apps.reference.watchlists.presenters.score_breakdown import (
    STEPS,
    break_down_score,
    split_into_percents,
)
from apps.reference.watchlists.presenters.written_words import map_tokens_to_words
from apps.reference.watchlists.rules.score_limits import BOUNDS
from apps.reference.watchlists.subjects import Subject


@pytest.mark.parametrize(
    "subject",
    [
        Subject("Lazarus Group Films"),
        Subject("Wagner Group Travel", nationality="RU"),
        Subject("Kim Jon Unn", individual=True, birth_date="1984"),
        Subject("Kim Jong Un", individual=True, birth_date="1950-01-01"),
        Subject("Лазарус Груп"),
        Subject("Lazarus Group", entity_type="person"),
        Subject("Hidden Cobra Trading Services"),
    ],
    ids=lambda one: one.name,
)
def test_weights_make_a_hundred_and_steps_lead_to_the_score(
    sample: Any, noon: Any, subject: Subject
) -> None:
    matches = lookup.match_sanctions(
        engine=engines.load_current_engine(noon), subject=subject
    ).matches
    assert matches
    for match in matches:
        add_up(match)


def add_up(match: ListMatch) -> None:
    drawn = break_down_score(match.recorded())
    if "names" not in drawn:
        assert match.exact
        return
    words = [*drawn["pairs"], *drawn["only_asked"], *drawn["only_listed"]]
    assert sum(word["weight"] for word in words) == 100
    assert sum(word["carried"] for word in words) == drawn["carried"]
    steps = sum(int(step["effect"]) for step in drawn["steps"])
    assert drawn["carried"] + steps == drawn["names"]
    beside = sum(int(qualifier["effect"]) for qualifier in drawn["qualifiers"])
    assert drawn["names"] + beside == match.score
    told_in_words = [int(one) for one in re.findall(r"([+-]?[0-9]+) %(?:,|$)", drawn["sum"])]
    assert sum(told_in_words) == match.score, drawn["sum"]


def test_officers_read_no_codes_of_limits_and_steps() -> None:
    limits = {bound.code for bound in BOUNDS} - {"weak_alias"}  # shown as a step
    conflicts = {"parent", "first_surname", "other_given_name"}
    assert (limits - set(WORDS), conflicts - set(STEPS)) == (set(), set())


def test_what_was_deducted_is_named_in_the_sum(sample: Any, noon: Any) -> None:
    lookup_result = lookup.match_sanctions(
        engine=engines.load_current_engine(noon), subject=Subject("Wagner Group Travel")
    )
    drawn = break_down_score(lookup_result.matches[0].recorded())
    assert drawn["sum"].startswith("Wagner ") and "-" in drawn["sum"]
    assert all(step["what"][1:] in drawn["sum"] for step in drawn["steps"] if step["effect"] != "0")


def test_words_stand_as_they_were_written_beside_how_another_script_is_read(
    sample: Any, noon: Any
) -> None:
    lookup_result = lookup.match_sanctions(
        engine=engines.load_current_engine(noon), subject=Subject("Лазарус Груп Travel")
    )
    drawn = break_down_score(lookup_result.matches[0].recorded())
    askeds = {pair["asked"] for pair in (*drawn["pairs"], *drawn["only_asked"])}
    assert "Лазарус (lazarus)" in askeds and "Travel" in askeds


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Haddad, Chen", {"haddad": "Haddad", "chen": "Chen"}),
        ("", {}),
        ("Jean-Pierre", {"jean": "Jean", "pierre": "Pierre"}),
        ("金正恩 Kim", {"kim": "Kim", "jin": "金正恩", "zhengen": "金正恩"}),
    ],
)
def test_tokens_lead_back_to_the_words(name: str, found: dict[str, str]) -> None:
    assert map_tokens_to_words(name, "person") == found


@pytest.mark.parametrize(
    ("parts", "percents"),
    [
        ([1, 1, 1], [34, 33, 33]),
        ([1], [100]),
        ([0, 0], [0, 0]),
        ([], []),
        ([2, 1, 1], [50, 25, 25]),
    ],
)
def test_rounded_percents_make_a_hundred(parts: list[int], percents: list[int]) -> None:
    assert split_into_percents([Decimal(part) for part in parts]) == percents


@pytest.mark.parametrize(
    ("what", "compares"), [("one_word", False), ("craft", False), ("near", False), ("type", True)]
)
def test_what_the_name_alone_costs_is_not_said_to_differ_from_the_list(
    what: str, compares: bool
) -> None:
    cost = {"what": what, "query": "hassan", "listed": "Hassan", "effect": "-0.07"}
    row = {"name": "Hassan", "score": 69, "explanation": {}, "effects": [cost]}
    assert break_down_score(row)["qualifiers"][0]["alone"] is not compares
