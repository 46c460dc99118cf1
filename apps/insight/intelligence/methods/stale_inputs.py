"""What has grown too old, where no weights can go to others: scores of webs, words and lists."""

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

    `computed` is given the nodes that are in, and takes each at its last figure, however old. A web
    has no weights that others could take over: without one of its nodes it is another web, and
    with one that stands still it stands still too. As one more silence only adds to the choices, it
    never lowers the score; of choices that score the same the one that holds least is told. So few
    nodes may be too old (quality.ENOUGH) that there are at most some hundred. Raises TooFewInputs
    as `computed` does where no choice can be told.
    """
    there = [name for name in names if name in known.points]
    lapsed = known.lapsed(there)
    answers: list[tuple[AnswerBody, tuple[str, ...]]] = []
    refused = TooFewInputs("None of the required inputs is known.")
    for held_choice in _iterate_held_choices(lapsed):
        try:
            answer = computed([name for name in there if name not in lapsed or name in held_choice])
        except TooFewInputs as told:
            refused = told
        else:
            answers.append((answer, held_choice))
    if not answers:
        raise refused
    body, held_names = max(answers, key=lambda body_and_names: body_and_names[0][headline])
    share = Decimal(len(held_names)) / len(names)
    return MethodResult(
        body=body,
        quality=carried_forward_labels.label_held_inputs(quality, held_names, share=share),
    )


def mark_held_series(
    known: MethodInputs, quality: Quality, names: Iterable[str], *, of: int
) -> Quality:
    """Return the same with what is too old of these told as held: words and lists rest on it.

    `of` is how many series they rest on in all.
    """
    old = known.lapsed(dict.fromkeys(names))
    return carried_forward_labels.label_held_inputs(quality, old, share=Decimal(len(old)) / of)


def _iterate_held_choices(lapsed: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield what may be held of these: nothing first, all of it last."""
    for count in range(len(lapsed) + 1):
        yield from combinations(lapsed, count)
