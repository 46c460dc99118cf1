"""One of two names as it is compared: its words, what each does in it, and which are left over."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from apps.reference.names.payee.values import NameWord, PayeeName
from apps.reference.names.payee.word_roles import ROLE_WEIGHTS, Role, role_of_word
from apps.reference.names.words.arabic_compounds import (
    join_arabic_compounds,
    join_unvowelled_compounds,
)
from apps.reference.names.words.numbers import normalize_numbers
from apps.reference.names.words.word_classes import ARTICLES

_MORE = "bin ibn ben bint binti af av ten zum vom dem van het op"
_PARTICLES = ARTICLES.union(_MORE.split())
_PERSON_WEIGHTS: dict[Role, float] = {"name": 1.0, "particle": 0.1}
_INITIAL_WEIGHT = 0.4
_TWO = 2
_GIVEN = frozenset({"ben"})
JOINING = frozenset(["and", "und", "et", "y", "e", "og", "och", "en", "i"])
_STATES = {
    ("great", "britain"), ("united", "kingdom"), ("united", "states"),
    ("united", "states", "of", "america"),
}  # fmt: skip


@dataclass(frozen=True)
class ComparedName:
    """One of two names as it is compared: its words with their roles, and who of them is left."""

    name: PayeeName
    words: tuple[NameWord, ...]
    roles: tuple[Role, ...]
    company: bool
    left: tuple[int, ...] = ()

    @cached_property
    def content(self) -> tuple[int, ...]:
        """The places of words that are no particles."""
        return tuple(i for i, role in enumerate(self.roles) if role != "particle")

    @cached_property
    def content_left(self) -> tuple[int, ...]:
        """Those of them that agree with nothing."""
        return tuple(i for i in self.left if self.roles[i] != "particle")

    def weight(self, place: int) -> float:
        """Return what a word weighs: an initial and a word of business less than a name."""
        if self.company:
            return ROLE_WEIGHTS[self.roles[place]]
        share = _INITIAL_WEIGHT if self.words[place].is_initial else 1.0
        return _PERSON_WEIGHTS[self.roles[place]] * share

    def roles_left(self) -> frozenset[Role]:
        """Return the roles of the words that agree with nothing."""
        return frozenset(self.roles[i] for i in self.content_left)


def build_compared_name(name: PayeeName, other: PayeeName, *, company: bool) -> ComparedName:
    """Return a name as one of two companies or people, nothing of it compared yet.

    A title or a legal form before it is a word of it where the other name has that word too.
    """
    words = name.words
    here = {word.plain for word in (*other.words, *other.before)}
    if company and name.before and any(word.plain in here for word in name.before):
        words = (*name.before, *words)
    if name.ahead and name.ahead.plain in here:
        words = (name.ahead, *words)
        # the form was a word of the name after all, so the name has no form
        name = replace(name, legal="", ahead=None)
    if company:
        words = tuple(_normalize_company_words(words))
        # a single letter joins others only in lower case and between them
        found = []
        for place, word in enumerate(words):
            # `A Smith Ltd` begins with an initial, `Smith y Lopez` joins two names
            inner = 0 < place < len(words) - 1 and word.written.islower()
            lone = word.is_initial and not inner
            found.append("name" if lone else role_of_word(word.plain))
        return ComparedName(name, words, _promote_lone_particles(tuple(found)), company)
    words = tuple(_iter_person_words(words, unvowelled=name.unvowelled))
    roles = tuple(_role_of_person_word(i, words) for i in range(len(words)))
    return ComparedName(name, words, _promote_lone_particles(roles), company)


def _promote_lone_particles(roles: tuple[Role, ...]) -> tuple[Role, ...]:
    """Return roles; particles alone are a name."""
    name: Role = "name"
    return (name,) * len(roles) if set(roles) == {"particle"} else roles


def _iter_person_words(words: Sequence[NameWord], *, unvowelled: bool) -> Iterator[NameWord]:
    """Yield the words of a person's name, with Arabic compounds as one (`Abd al-Rahman`)."""
    place = 0
    compounds = join_unvowelled_compounds if unvowelled else join_arabic_compounds
    for _text, size in compounds([word.plain for word in words]):
        run = words[place : place + size]
        place += size
        yield run[0] if size == 1 else _join_words(run, " ")


def _join_words(words: Sequence[NameWord], between: str) -> NameWord:
    return NameWord(
        between.join(word.written for word in words),
        "".join(word.plain for word in words),
        "".join(word.told for word in words),
        tied=any(word.tied for word in words[1:]),
    )


def _role_of_person_word(place: int, words: Sequence[NameWord]) -> Role:
    """Return whether a word is a particle; at the head of two words it is a given name (`Ben`)."""
    word = words[place]
    given = place == 0 and (len(words) <= _TWO or word.plain in _GIVEN)
    joins = word.plain in _PARTICLES and (len(word.plain) > 1 or word.written.islower())
    return "particle" if joins and not given else "name"


def _normalize_company_words(words: Iterable[NameWord]) -> list[NameWord]:
    """Return words with initials run together, states as one word, and numbers in digits."""
    joined: list[NameWord] = []
    run: list[NameWord] = []
    for word in _iter_without_joining_words(list(words)):
        if word.is_initial:
            run.append(word)
            continue
        joined += [*_join_initials(run), word]
        run = []
    joined = _join_state_names([*joined, *_join_initials(run)])
    digits = [
        _strip_leading_zeros(one) for one in normalize_numbers([word.plain for word in joined])
    ]
    return [
        word if word.plain == digit else NameWord(word.written, digit, digit, word.linked)
        for word, digit in zip(joined, digits, strict=True)
    ]


def _iter_without_joining_words(words: list[NameWord]) -> Iterator[NameWord]:
    """Yield words without the joining ones between two initials: `H and M` is `H & M`."""
    tied = False
    for place, word in enumerate(words):
        around = (words[place - 1 : place], words[place + 1 : place + 2])
        between = all(one and one[0].is_initial and one[0].written.isupper() for one in around)
        small = not word.written.isupper() or len(word.plain) > 1
        if between and word.plain in JOINING and small:
            tied = True
            continue
        yield replace(word, tied=True) if tied else word
        tied = False


def _join_state_names(words: list[NameWord]) -> list[NameWord]:
    """Return words with the name of a state as one (`United Kingdom`)."""
    found: list[NameWord] = []
    place = 0
    while place < len(words):
        runs = (words[place : place + size] for size in (4, 2))
        run = next((one for one in runs if tuple(w.plain for w in one) in _STATES), [])
        found.append(_join_words(run, " ") if run else words[place])
        place += len(run) or 1
    return found


def _strip_leading_zeros(word: str) -> str:
    """Return a number without the noughts before it (`SPV 03`)."""
    return word.lstrip("0") or "0" if word.isdigit() else word


def _join_initials(words: list[NameWord]) -> list[NameWord]:
    if len(words) < 2:
        return words
    return [_join_words(words, "")]
