"""Rules of two companies' names: forms, siblings, numbers, generic words, short names."""

from itertools import pairwise

from apps.reference.names.payee.compared_names import ComparedName
from apps.reference.names.payee.likeness import is_common_given_name
from apps.reference.names.payee.pair_facts import PairFacts
from apps.reference.names.payee.rules.charge import Charge, Rule
from apps.reference.names.payee.trailing_places import count_trailing_country_words
from apps.reference.names.payee.word_roles import Role
from apps.reference.names.words.everyday_words import EVERYDAY_WORDS

_NEVER = 30
_SIBLING: frozenset[Role] = frozenset({"line", "branch", "place"})
_EMPTY: frozenset[Role] = frozenset({"kind", "generic"})
_FORM_COSTS = {
    "absent": 7, "shortened": 8, "translated": 9, "kindred": 12, "rendered": 30, "conflict": 45,
}  # fmt: skip
_INSIDE = 20
_MOST_OF_PERSON = 3
_FEW_LETTERS = 2
_UNREAD_WORDS = 25
_OF_NATIONS = """
deutsche deutscher deutsches german french francaise italian italiana spanish espanola british
american swiss schweizer schweizerische austrian osterreichische polish dutch nederlandse danske
svenska norske turkish turk japanese korean indian chinese canadian australian royal
"""
_NATIONS = frozenset(_OF_NATIONS.split())
_OF = frozenset(["of", "de", "in", "the"])


def _charge_legal_forms(facts: PairFacts) -> Charge | None:
    """Equal forms cost nothing, a form that one name lacks little, two forms are two companies.

    `Acme Ltd Pension Fund` is a fund of a company, `Acme Pension Fund Ltd` a company.
    """
    cost = _FORM_COSTS.get(facts.forms, 0)
    if any(side.name.slipped for side in facts.sides):
        return Charge(12)
    one, other = (side.name.inside for side in facts.sides)
    if one != other and not (facts.is_omission or facts.is_contradiction):
        return Charge(max(cost, _INSIDE))
    return Charge(cost) if cost else None


def _charge_possible_person(facts: PairFacts) -> Charge | None:
    """A person is not a company of the same name."""
    if facts.forms != "absent" or facts.is_contradiction or facts.is_omission:
        return None
    bare = next(side for side in facts.sides if not side.name.legal)
    words = [bare.words[i].plain for i in bare.content]
    joined = "particle" in bare.roles or any(
        word.linked for side in facts.sides for word in side.words
    )
    if bare.name.company or joined or not 1 < len(words) <= _MOST_OF_PERSON:
        return None
    if is_common_given_name(words[0]):
        return Charge(23)
    return None if EVERYDAY_WORDS & set(words) else Charge(6)


def _charge_series_numbers(facts: PairFacts) -> Charge | None:
    """Other numbers are other companies of a series."""
    if facts.is_acronym:
        return None
    ours, theirs = facts.sides
    joined = [
        match
        for match in facts.alignment.matches
        if match.likeness.how == "joined"
        # two numbers run together (`1 2`, `12`) are another number
        and sum(ours.roles[i] == "number" for i in match.submitted) < _FEW_LETTERS
        and sum(theirs.roles[j] == "number" for j in match.registered) < _FEW_LETTERS
    ]
    one = _series_numbers_of(ours, {i for match in joined for i in match.submitted})
    other = _series_numbers_of(theirs, {j for match in joined for j in match.registered})
    if one == other:
        return None
    if one and other:
        return Charge(most=20)
    legal = all(side.name.legal for side in facts.sides)
    return Charge(most=_NEVER if legal or _has_line_of_business(facts.shorter) else 45)


