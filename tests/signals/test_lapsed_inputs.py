"""What has grown too old is held where it is more strained than the rest."""

from decimal import Decimal
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from apps.reference.signals.carried_forward_inputs import choose_carried_forward_inputs

scores = st.decimals(0, 100, places=2)
weights = st.decimals("0.01", 1, places=2)
rated = st.tuples(weights, scores)


def mean(parts: list[tuple[Decimal, Decimal]]) -> Decimal:
    whole = sum((weight for weight, _ in parts), Decimal(0))
    return sum((weight * score for weight, score in parts), Decimal(0)) / whole


@given(st.lists(rated, min_size=1, max_size=4), st.lists(rated, max_size=4))
def test_no_choice_of_what_is_held_gives_a_higher_mean(
    counted: list[tuple[Decimal, Decimal]], lapsed: list[tuple[Decimal, Decimal]]
) -> None:
    old = {str(n): one for n, one in enumerate(lapsed)}
    kept = mean([*counted, *(old[name] for name in choose_carried_forward_inputs(counted, old))])
    for size in range(len(lapsed) + 1):
        for combination in combinations(lapsed, size):
            assert kept >= mean([*counted, *combination]) - Decimal("1e-20")


def test_what_stands_where_the_rest_stands_is_not_held() -> None:
    counted = [(Decimal(1), Decimal(50))]
    assert choose_carried_forward_inputs(counted, {"a": (Decimal(1), Decimal(50))}) == []
    assert choose_carried_forward_inputs(counted, {"a": (Decimal(1), Decimal("50.01"))}) == ["a"]
