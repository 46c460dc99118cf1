"""Inputs that are too old, where no weights can go to others: networks, words and lists."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Any

from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult
from apps.reference.signals import carried_forward_labels
from apps.reference.signals.quality import Quality, TooFewInputs

AnswerBody = dict[str, Any]


def compute_most_strained(
    known: MethodInputs,
    quality: Quality,
    names: Sequence[str],
    computed: Callable[[Sequence[str]], AnswerBody],
    headline: str,
) -> MethodResult:
    """Return what is computed of nodes, of all choices among those too old the most strained.

    `computed` receives the included nodes and uses each at its last figure, however old. Raises
    TooFewInputs as `computed` does if no combination can be computed.
    """
    # A network has no weights to redistribute: without a node it is another network. All
    # combinations of old nodes are tried, so a further missing input only adds combinations and
    # never lowers the score. Few nodes may be too old (quality.ENOUGH), so there are at most a few
    # hundred.
    there = [name for name in names if name in known.points]
    lapsed = known.lapsed(there)
    answers: list[tuple[AnswerBody, tuple[str, ...]]] = []
    refused = TooFewInputs("None of the required inputs is known.")
    for held_choice in _iterate_held_choices(lapsed):
        try:
            answer = computed([name for name in there if name not in lapsed or name in held_choice])
        except TooFewInputs as error:
            refused = error
        else:
            answers.append((answer, held_choice))
    if not answers:
        raise refused
    # max() returns the first of equals, and choices come in order of size: the fewest are held
    body, held_names = max(answers, key=lambda body_and_names: body_and_names[0][headline])
    share = Decimal(len(held_names)) / len(names)
    return MethodResult(
        body=body,
        quality=carried_forward_labels.label_carried_forward_inputs(
            quality, held_names, share=share
        ),
    )


def mark_held_series(
    known: MethodInputs, quality: Quality, names: Iterable[str], *, of: int
) -> Quality:
    """Return the quality with those of these series that are too old marked as held, because words
    and lists use them.

    `of` is how many series they rest on in all.
    """
    old = known.lapsed(dict.fromkeys(names))
    return carried_forward_labels.label_carried_forward_inputs(
        quality, old, share=Decimal(len(old)) / of
    )


def _iterate_held_choices(lapsed: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield what may be held of these: nothing first, all of it last."""
    for count in range(len(lapsed) + 1):
        yield from combinations(lapsed, count)
