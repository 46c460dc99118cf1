"""What is known of both parties besides the name moves the score, and only that."""

import pytest

from apps.watchlists.matching.qualifiers import qualify
from apps.watchlists.values import Identifier, ListedEntity, ListedName

LISTED = ListedEntity(
    entity_id="1",
    schema="Person",
    names=(ListedName("Ali Hassan"),),
    birth_dates=("1965-03-02", "1966"),
    countries=("IR",),
    identifiers=(Identifier("passport", "A-123 456"),),
)
BARE = ListedEntity(entity_id="2", schema="Person", names=(ListedName("Ali Hassan"),))


def moved(
    *,
    birth_date: str = "",
    countries: tuple[str, ...] = (),
    identifiers: tuple[Identifier, ...] = (),
    entity: ListedEntity = LISTED,
) -> float:
    return (
        qualify(
            score=0.80,
            birth_date=birth_date,
            countries=countries,
            identifiers=identifiers,
            entity=entity,
        ).score
        - 0.80
    )


@pytest.mark.parametrize("date", ["1965-03-02", "1965-03", "1965", "1966-12-31", "1966"])
def test_a_birth_date_that_agrees_never_lowers(date: str) -> None:
    assert moved(birth_date=date) > 0


def test_a_birth_date_lowers_the_more_the_further_apart() -> None:
    same_year = moved(birth_date="1965-11-02")
    near = moved(birth_date="1968-01-01")
    far = moved(birth_date="1990-01-01")
    assert 0 > same_year > near > far


def test_a_birth_date_with_day_and_month_swapped_is_a_slip() -> None:
    assert moved(birth_date="1965-02-03") > moved(birth_date="1965-07-09")


@pytest.mark.parametrize(
    ("countries", "effect"), [(("IR",), 0.0), (("ir", "DE"), 0.0), (("DE",), -0.1), ((), 0.0)]
)
def test_another_nationality_lowers_and_a_shared_one_does_not(
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


def test_each_qualifier_says_what_it_compared_and_did() -> None:
    found = qualify(
        score=0.8, birth_date="1990-01-01", countries=("DE",), identifiers=(), entity=LISTED
    )
    assert [(q.what, q.effect < 0) for q in found.qualifiers] == [
        ("birth_date", True),
        ("countries", True),
    ]
    assert found.score == pytest.approx(0.8 + sum(q.effect for q in found.qualifiers))


def test_the_score_stays_between_zero_and_one() -> None:
    low = qualify(score=0.1, birth_date="1990", countries=("DE",), identifiers=(), entity=LISTED)
    high = qualify(score=1.0, birth_date="1965", countries=(), identifiers=(), entity=LISTED)
    assert (low.score, high.score) == (0.0, 1.0)
