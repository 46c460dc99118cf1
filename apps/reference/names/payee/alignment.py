"""Pairs the words of two names, each with the one that it agrees with best. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rapidfuzz.distance import OSA

from apps.reference.names.payee.likeness import (
    INITIALS,
    WordLikeness,
    classify_slip,
    compare_words,
    extract_numbers,
)
from apps.reference.names.payee.values import NameWord

_MOST_JOINED = 3
_LEAST_JOINED = 4
_LEAST_OF_COMPANY = 3  # letters: `E.ON`, `Eon`
_ARTICLES = frozenset({"al", "el"})
_LEAST_INITIALS, _MOST_INITIALS = 2, 3


@dataclass(frozen=True, slots=True)
class WordMatch:
    """Words of the submitted name and of the registered one, by place, and how they agree."""

    submitted: tuple[int, ...]
    registered: tuple[int, ...]
    likeness: WordLikeness


@dataclass(frozen=True, slots=True)
class Alignment:
    """The words that agree, and those left over of either name."""

    matches: tuple[WordMatch, ...]
    submitted_left: tuple[int, ...]
    registered_left: tuple[int, ...]


def align_words(
    submitted: Sequence[NameWord],
    registered: Sequence[NameWord],
    *,
    company: bool,
    unvowelled: int = 0,
) -> Alignment:
    """Return the best pairs: joined words, then the most similar, then the nearest in position."""
    least = _LEAST_OF_COMPANY if company else _LEAST_JOINED
    word_matches = [
        WordMatch(run, (one,), like)
        for run, one, like in _find_joined_runs(submitted, registered, least)
    ]
    swapped = [
        WordMatch((one,), run, like)
        for run, one, like in _find_joined_runs(registered, submitted, least)
    ]
    matches = [*word_matches, *swapped]
    if not company:
        matches = [*matches, *_match_arabic_articles(submitted, registered)]
    # joined words first: their parts may also resemble single words, but less
    free = _UnmatchedWords(matches)
    for match in _iter_best_pairs(submitted, registered, company=company, unvowelled=unvowelled):
        free.take(match)
    if not company:
        # the initials run together that stand for names left over (`MJ`, `Mary Jane`)
        here = _find_names_for_initials(submitted, registered, free.taken, free.held)
        there = _find_names_for_initials(registered, submitted, free.held, free.taken)
        joined_initials = [
            *(WordMatch((i,), places, INITIALS) for i, places in here),
            *(WordMatch(places, (j,), INITIALS) for j, places in there),
        ]
        for match in joined_initials:
            free.take(match)
    return Alignment(
        tuple(sorted(free.matches, key=lambda match: match.submitted)),
        tuple(i for i in range(len(submitted)) if i not in free.taken),
        tuple(j for j in range(len(registered)) if j not in free.held),
    )


class _UnmatchedWords:
    """Which words of two names still have no counterpart, and the matches of the others."""

    def __init__(self, matches: Sequence[WordMatch]) -> None:
        self.matches: list[WordMatch] = []
        self.taken: set[int] = set()
        self.held: set[int] = set()
        for match in matches:
            self.take(match)

    def take(self, match: WordMatch) -> None:
        """Keep a match if none of its words is taken."""
        if self.taken.isdisjoint(match.submitted) and self.held.isdisjoint(match.registered):
            self.matches.append(match)
            self.taken.update(match.submitted)
            self.held.update(match.registered)


def _iter_best_pairs(
    submitted: Sequence[NameWord], registered: Sequence[NameWord], *, company: bool, unvowelled: int
) -> Iterator[WordMatch]:
    """Yield the pairs of words that agree, the likest first."""
    behind = len(submitted) - len(registered)
    found = []
    for i, one in enumerate(submitted):
        for j, other in enumerate(registered):
            like = compare_words(one, other, company=company, unvowelled=unvowelled)
            if like:
                # positions from the beginning or from the end: a name may have lost words in front
                gap = min(abs(i - j), abs(i - j - behind))
                found.append((-like.share, gap, i + j, i, j, like))
    for *_rank, i, j, like in sorted(found, key=lambda one: one[:5]):
        yield WordMatch((i,), (j,), like)


def _find_names_for_initials(
    few: Sequence[NameWord], many: Sequence[NameWord], taken: set[int], held: set[int]
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


def _find_joined_runs(
    many: Sequence[NameWord], few: Sequence[NameWord], least: int
) -> list[tuple[tuple[int, ...], int, WordLikeness]]:
    plain = {word.plain for word in few}
    found = []
    for size in range(_MOST_JOINED, 1, -1):
        for start in range(len(many) - size + 1):
            words = many[start : start + size]
            run = "".join(word.plain for word in words)
            told = "".join(word.told for word in words)
            short = len(run) < least and run.isalpha()
            # a word that the other name has as well is not a part of a longer one
            if short or any(word.plain in plain for word in words):
                continue
            for j, one in enumerate(few):
                if like := _compare_joined_words(run, told, one):
                    found.append((tuple(range(start, start + size)), j, like))
                    break
    return found


def _match_arabic_articles(
    submitted: Sequence[NameWord], registered: Sequence[NameWord]
) -> list[WordMatch]:
    """Return Arabic names whose article one writes apart, in two transliterations (`Al-Sayed`)."""
    word_matches = [
        WordMatch(run, (one,), like)
        for run, one, like in _iter_article_matches(submitted, registered)
    ]
    return word_matches + [
        WordMatch((one,), run, like)
        for run, one, like in _iter_article_matches(registered, submitted)
    ]


def _iter_article_matches(
    many: Sequence[NameWord], few: Sequence[NameWord]
) -> Iterator[tuple[tuple[int, int], int, WordLikeness]]:
    for i, (article, word) in enumerate(pairwise(many)):
        for j, one in enumerate(few):
            if not {article.plain, one.plain[:2]} <= _ARTICLES or len(word.plain) < _LEAST_JOINED:
                continue
            if one.plain in _ARTICLES:
                continue  # an article alone has no name behind it
            like = compare_words(
                word, NameWord(one.written, one.plain[2:], one.told[2:]), company=False
            )
            if like and like.how == "spelling":
                yield (i, i + 1), j, like


def _compare_joined_words(run: str, told: str, name_word: NameWord) -> WordLikeness | None:
    if run == name_word.plain or told == name_word.told:
        return WordLikeness("joined", 0.97)
    if abs(len(run) - len(name_word.plain)) > 1 or len(run) < 2 * _LEAST_JOINED - 1:
        return None
    if extract_numbers(run) != extract_numbers(name_word.plain):
        return None
    written = OSA.distance(run, name_word.plain, score_cutoff=2)
    return (
        WordLikeness("slip", 0.8)
        if written == 1 and classify_slip(run, name_word.plain, written)
        else None
    )
