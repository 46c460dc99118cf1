"""Parsed names, and outcomes of comparing two."""

from dataclasses import dataclass
from typing import Literal

from apps.reference.names.payee.word_roles import Role

Band = Literal["MATCH", "CLOSE", "NO"]
How = Literal[
    "same", "told", "joined", "spelling", "meaning", "short", "pet", "cousins", "slip", "slips",
    "gender", "initial", "sound", "cut",
]  # fmt: skip
"""How two words agree.

`told`: but for how an umlaut is written; `joined`: two words that are one; `spelling`: another
transliteration; `meaning`: the same in another language; `short`: an abbreviation; `pet`: a short
form of a given name, `cousins`: two of one; `slip`, `slips`: one or two slips of the pen; `gender`:
the name of the other gender; `initial`; `sound`: letters without vowels; `cut`: cut off.
"""
Address = Literal["man", "woman", ""]
"""As what titles address the bearer of a name, if they tell."""
Relative = Literal["legal name", "alias"]
MATCH_FROM, CLOSE_FROM = 90, 35
BEST_CLOSE = MATCH_FROM - 1
WORST = 100


@dataclass(frozen=True, slots=True)
class NameWord:
    """A word of a name; `plain` and `told` are its two foldings, `linked`: a hyphen joins it to the
    word before, `tied`: a sign or word for `and` is between two letters.
    """

    written: str
    plain: str
    told: str
    linked: bool = False
    tied: bool = False

    @property
    def is_initial(self) -> bool:
        """Whether it is a single letter."""
        return len(self.plain) == 1 and self.plain.isalpha()


@dataclass(frozen=True, slots=True)
class PayeeName:
    """A parsed name.

    `legal` is the code of its legal form, `native` whether that is written in letters of its own
    language, `address` as what its titles address a person, `ahead` that form where it is one word
    before the name, `before` are titles, `suffix` is the code of a generation (`jr`), `ideographs`
    its Han and Hangul letters, `behind` words of a place or branch behind the name, `inside`
    whether words of the name itself follow its legal form, `foreign` whether it is in no Latin
    letters, `unvowelled` whether in letters without vowels, `disguised` words of letters that look
    like others, `slipped` whether its legal form holds a slip of the pen.
    """

    text: str
    words: tuple[NameWord, ...]
    legal: str = ""
    native: bool = False
    address: Address = ""
    ahead: NameWord | None = None
    before: tuple[NameWord, ...] = ()
    suffix: str = ""
    ideographs: str = ""
    behind: tuple[str, ...] = ()
    titled: bool = False
    foreign: bool = False
    unvowelled: bool = False
    disguised: tuple[str, ...] = ()
    slipped: bool = False
    inside: bool = False
    company: bool = False

    @property
    def whole(self) -> str:
        """All of it, folded, with a blank between words."""
        return " ".join(word.told for word in self.words)


@dataclass(frozen=True, slots=True)
class WordContribution:
    """What one word of either name did: how it agreed (empty: it did not), and the points of 100
    that it carried of those it weighs.
    """

    submitted: str
    registered: str
    how: How | Literal[""]
    weight: int
    carried: int
    role: Role | Literal[""] = ""


@dataclass(frozen=True, slots=True)
class AppliedRule:
    """A rule that held: its code, what it says, its reference, and what it cost or capped at."""

    code: str
    title: str
    ref: str
    cost: int
    most: int


@dataclass(frozen=True, slots=True)
class ComparisonOutcome:
    """The score in 0..100, its band, the rule that decided, and the words behind it.

    `matched` is the registered name that agreed best, `relative` what that is of the payee;
    `unread` says that legal name and submitted one are in scripts that cannot be read together, so
    that nothing speaks for the payee, and nothing against it.
    """

    score: int
    band: Band
    matched: str
    relative: Relative
    decided: AppliedRule
    charged: tuple[AppliedRule, ...]
    words: tuple[WordContribution, ...]
    unread: bool = False


def band_of_score(score: int) -> Band:
    """Return the band of a score: match, close match or none."""
    if score >= MATCH_FROM:
        return "MATCH"
    return "CLOSE" if score >= CLOSE_FROM else "NO"
