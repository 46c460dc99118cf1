"""Choose which inputs that have grown too old keep their last figure. Pure."""

from collections.abc import Iterable, Mapping
from decimal import Decimal

WeightAndScore = tuple[Decimal, Decimal]  # weight, strain


def choose_carried_forward_inputs(
    counted: Iterable[WeightAndScore], lapsed: Mapping[str, WeightAndScore]
) -> list[str]:
    """Return the lapsed inputs that raise the weighted mean of strain, the highest first.

    Of all choices among `lapsed` this one gives the highest mean. If nothing counts, that is the
    most strained one alone.
    """
    listed = list(counted)
    weight = sum((input_weight for input_weight, _ in listed), Decimal(0))
    total = sum((input_weight * strain for input_weight, strain in listed), Decimal(0))
    held_inputs: list[str] = []
    for name, (lapsed_weight, strain) in sorted(
        lapsed.items(), key=lambda item: (-item[1][1], item[0])
    ):
        # an input above the mean raises it, so taking them from the highest down and stopping at
        # the mean gives the highest mean of all choices; multiplied out, so that nothing is rounded
        if weight and strain * weight <= total:
            break
        held_inputs.append(name)
        weight, total = weight + lapsed_weight, total + lapsed_weight * strain
    return held_inputs
