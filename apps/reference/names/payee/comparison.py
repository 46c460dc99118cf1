"""Whether a name as a payment tells it is the payee's: the best of all readings of both. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from apps.reference.names.cpu_budget import CpuBudgetExceeded, check_cpu_budget
from apps.reference.names.field.joint_holders import split_joint_holders
from apps.reference.names.field.markers import Introduction, find_first_marker
from apps.reference.names.payee.abbreviations import expand_abbreviations
from apps.reference.names.payee.explanation import explain_words
from apps.reference.names.payee.han_readings import list_latin_readings
from apps.reference.names.payee.home_country_suffix import strip_home_country
from apps.reference.names.payee.likeness import is_common_given_name
from apps.reference.names.payee.name_annexes import are_affixes_compatible, strip_affixes
from apps.reference.names.payee.name_parser import MOST_CHARACTERS, parse_payee_name
from apps.reference.names.payee.pair_facts import PairFacts, build_pair_facts, build_truncated_facts
from apps.reference.names.payee.payment_purposes import strip_payment_purpose
from apps.reference.names.payee.rules import score_by_rules
from apps.reference.names.payee.rules.fields import (
    AT_HOME,
    AT_WORK,
    BESIDE,
    FOR_ANOTHER,
    FORMER,
    IN_CARE,
    INTRODUCED,
    JOINT,
    OF_ANOTHER,
    OVER_BUDGET,
    PAID,
    RENAMED,
    UNPARTED,
    UNREAD,
)
from apps.reference.names.payee.script_comparability import are_uncomparable
from apps.reference.names.payee.segmentation import insert_blanks
from apps.reference.names.payee.truncation import find_truncated_roles
from apps.reference.names.payee.values import (
    AppliedRule,
    ComparisonOutcome,
    PayeeName,
    Relative,
    band_of_score,
)
from apps.reference.names.payee.word_roles import DEPARTMENTS
from apps.reference.names.scripts.text_cleaning import normalize_letters

_KINDS = {"FORMER": FORMER, "CARE_OF": OF_ANOTHER, "ON_BEHALF": OF_ANOTHER}
# an agent of the payee; and a name changed since, not an additional one
_AGENT = re.compile(r"represent|vertreten|représent", re.IGNORECASE)
_NOW = re.compile(
    r"\b(?:renamed to|changed to|now|n\W*k\W*a|jetzt|nunmehr|désormais|ahora|obecnie|yeni|ныне)\b",
    re.IGNORECASE,
)
_MOST_PARTS = 4
_STROKE = re.compile(r"\s*/\s*")
# a couple under one name
_COUPLE = re.compile(
    r"\s*(?:mr|herr|monsieur|m|señor|signor)\.?\s*(?:&|and|und|et|y|e)\s*(?:mrs|ms|frau|mme|señora"
    r"|signora)\b",
    re.IGNORECASE,
)
_SPOUSES = re.compile(
    r"^\s*(?:eheleute|ehepaar|ehegatten|(?:les\s+)?[ée]poux|coniugi|c[óo]nyuges|małżonkowie|"
    r"echtpaar|äkta makarna)\s+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NameReading:
    """One name of a field, and the rule by which it is the payee's."""

    text: str
    rule: AppliedRule | None = None


def compare_payee_names(
    *, submitted: str, registered: str, aliases: Sequence[str] = (), home: str = ""
) -> ComparisonOutcome:
    """Return how surely the submitted name is that of the payee with these registered names.

    `home` is the payee's country (ISO 3166-1), where it is known: never a reason to score lower.
    Any text is read; of each its first 300 letters. The best of legal name and aliases counts,
    the legal name where both agree as well. Where the legal name cannot be read in the script of
    the submitted one, and no alias agrees, the outcome is `unread`; an alias never makes it so.
    So it is where the budget of CPU time is used up before the names are compared.
    """
    try:
        # the legal name first: `max` keeps the first of equal scores, and that one is reported
        named: list[tuple[str, Relative]] = [(registered, "legal name")]
        named += [(alias, "alias") for alias in aliases]
        found = [_compare_best_readings(submitted, text, relative) for text, relative in named]
        # each further reading only if none before it is a match: it costs time and points
        if all(one.band != "MATCH" for one in found) and (left := strip_payment_purpose(submitted)):
            found += [
                _apply_rule(_compare_best_readings(left, text, relative), PAID)
                for text, relative in named
            ]
        if all(one.band != "MATCH" for one in found) and (
            left := strip_home_country(submitted, home)
        ):
            found += [
                _apply_rule(_compare_best_readings(left, text, relative), AT_HOME)
                for text, relative in named
            ]
        if all(one.band != "MATCH" for one in found):
            found += [
                one
                for text, relative in named
                for one in _compare_without_affixes(submitted, text, relative)
            ]
        if all(one.band != "MATCH" for one in found):
            found += [
                one
                for text, relative in named
                for one in _compare_with_abbreviations_expanded(submitted, text, relative)
            ]
        return _mark_if_unread(submitted, registered, _select_best_outcome(found))
    except CpuBudgetExceeded:
        return _build_uncompared_outcome(registered, OVER_BUDGET)


