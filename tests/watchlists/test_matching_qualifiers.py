"""What is known of both parties besides the name moves the score, and only that."""

from typing import Any

import pytest

from apps.reference.watchlists.listed_entity import Identifier, ListedEntity, ListedName, Schema
from apps.reference.watchlists.matching.attribute_agreement import (
    KnownFacts,
    QualifiedScore,
    adjust_score_by_attributes,
)
from apps.reference.watchlists.matching.type_conflicts import cap_score_by_type

LISTED = ListedEntity(
    entity_id="1",
    schema="Person",
    names=(ListedName("Ali Hassan"),),
    birth_dates=("1965-03-02", "1966"),
    countries=("IR",),
    identifiers=(Identifier("passport", "A-123 456"),),
)
BARE = ListedEntity(entity_id="2", schema="Person", names=(ListedName("Ali Hassan"),))


def judged(score: float = 0.80, entity: ListedEntity = LISTED, **known: Any) -> QualifiedScore:
    return adjust_score_by_attributes(score=score, known=KnownFacts(**known), entity=entity)


def moved(entity: ListedEntity = LISTED, **known: Any) -> float:
    return judged(0.80, entity, **known).score - 0.80


@pytest.mark.parametrize("date", ["1965-03-02", "1965-03", "1965", "1966-12-31", "1966"])
def test_a_birth_date_that_agrees_never_lowers(date: str) -> None:
    assert moved(birth_date=date) > 0


def test_a_birth_date_lowers_the_more_the_further_apart() -> None:
    same_year = moved(birth_date="1965-11-02")
    near = moved(birth_date="1968-01-01")
    far = moved(birth_date="1990-01-01")
    assert 0 > same_year > near > far


def test_birth_years_up_to_three_apart_are_near() -> None:
    lone = ListedEntity(
        entity_id="4", schema="Person", names=(ListedName("Ali Hassan"),), birth_dates=("1965",)
    )
    near, far = (judged(1.0, lone, birth_date=year).qualifiers[0] for year in ("1968", "1969"))
    assert (near.effect, far.effect) == (-0.10, -0.25) and near.hard and far.hard


def test_a_birth_date_with_day_and_month_swapped_is_a_slip() -> None:
    assert moved(birth_date="1965-02-03") > moved(birth_date="1965-07-09")


@pytest.mark.parametrize(
    ("countries", "effect"),
    [(("IR",), 0.02), (("ir", "DE"), 0.02), (("DE",), -0.1), ((), 0.0)],
)
def test_another_nationality_lowers_and_a_shared_one_raises_a_little(
    countries: tuple[str, ...], effect: float
) -> None:
    assert moved(countries=countries) == pytest.approx(effect)


def test_another_number_of_the_same_kind_lowers_and_the_same_one_however_written_does_not() -> None:
    assert moved(identifiers=(Identifier("passport", "a123456"),)) == 0
    assert moved(identifiers=(Identifier("passport", "B999999"),)) < 0
    assert moved(identifiers=(Identifier("imo", "9187629"),)) == 0


def test_what_the_list_does_not_say_moves_nothing() -> None:
    assert moved(
        birth_date="1990-01-01",
        countries=("DE",),
        identifiers=(Identifier("passport", "B999999"),),
        entity=BARE,
    ) == pytest.approx(0)


@pytest.mark.parametrize("name_score", [0.45, 0.5, 0.7, 0.9, 1.0])
@pytest.mark.parametrize(
    "known",
    [
        {"birth_date": "1967"},  # a year apart from 1966, which is listed
        {"birth_date": "1990-01-01"},
        {"identifiers": (Identifier("passport", "B999999"),)},
        {"birth_date": "1990", "countries": ("DE",)},
    ],
)
def test_a_hard_fact_that_contradicts_brings_below_a_match_and_never_out_of_sight(
    name_score: float, known: dict[str, Any]
) -> None:
    assert 0.45 <= judged(name_score, **known).score <= 0.69


def test_soft_facts_never_move_out_of_sight_what_a_name_brought() -> None:
    assert judged(0.50, countries=("DE",), birth_date="1965-12-09").score == 0.45
    assert judged(0.449, countries=("DE",)).score < 0.45


@pytest.mark.parametrize("name_score", [0.70, 0.75, 1.0])
def test_soft_facts_leave_a_match_a_match(name_score: float) -> None:
    assert judged(name_score, countries=("DE",), birth_date="1965-12-09").score >= 0.70
    assert judged(0.699, countries=("DE",)).score < 0.70


