"""What has grown too old, where no weights can go to others: scores of webs, words and lists."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Any

from apps.intelligence.known import Known, Made
from apps.signals import holding
from apps.signals.quality import Quality, Unavailable

Body = dict[str, Any]


def graver(
    known: Known,
    quality: Quality,
    names: Sequence[str],
    computed: Callable[[Sequence[str]], Body],
    headline: str,
) -> Made:
    """Return what is computed of nodes, of all choices among those too old the most strained.

    `computed` is given the nodes that are in, and takes each at its last figure, however old. A web
    has no weights that others could take over: without one of its nodes it is another web, and
    with one that stands still it stands still too. As one more silence only adds to the choices, it
    never lowers the score; of choices that score the same the one that holds least is told. So few
    nodes may be too old (quality.ENOUGH) that there are at most some hundred. Raises Unavailable as
    `computed` does where no choice can be told.
    """
    there = [one for one in names if one in known.points]
    lapsed = known.lapsed(there)
    found: list[tuple[Body, tuple[str, ...]]] = []
    refused = Unavailable("Nothing that this rests on is known.")
    for kept in _choices(lapsed):
        try:
            made = computed([one for one in there if one not in lapsed or one in kept])
        except Unavailable as told:
            refused = told
        else:
            found.append((made, kept))
    if not found:
        raise refused
    body, held = max(found, key=lambda one: one[0][headline])
    share = Decimal(len(held)) / len(names)
    return Made(body=body, quality=holding.told(quality, held, share=share))


def held(known: Known, quality: Quality, names: Iterable[str], *, of: int) -> Quality:
    """Return the same with what is too old of these told as held: words and lists rest on it.

    `of` is how many series they rest on in all.
    """
    old = known.lapsed(dict.fromkeys(names))
    return holding.told(quality, old, share=Decimal(len(old)) / of)


def _choices(lapsed: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield what may be held of these: nothing first, all of it last."""
    for count in range(len(lapsed) + 1):
        yield from combinations(lapsed, count)
