"""Pairs the words of two names, each with the one that it agrees with best. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rapidfuzz.distance import OSA

from apps.names.payee.likeness import INITIALS, Likeness, digits_of, likeness, slips
from apps.names.payee.values import Word

_MOST_JOINED = 3
_LEAST_JOINED = 4
_LEAST_OF_COMPANY = 3  # letters: `E.ON`, `Eon`
_ARTICLES = frozenset({"al", "el"})
_LEAST_INITIALS, _MOST_INITIALS = 2, 3


@dataclass(frozen=True, slots=True)
class Match:
    """Words of the submitted name and of the registered one, by place, and how they agree."""

    submitted: tuple[int, ...]
    registered: tuple[int, ...]
    likeness: Likeness


@dataclass(frozen=True, slots=True)
class Alignment:
    """What agrees, and what is left over of either name."""

    matches: tuple[Match, ...]
    submitted_left: tuple[int, ...]
    registered_left: tuple[int, ...]


def align(
    submitted: Sequence[Word],
    registered: Sequence[Word],
    *,
    company: bool,
    unvowelled: int = 0,
) -> Alignment:
    """Return the best pairs: what is joined, then the likest, of those the nearest in place."""
    matches = _joins(submitted, registered, _LEAST_OF_COMPANY if company else _LEAST_JOINED)
    if not company:
        matches = [*matches, *_articles(submitted, registered)]
    free = _Free(matches)
    for match in _pairs(submitted, registered, company=company, unvowelled=unvowelled):
        free.take(match)
    if not company:
        for match in _run_initials(submitted, registered, free):
            free.take(match)
    return Alignment(
        tuple(sorted(free.matches, key=lambda match: match.submitted)),
        tuple(i for i in range(len(submitted)) if i not in free.taken),
        tuple(j for j in range(len(registered)) if j not in free.held),
    )


class _Free:
    """Which words of two names still have no counterpart, and the matches of the others."""

    def __init__(self, matches: Sequence[Match]) -> None:
        self.matches: list[Match] = []
        self.taken: set[int] = set()
        self.held: set[int] = set()
        for match in matches:
            self.take(match)

    def take(self, match: Match) -> None:
        """Keep a match if none of its words is taken."""
        if self.taken.isdisjoint(match.submitted) and self.held.isdisjoint(match.registered):
            self.matches.append(match)
            self.taken.update(match.submitted)
            self.held.update(match.registered)


def _pairs(
    submitted: Sequence[Word], registered: Sequence[Word], *, company: bool, unvowelled: int
) -> Iterator[Match]:
    """Yield the pairs of words that agree, the likest first."""
    behind = len(submitted) - len(registered)
    found = []
    for i, one in enumerate(submitted):
        for j, other in enumerate(registered):
            like = likeness(one, other, company=company, unvowelled=unvowelled)
            if like:
                gap = min(abs(i - j), abs(i - j - behind))
                found.append((-like.share, gap, i + j, i, j, like))
    for *_rank, i, j, like in sorted(found, key=lambda one: one[:5]):
        yield Match((i,), (j,), like)


def _run_initials(
    submitted: Sequence[Word], registered: Sequence[Word], free: "_Free"
) -> list[Match]:
    """Return the initials run together that stand for names left over (`MJ`, `Mary Jane`)."""
    here = _abbreviated(submitted, registered, free.taken, free.held)
    there = _abbreviated(registered, submitted, free.held, free.taken)
    return [
        *(Match((i,), places, INITIALS) for i, places in here),
        *(Match(places, (j,), INITIALS) for j, places in there),
    ]


def _abbreviated(
    few: Sequence[Word], many: Sequence[Word], taken: set[int], held: set[int]
) -> list[tuple[int, tuple[int, ...]]]:
    """Return the place of initials and the places of the names that they stand for."""
    found = []
    for i, word in enumerate(few):
        size = len(word.plain)
        if i in taken or not _LEAST_INITIALS <= size <= _MOST_INITIALS:
            continue
        for j in range(len(many) - size + 1):
            places = tuple(range(j, j + size))
            firsts = "".join(many[place].plain[0] for place in places)
            if firsts == word.plain and held.isdisjoint(places):
                found.append((i, places))
                break
    return found


def _joins(submitted: Sequence[Word], registered: Sequence[Word], least: int) -> list[Match]:
    """Return the runs of words that are one word of the other name (`La Londe`, `Lalonde`)."""
    found = [Match(run, (one,), like) for run, one, like in _runs(submitted, registered, least)]
    swapped = [Match((one,), run, like) for run, one, like in _runs(registered, submitted, least)]
    return [*found, *swapped]


def _runs(
    many: Sequence[Word], few: Sequence[Word], least: int
) -> list[tuple[tuple[int, ...], int, Likeness]]:
    plain = {word.plain for word in few}
    found = []
    for size in range(_MOST_JOINED, 1, -1):
        for start in range(len(many) - size + 1):
            words = many[start : start + size]
            run = "".join(word.plain for word in words)
            told = "".join(word.told for word in words)
            short = len(run) < least and run.isalpha()
            if short or any(word.plain in plain for word in words):
                continue
            for j, one in enumerate(few):
                if like := _joined(run, told, one):
                    found.append((tuple(range(start, start + size)), j, like))
                    break
    return found


def _articles(submitted: Sequence[Word], registered: Sequence[Word]) -> list[Match]:
    """Return Arabic names whose article one writes apart, in two transliterations (`Al-Sayed`)."""
    found = [Match(run, (one,), like) for run, one, like in _glued(submitted, registered)]
    return found + [Match((one,), run, like) for run, one, like in _glued(registered, submitted)]


def _glued(
    many: Sequence[Word], few: Sequence[Word]
) -> Iterator[tuple[tuple[int, int], int, Likeness]]:
    for i, (article, word) in enumerate(pairwise(many)):
        for j, one in enumerate(few):
            if not {article.plain, one.plain[:2]} <= _ARTICLES or len(word.plain) < _LEAST_JOINED:
                continue
            like = likeness(word, Word(one.written, one.plain[2:], one.told[2:]), company=False)
            if like and like.how == "spelling":
                yield (i, i + 1), j, like


def _joined(run: str, told: str, one: Word) -> Likeness | None:
    if run == one.plain or told == one.told:
        return Likeness("joined", 0.97)
    if abs(len(run) - len(one.plain)) > 1 or len(run) < 2 * _LEAST_JOINED - 1:
        return None
    if digits_of(run) != digits_of(one.plain):
        return None
    written = OSA.distance(run, one.plain, score_cutoff=2)
    return Likeness("slip", 0.8) if written == 1 and slips(run, one.plain, written) else None