def _series_numbers_of(side: ComparedName, joined: set[int]) -> frozenset[str]:
    """Return the numbers of a name, and a single letter at its end that agrees with nothing.

    Those that are joined to a word in the other name (`Web 3`, `Web3`) agree.
    """
    numbers = [i for i in side.content if side.roles[i] == "number" and i not in joined]
    digits = {side.words[i].plain for i in numbers}
    last = set(side.content_left) & set(side.content[-1:])
    return frozenset(digits | {side.words[i].plain for i in last if _is_series_letter(side, i)})


def _is_series_letter(side: ComparedName, place: int) -> bool:
    """Return whether a word is a letter of a series: behind a branch, two are one as well."""
    word = side.words[place]
    branch = place > 0 and side.roles[place - 1] == "branch"
    return word.is_initial or (branch and len(word.plain) == _FEW_LETTERS)


def _charge_generic_words(facts: PairFacts) -> Charge | None:
    """Words shared by many companies identify none, unless they are the whole of both names."""
    if facts.is_acronym:
        return None
    if not facts.hows:
        return Charge(most=_NEVER)
    telling = any(facts.submitted.roles[i] == "name" for i, _j in facts.whole)
    if telling or not (facts.is_contradiction or facts.is_omission):
        return None
    named = any("name" in side.roles for side in facts.sides)
    legal = all(side.name.legal for side in facts.sides)
    if facts.is_contradiction or named or legal:
        return Charge(most=25)
    return Charge(50)


def _charge_sibling_company(facts: PairFacts) -> Charge | None:
    """A different line, place or branch next to the distinctive word is a sister company."""
    if facts.is_acronym:
        return None
    if facts.is_contradiction:
        return _charge_contradicting_words(facts)
    left = facts.longer.roles_left()
    if not facts.is_omission or "name" in left or not left & _SIBLING:
        return None
    shorter = facts.shorter
    if facts.is_half_read:
        return Charge(_UNREAD_WORDS)
    if _has_nation_prefix(facts.longer) and any(
        shorter.roles[i] == "name" for i in shorter.content
    ):
        return Charge(50)
    if not any(side.name.legal for side in facts.sides) and _can_be_person(shorter):
        return Charge(45)
    # a payer may leave the trade out; a register, a name with its form and a long one never do
    if shorter.name.legal or shorter is facts.registered or _has_line_of_business(shorter):
        return Charge(most=_NEVER)
    return Charge(50)


def _has_nation_prefix(side: ComparedName) -> bool:
    """Return whether a nation before the name is all that is left over (`Deutsche Lufthansa`)."""
    words = [side.words[i].plain for i in side.content_left]
    return list(side.content_left) == [side.content[0]] and _NATIONS.issuperset(words)


def _has_line_of_business(side: ComparedName) -> bool:
    """Return whether a name is not short: it has three words, including a line of business."""
    return len(side.content) >= _MOST_OF_PERSON and bool(_SIBLING & set(side.roles))


def _can_be_person(side: ComparedName) -> bool:
    words = [side.words[i].plain for i in side.content]
    return not side.name.company and len(words) > 1 and is_common_given_name(words[0])


def _charge_contradicting_words(facts: PairFacts) -> Charge | None:
    left = [side.roles_left() for side in facts.sides]
    if facts.is_half_read:
        return Charge(_UNREAD_WORDS)
    if all(roles <= {"kind"} for roles in left):
        return Charge(25)
    return Charge(most=_NEVER)


def _charge_extra_generic_words(facts: PairFacts) -> Charge | None:
    """Words that hardly tell a company apart, on one side."""
    left = facts.longer.roles_left()
    if not facts.is_omission or facts.is_acronym or not left <= _EMPTY:
        return None
    if left == {"kind"}:
        return Charge(35 if facts.shorter.name.legal else 18)
    return Charge(45 if facts.shorter.name.legal else 30)


