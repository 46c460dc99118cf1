"""Rules of any two names: nothing to read, disguises, how words are written, scripts, cut ends."""

from collections.abc import Callable

from apps.reference.names.payee.pair_facts import PairFacts
from apps.reference.names.payee.rules.charge import Charge, Rule
from apps.reference.names.payee.values import BEST_CLOSE, How
from apps.reference.names.payee.word_roles import Role

_NEVER = 30
_SHORT_WORD = 4
_LITTLE: frozenset[Role] = frozenset({"generic", "kind"})
# what the first pair of words that agrees so costs, and each further one
_COSTS: dict[How, tuple[int, int]] = {
    "told": (2, 0),
    "joined": (4, 1),
    "spelling": (14, 6),
    "slip": (12, 14),
    "slips": (30, 14),
    "sound": (20, 4),
}


def _charge_unreadable_name(facts: PairFacts) -> Charge | None:
    readable = all(side.content for side in facts.sides)
    return None if readable else Charge(most=0)


def _charge_disguised_word(facts: PairFacts) -> Charge | None:
    return Charge(most=_NEVER) if facts.disguised else None


def _build_likeness_judge(*hows: How) -> Callable[[PairFacts], Charge | None]:
    def judge(facts: PairFacts) -> Charge | None:
        cost = 0
        for how in hows:
            if count := facts.hows.count(how):
                first, further = _COSTS[how]
                cost += first + further * (count - 1)
        return Charge(cost) if cost else None

    return judge


def _charge_short_slip(facts: PairFacts) -> Charge | None:
    """Charge a typing error in a short word, which usually turns it into a different word."""
    short = [
        match
        for match in facts.alignment.matches
        if match.likeness.how == "slip"
        and len(facts.submitted.words[match.submitted[0]].plain) <= _SHORT_WORD
    ]
    return Charge(8) if short else None


def _charge_other_script(facts: PairFacts) -> Charge | None:
    foreign = facts.submitted.name.foreign != facts.registered.name.foreign
    return Charge(12) if foreign and facts.hows else None


def _charge_other_characters(facts: PairFacts) -> Charge | None:
    if facts.is_contradiction or facts.is_omission:
        return None
    one, other = (side.name.ideographs for side in facts.sides)
    return Charge(40, 60) if one and other and one != other else None


def _charge_truncation(facts: PairFacts) -> Charge | None:
    """Charge a truncated name; more if a distinctive word or line of business is cut off."""
    if not facts.is_cut:
        return None
    return Charge(12, BEST_CLOSE) if facts.lost <= _LITTLE else Charge(40)


RULES = (
    Rule("P.02", "No name to compare", "nothing to compare", "all", _charge_unreadable_name),
    Rule(
        "P.03",
        "A word has characters that only look like those of the other name",
        "look-alikes",
        "all",
        _charge_disguised_word,
    ),
    Rule(
        "P.04", "Umlauts are written differently", "umlauts", "all", _build_likeness_judge("told")
    ),
    Rule("P.05", "Words are joined or split", "spaces", "all", _build_likeness_judge("joined")),
    Rule(
        "P.06",
        "A name is spelt in a different transliteration",
        "scripts",
        "all",
        _build_likeness_judge("spelling", "sound"),
    ),
    Rule("P.07", "The names are in different scripts", "scripts", "all", _charge_other_script),
    Rule(
        "P.08",
        "Different characters have the same reading",
        "characters",
        "all",
        _charge_other_characters,
    ),
    Rule("P.09", "There are typing errors", "slips", "all", _build_likeness_judge("slip", "slips")),
    Rule("P.10", "The typing error is in a short word", "slips", "all", _charge_short_slip),
    Rule("P.11", "The name is truncated", "cut off", "all", _charge_truncation),
)