def _compare_without_affixes(
    submitted: str, registered: str, relative: Relative
) -> Iterator[ComparisonOutcome]:
    """Yield the outcomes without register numbers and other additions to a name."""
    ours, theirs = strip_affixes(submitted), strip_affixes(registered)
    if not are_affixes_compatible(ours, theirs):
        return
    found = replace(_compare_best_readings(ours.text, theirs.text, relative), matched=registered)
    for rule in dict.fromkeys((*ours.rules, *theirs.rules)):
        found = _apply_rule(found, rule)
    yield found


def _compare_with_abbreviations_expanded(
    submitted: str, registered: str, relative: Relative
) -> Iterator[ComparisonOutcome]:
    """Yield what comes of it where one name spells out what the other abbreviates."""
    if told := expand_abbreviations(submitted, registered):
        yield _apply_rule(_compare_best_readings(told[0], registered, relative), told[1])
    if told := expand_abbreviations(registered, submitted):
        found = replace(_compare_best_readings(submitted, told[0], relative), matched=registered)
        yield _apply_rule(found, told[1])


def _mark_if_unread(submitted: str, registered: str, best: ComparisonOutcome) -> ComparisonOutcome:
    """Return an outcome that is none, as one of names that could not be compared if they could not.

    Names that agree, and are another's (P.53), were compared.
    """
    if best.band != "NO" or OF_ANOTHER in best.charged:
        return best
    if not are_uncomparable(parse_payee_name(submitted), parse_payee_name(registered)):
        return best
    return _build_uncompared_outcome(registered, UNREAD)


def _build_uncompared_outcome(registered: str, why: AppliedRule) -> ComparisonOutcome:
    return ComparisonOutcome(
        score=why.most,
        band=band_of_score(why.most),
        matched=registered,
        relative="legal name",
        decided=why,
        charged=(why,),
        words=(),
        unread=True,
    )


def _compare_best_readings(
    submitted: str, registered: str, relative: Relative
) -> ComparisonOutcome:
    whole = _compare_with_holders(submitted, registered, registered, relative)
    ours, theirs = _split_into_readings(submitted), _split_into_readings(registered)
    if whole.band == "MATCH" or not (ours or theirs):
        return whole
    tries = [
        _apply_rule(
            _compare_with_holders(reading.text, name.text, registered, relative),
            _select_introduction_rule(reading, name),
        )
        for reading in ours or (NameReading(submitted),)
        for name in theirs or (NameReading(registered),)
        # a name in the register of whoever the payee acts for is not the payee's
        if name.rule is not OF_ANOTHER
    ]
    return _select_best_outcome(tries or [whole])


def _select_introduction_rule(
    submitted: NameReading, registered: NameReading
) -> AppliedRule | None:
    """Return the rule for how a name was introduced; the register's own names cost nothing."""
    return FORMER if registered.rule in (FORMER, RENAMED) else submitted.rule


def _compare_with_holders(
    submitted: str, registered: str, whole: str, relative: Relative
) -> ComparisonOutcome:
    """Return the outcome of two names, each perhaps of several holders."""
    best = _compare_pair(submitted, registered, whole, relative)
    ours, theirs = _split_holders(submitted), _split_holders(registered)
    if theirs and not ours:
        best = _select_best_outcome(
            [best, *(_compare_pair(submitted, one, whole, relative) for one in theirs)]
        )
    elif ours and theirs:
        best_outcomes = [
            _select_best_outcome(_compare_pair(one, other, whole, relative) for other in theirs)
            for one in ours
        ]
        # the worst of the submitted holders decides: a stranger among them gets the money as well
        best = _select_best_outcome([best, min(best_outcomes, key=lambda one: one.score)])
    elif ours:
        some = _select_best_outcome(_compare_pair(one, registered, whole, relative) for one in ours)
        best = _select_best_outcome([best, _apply_rule(some, JOINT)])
    return best


def _select_best_outcome(outcomes: Iterable[ComparisonOutcome]) -> ComparisonOutcome:
    return max(outcomes, key=lambda outcome: outcome.score)


def _compare_pair(
    submitted: str, registered: str, whole: str, relative: Relative
) -> ComparisonOutcome:
    check_cpu_budget()
    ours, theirs = parse_payee_name(submitted), parse_payee_name(registered)
    outcome = _build_outcome(build_pair_facts(ours, theirs), whole, relative)
    # the name as written counts too, in case it only looks truncated
    if (lost := find_truncated_roles(ours, theirs)) is not None:
        return _select_best_outcome(
            [outcome, _build_outcome(build_truncated_facts(ours, lost), whole, relative)]
        )
    if outcome.band != "MATCH":
        han_outcomes = _iter_han_outcomes(ours, theirs, whole, relative)
        return _select_best_outcome(
            [outcome, *_iter_outcomes_with_blanks(ours, theirs, whole, relative), *han_outcomes]
        )
    return outcome