def _charge_short_name(facts: PairFacts) -> Charge | None:
    """A short name: some of the telling words, and nothing that speaks against them."""
    longer = facts.longer
    if not facts.is_omission or facts.is_acronym:
        return None
    if "name" not in longer.roles_left():
        return None
    if _is_expanded_acronym(longer, facts.shorter):
        return Charge(27)
    missing = sum(longer.weight(i) for i in longer.content_left)
    kept = sum(longer.weight(i) for i in longer.content if i not in longer.content_left)
    share = missing / (missing + kept)
    # both with their forms: rather two companies than a company and its short name
    both = 8 if all(side.name.legal for side in facts.sides) else 0
    return Charge(round(20 + 50 * share) + both)


def _is_expanded_acronym(longer: ComparedName, shorter: ComparedName) -> bool:
    """Return whether a name is letters, and the other those and the words they stand for."""
    letters = shorter.words[shorter.content[0]].plain if len(shorter.content) == 1 else ""
    if len(letters) <= _FEW_LETTERS or longer.words[longer.content[0]].plain != letters:
        return False
    firsts = [longer.words[i].plain[0] for i in longer.content[1:]]
    return sorted(firsts) == sorted(letters)


def _charge_word_order(facts: PairFacts) -> Charge | None:
    places = [j for _i, j in sorted(facts.whole)]
    turned = any(one > other for one, other in pairwise(places))
    return Charge(12) if turned and not facts.is_acronym else None


def _charge_extra_particles(facts: PairFacts) -> Charge | None:
    left = [i for side in facts.sides for i in side.left if side.roles[i] == "particle"]
    return Charge(3) if left and not facts.is_acronym else None


def _charge_acronym(facts: PairFacts) -> Charge | None:
    if not facts.is_acronym:
        return None
    letters = next(
        side.words[side.content[0]].plain for side in facts.sides if len(side.content) == 1
    )
    return Charge(30 if len(letters) > _FEW_LETTERS else 48)


def _charge_reworded_trade(facts: PairFacts) -> Charge | None:
    """Business words that are abbreviated or translated."""
    cost = 11 * facts.hows.count("short") + 13 * facts.hows.count("meaning")
    return Charge(min(cost, 40)) if cost else None


def _charge_trailing_place(facts: PairFacts) -> Charge | None:
    """A place or branch behind the whole name is an address; another place is another branch."""
    one, other = (frozenset(map(str.lower, side.name.behind)) for side in facts.sides)
    if one == other:
        return None
    if any(map(_has_trailing_country, facts.sides)):
        return Charge(40)
    return Charge(20 if one and other else 11)


def _has_trailing_country(side: ComparedName) -> bool:
    """Return whether a country without a town, road or branch is named behind a legal form."""
    words = [word.lower() for word in side.name.behind]
    return bool(words) and count_trailing_country_words(
        [word for word in words if word not in _OF]
    ) == len([word for word in words if word not in _OF])


RULES = (
    Rule("P.30", "The legal forms differ", "legal forms", "companies", _charge_legal_forms),
    Rule(
        "P.31",
        "One name may be a person's",
        "person and company",
        "companies",
        _charge_possible_person,
    ),
    Rule("P.32", "Series numbers differ", "siblings", "companies", _charge_series_numbers),
    Rule("P.33", "Only generic words agree", "generic words", "companies", _charge_generic_words),
    Rule("P.34", "A sister company", "siblings", "companies", _charge_sibling_company),
    Rule(
        "P.35",
        "One name has additional generic words",
        "trading names",
        "companies",
        _charge_extra_generic_words,
    ),
    Rule("P.36", "One name is part of the other", "trading names", "companies", _charge_short_name),
    Rule("P.37", "The words are in a different order", "order", "companies", _charge_word_order),
    Rule("P.38", "A connecting word is missing", "particles", "companies", _charge_extra_particles),
    Rule("P.39", "One name is the other's acronym", "acronyms", "companies", _charge_acronym),
    Rule(
        "P.40",
        "Words are abbreviated or translated",
        "abbreviations",
        "all",
        _charge_reworded_trade,
    ),
    Rule("P.41", "A place or branch is named", "branches", "companies", _charge_trailing_place),
)
