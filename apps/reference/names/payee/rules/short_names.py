"""Rules of companies whose names are short: letters that a sign joins, a letter that differs."""

from apps.reference.names.payee.pair_facts import PairFacts
from apps.reference.names.payee.rules.charge import Charge, Rule
from apps.reference.names.words.arabic_names import is_same_arabic_name
from apps.reference.names.words.everyday_words import EVERYDAY_WORDS
from apps.reference.names.words.slavic_person_names import find_slavic_name_number

_SHORT = 7  # letters of a word of which one more or less makes another name
_SLAVIC = ("ov", "ev", "off", "eff", "in", "ski", "sky", "skiy", "skij", "enko", "ich", "uk")
_TRANSLITERATED = ({"i", "y"}, {"j", "y"}, {"i", "j"}, {"v", "w"}, {"h", "g"})


def _charge_joined_letters(facts: PairFacts) -> Charge | None:
    """`A&B` is not `AB`; with no other words to compare, they are more likely two companies."""
    pairs = [
        (one, other)
        for match in facts.alignment.matches
        for one in (facts.submitted.words[match.submitted[0]],)
        for other in (facts.registered.words[match.registered[0]],)
        if match.likeness.how == "same" and one.tied != other.tied
    ]
    if not pairs:
        return None
    alone = all(len(side.content) == len(pairs) for side in facts.sides)
    return Charge(35 if alone else 12)


def _charge_one_letter(facts: PairFacts) -> Charge | None:
    """A different letter in the one distinctive word, if that is short, makes another name."""
    telling = [
        match
        for match in facts.alignment.matches
        if facts.submitted.roles[match.submitted[0]] == "name"
        or facts.registered.roles[match.registered[0]] == "name"
    ]
    left = any("name" in side.roles_left() for side in facts.sides)
    if len(telling) != 1 or left or any(side.name.foreign for side in facts.sides):
        return None
    match = telling[0]
    if match.likeness.how not in ("slip", "slips") or len(match.submitted + match.registered) > 2:
        return None
    plain = facts.submitted.words[match.submitted[0]].plain
    other = facts.registered.words[match.registered[0]].plain
    if _are_transliterations(plain, other):
        return None
    short = min(len(plain), len(other)) <= _SHORT
    return Charge(most=70) if short or {plain, other} <= EVERYDAY_WORDS else None


def _are_transliterations(one: str, other: str) -> bool:
    """Return whether two words are one in two transliterations (`Zaytsev`, `Zaitsev`)."""
    if (
        find_slavic_name_number(one)
        and find_slavic_name_number(one) == find_slavic_name_number(other)
    ) or is_same_arabic_name(one, other):
        return True
    slavic = one.endswith(_SLAVIC) and other.endswith(_SLAVIC) and len(one) == len(other)
    apart = [{a, b} for a, b in zip(one, other, strict=False) if a != b]
    return slavic and all(pair in _TRANSLITERATED for pair in apart)


RULES = (
    Rule(
        "P.42",
        "Letters are joined by a sign in one name only",
        "joined letters",
        "companies",
        _charge_joined_letters,
    ),
    Rule(
        "P.43",
        "The one distinctive word differs by a letter",
        "short names",
        "companies",
        _charge_one_letter,
    ),
)