def _iter_han_outcomes(
    ours: PayeeName, theirs: PayeeName, whole: str, relative: Relative
) -> Iterator[ComparisonOutcome]:
    """Yield outcomes for other readings of a name in characters against one in Latin letters."""
    if ours.foreign == theirs.foreign:
        return
    for text in list_latin_readings((ours if ours.foreign else theirs).text):
        name = replace(parse_payee_name(text), foreign=True)
        pair = (name, theirs) if ours.foreign else (ours, name)
        yield _build_outcome(build_pair_facts(*pair), whole, relative)


def _iter_outcomes_with_blanks(
    ours: PayeeName, theirs: PayeeName, whole: str, relative: Relative
) -> Iterator[ComparisonOutcome]:
    """Yield what comes of it if one of two names only lacks its blanks."""
    if apart := insert_blanks(ours, theirs):
        outcome = _build_outcome(build_pair_facts(parse_payee_name(apart), theirs), whole, relative)
        yield _apply_rule(outcome, UNPARTED)
    if apart := insert_blanks(theirs, ours):
        outcome = _build_outcome(build_pair_facts(ours, parse_payee_name(apart)), whole, relative)
        yield _apply_rule(outcome, UNPARTED)


def _build_outcome(facts: PairFacts, whole: str, relative: Relative) -> ComparisonOutcome:
    score, decided, charged = score_by_rules(facts)
    return ComparisonOutcome(
        score=score,
        band=band_of_score(score),
        matched=whole,
        relative=relative,
        decided=decided,
        charged=charged,
        words=explain_words(facts),
    )


def _apply_rule(outcome: ComparisonOutcome, rule: AppliedRule | None) -> ComparisonOutcome:
    """Return an outcome with one more rule that held."""
    if rule is None:
        return outcome
    score = max(0, min(outcome.score - rule.cost, rule.most))
    # the rule that caps the score decides, else the one that cost most
    decides = score == rule.most or rule.cost > outcome.decided.cost
    return replace(
        outcome,
        score=score,
        band=band_of_score(score),
        decided=rule if decides else outcome.decided,
        charged=(*outcome.charged, rule),
    )


@lru_cache(maxsize=4096)
def _split_into_readings(text: str) -> tuple[NameReading, ...]:
    """Return the first name of a field and those that it introduces as others; else nothing."""
    rest = normalize_letters(text[:MOST_CHARACTERS])
    found: list[NameReading] = []
    rule = first = None
    while len(found) < _MOST_PARTS and (division := find_first_marker(rest)):
        found.append(NameReading(rest[: division.start], rule))
        rule = _KINDS.get(division.kind, INTRODUCED)
        first = first or _rule_of_first_name(rest, division)
        rest = rest[division.end :]
    found.append(NameReading(rest, rule))
    if len(found) == 1:
        return ()
    if not first and any(name_reading.rule is not OF_ANOTHER for name_reading in found[1:]):
        first = BESIDE
    if not found[0].text.strip():  # it only begins with such a word: `Chez Pierre`
        return ()
    named = [
        replace(found[0], rule=first),
        *(_complete_former_name(name_reading, found[0].text) for name_reading in found[1:]),
    ]
    name_readings = [NameReading(one.text.strip(" ,;:()[]-/"), one.rule) for one in named]
    return tuple(name_reading for name_reading in name_readings if name_reading.text)


def _rule_of_first_name(text: str, division: Introduction) -> AppliedRule | None:
    """Return what a phrase that introduces another name says of the name before it, if it does."""
    phrase = text[division.start : division.end]
    if division.kind == "CARE_OF":
        if not _is_another_company(text[division.end :]):
            return None
        return IN_CARE if parse_payee_name(text[: division.start]).company else AT_WORK
    if division.kind == "ON_BEHALF":
        return None if _AGENT.search(phrase) else FOR_ANOTHER
    return RENAMED if _NOW.search(phrase) else None


def _is_another_company(text: str) -> bool:
    """Return whether the addressee is neither a person nor a department of the payee."""
    name = parse_payee_name(text)
    words = [word.plain for word in name.words]
    if not words or DEPARTMENTS & set(words):
        return False
    person = name.titled or len(words) > 1 or is_common_given_name(words[0])
    return name.company or not person


def _complete_former_name(former: NameReading, now: str) -> NameReading:
    """Return a family name at birth with the given names of its bearer (`Ann Lee, née Low`)."""
    given = now.strip(" ,;:([-").split()[:-1]
    alone = former.rule is FORMER and len(former.text.split()) == 1
    if (
        not (alone and given)
        or parse_payee_name(now).company
        or parse_payee_name(former.text).company
    ):
        return former
    return replace(former, text=" ".join([*given, former.text.strip(" ,;:()[]-/")]))


@lru_cache(maxsize=4096)
def _split_holders(text: str) -> tuple[str, ...]:
    """Return the joint holders that a text names, if it names several."""
    text = _SPOUSES.sub("", text)
    if parse_payee_name(text).company or _COUPLE.match(text):
        return ()
    # a stroke parts holders on accounts, but `split_joint_holders` takes it only without blanks
    return tuple(split_joint_holders(_STROKE.sub(" & ", text)))[:_MOST_PARTS]
