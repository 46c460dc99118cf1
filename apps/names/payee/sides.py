"""One of two names as it is compared: its words, what each does in it, and which are left over."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from apps.names.payee.roles import WEIGHTS, Role, role_of
from apps.names.payee.values import Name, Word
from apps.names.words.compounds import with_compounds, with_unvowelled
from apps.names.words.general import ARTICLES
from apps.names.words.numbers import numbered

_MORE = "bin ibn ben bint af av ten zum vom dem van het op"
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
class Side:
    """One of two names as it is compared: its words with their roles, and who of them is left."""

    name: Name
    words: tuple[Word, ...]
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
            return WEIGHTS[self.roles[place]]
        share = _INITIAL_WEIGHT if self.words[place].is_initial else 1.0
        return _PERSON_WEIGHTS[self.roles[place]] * share

    def roles_left(self) -> frozenset[Role]:
        """Return the roles of the words that agree with nothing."""
        return frozenset(self.roles[i] for i in self.content_left)


def side_of(name: Name, other: Name, *, company: bool) -> Side:
    """Return a name as one of two companies or people, nothing of it compared yet.

    A title or a legal form before it is a word of it where the other name has that word too.
    """
    words = name.words
    here = {word.plain for word in (*other.words, *other.before)}
    if company and name.before and any(word.plain in here for word in name.before):
        words = (*name.before, *words)
    if name.ahead and name.ahead.plain in here:
        words = (name.ahead, *words)
        name = replace(name, legal="", ahead=None)
    if company:
        words = tuple(_of_company(words))
        return Side(name, words, _telling(_company_roles(words)), company)
    words = tuple(_of_person(words, unvowelled=name.unvowelled))
    roles = tuple(_role(i, words) for i in range(len(words)))
    return Side(name, words, _telling(roles), company)


def _telling(roles: tuple[Role, ...]) -> tuple[Role, ...]:
    """Return roles; particles alone are a name."""
    name: Role = "name"
    return (name,) * len(roles) if set(roles) == {"particle"} else roles


def _of_person(words: Sequence[Word], *, unvowelled: bool) -> Iterator[Word]:
    """Yield the words of a person's name, with Arabic compounds as one (`Abd al-Rahman`)."""
    place = 0
    compounds = with_unvowelled if unvowelled else with_compounds
    for _text, size in compounds([word.plain for word in words]):
        run = words[place : place + size]
        place += size
        yield run[0] if size == 1 else _joined(run, " ")


def _joined(words: Sequence[Word], between: str) -> Word:
    return Word(
        between.join(word.written for word in words),
        "".join(word.plain for word in words),
        "".join(word.told for word in words),
        tied=any(word.tied for word in words[1:]),
    )


def _company_roles(words: Sequence[Word]) -> tuple[Role, ...]:
    """Return what words do; a single letter joins others only in lower case and between them."""
    found = []
    for place, word in enumerate(words):
        inner = 0 < place < len(words) - 1 and word.written.islower()
        lone = word.is_initial and not inner
        found.append("name" if lone else role_of(word.plain))
    return tuple(found)


def _role(place: int, words: Sequence[Word]) -> Role:
    """Return whether a word is a particle; at the head of two words it is a given name (`Ben`)."""
    word = words[place]
    given = place == 0 and (len(words) <= _TWO or word.plain in _GIVEN)
    joins = word.plain in _PARTICLES and (len(word.plain) > 1 or word.written.islower())
    return "particle" if joins and not given else "name"


def _of_company(words: Iterable[Word]) -> list[Word]:
    """Return words with initials run together, states as one word, and numbers in digits."""
    joined: list[Word] = []
    run: list[Word] = []
    for word in _unjoined(list(words)):
        if word.is_initial:
            run.append(word)
            continue
        joined += [*_run(run), word]
        run = []
    joined = _of_states([*joined, *_run(run)])
    digits = [_digits(one) for one in numbered([word.plain for word in joined])]
    return [
        word if word.plain == digit else Word(word.written, digit, digit, word.linked)
        for word, digit in zip(joined, digits, strict=True)
    ]


def _unjoined(words: list[Word]) -> Iterator[Word]:
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


def _of_states(words: list[Word]) -> list[Word]:
    """Return words with the name of a state as one (`United Kingdom`)."""
    found: list[Word] = []
    place = 0
    while place < len(words):
        runs = (words[place : place + size] for size in (4, 2))
        run = next((one for one in runs if tuple(w.plain for w in one) in _STATES), [])
        found.append(_joined(run, " ") if run else words[place])
        place += len(run) or 1
    return found


def _digits(word: str) -> str:
    """Return a number without the noughts before it (`SPV 03`)."""
    return word.lstrip("0") or "0" if word.isdigit() else word


def _run(words: list[Word]) -> list[Word]:
    if len(words) < 2:
        return words
    return [_joined(words, "")]