def test_the_full_birth_date_raises_more_than_the_year() -> None:
    assert moved(birth_date="1965-03-02") > moved(birth_date="1966") > 0


def test_numbers_of_two_countries_do_not_contradict() -> None:
    listed = ListedEntity(
        entity_id="3",
        schema="Person",
        names=(ListedName("Ali Hassan"),),
        identifiers=(Identifier("passport", "A1", "IR"),),
    )
    assert moved(listed, identifiers=(Identifier("passport", "B2", "SY"),)) == 0
    assert moved(listed, identifiers=(Identifier("passport", "B2", "ir"),)) < 0
    assert moved(listed, identifiers=(Identifier("passport", "B2"),)) < 0


@pytest.mark.parametrize(
    ("address", "agrees"),
    [
        ("12 Imam Khomeini Street, Tehran", True),
        ("5 Imam Khomeini Street, Tehran, Iran", True),
        ("Tehran, Iran", False),
        ("12 Valiasr Street, Tehran, Iran", False),
        ("Tehran", False),
        ("Berlin", False),
        ("", False),
    ],
)
def test_an_address_raises_only_where_more_than_the_city_agrees(address: str, agrees: bool) -> None:
    listed = ListedEntity(
        entity_id="4",
        schema="Organization",
        names=(ListedName("Luch"),),
        addresses=("No. 12, Imam Khomeini St., Tehran, Iran",),
    )
    assert (moved(listed, address=address) > 0) is agrees
    assert moved(listed, address=address) >= 0


CRAFT: list[tuple[Schema, Schema, bool]] = [
    ("Person", "Person", False),
    ("Person", "Organization", True),
    ("Person", "Vessel", True),
    ("Organization", "Person", True),
    ("Organization", "Organization", False),
    ("Vessel", "Vessel", False),
    ("Vessel", "Organization", True),
    ("Unknown", "Person", False),
    ("Unknown", "Organization", False),
    ("Unknown", "Vessel", True),
    ("Unknown", "Aircraft", True),
    ("Person", "Unknown", False),
    ("Unknown", "Unknown", False),
]


@pytest.mark.parametrize(("known", "listed", "contradicts"), CRAFT)
def test_a_type_that_contradicts_leaves_a_hit_for_a_human_to_look_at(
    known: Schema, listed: Schema, contradicts: bool
) -> None:
    entity = ListedEntity(entity_id="5", schema=listed, names=(ListedName("Daniel"),))
    least = 0.90 if listed in ("Vessel", "Aircraft") else 0.70
    for score, left in ((1.0, 0.69), (least, 0.69), (least - 0.001, 0.0), (0.5, 0.0)):
        qualified_score = judged(score, entity, schema=known)
        assert qualified_score.score == pytest.approx(left if contradicts else score)
        assert [q.what for q in qualified_score.qualifiers] == (["type"] if contradicts else [])


def test_a_type_is_judged_only_where_it_is_asked() -> None:
    vessel = ListedEntity(entity_id="6", schema="Vessel", names=(ListedName("Daniel"),))
    assert judged(0.8, vessel).score == 0.8


def test_the_reason_names_both_types() -> None:
    why = cap_score_by_type(score=1.0, known="Person", listed="Vessel").why
    assert why == "The listed party is a vessel; the screened one is a person."
    why = cap_score_by_type(score=1.0, known="Unknown", listed="Aircraft").why
    assert why == "The listed party is an aircraft; the screened one is not stated to be one."


@pytest.mark.parametrize("score", [1.0, 0.8, 0.46, 0.1])
def test_each_qualifier_says_what_it_compared_and_did(score: float) -> None:
    qualified_score = judged(
        score, birth_date="1990-01-01", countries=("DE",), schema="Organization"
    )
    assert [(q.what, q.effect < 0) for q in qualified_score.qualifiers][:2] == [
        ("birth_date", True),
        ("countries", True),
    ]
    assert qualified_score.score == pytest.approx(
        score + sum(q.effect for q in qualified_score.qualifiers)
    )


def test_the_score_stays_between_zero_and_one() -> None:
    low = judged(0.1, birth_date="1990", countries=("DE",))
    high = judged(1.0, birth_date="1965")
    assert (low.score, high.score) == (0.0, 1.0)
