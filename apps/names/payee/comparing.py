"""Whether a name as a payment tells it is the payee's: the best of all readings of both. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from apps.names.field.holders import holders
from apps.names.field.markers import Division, divides
from apps.names.payee.beside import are_comparable, bare
from apps.names.payee.cutting import cut_off
from apps.names.payee.explaining import told
from apps.names.payee.facts import Facts, facts_of, facts_of_cut
from apps.names.payee.han_readings import readings
from apps.names.payee.home import without_country
from apps.names.payee.likeness import is_known
from apps.names.payee.parting import parted
from apps.names.payee.purposes import without_purpose
from apps.names.payee.reading import MOST_CHARACTERS, name_of
from apps.names.payee.roles import DEPARTMENTS
from apps.names.payee.rules import judged
from apps.names.payee.rules.fields import (
    AT_HOME,
    AT_WORK,
    BESIDE,
    FOR_ANOTHER,
    FORMER,
    IN_CARE,
    INTRODUCED,
    JOINT,
    OF_ANOTHER,
    PAID,
    RENAMED,
    UNPARTED,
    UNREAD,
)
from apps.names.payee.unread import is_unread
from apps.names.payee.values import Charged, Name, Outcome, Relative, band_of
from apps.names.scripts.letters import plain_letters

_KINDS = {"FORMER": FORMER, "CARE_OF": OF_ANOTHER, "ON_BEHALF": OF_ANOTHER}
# an agent of the payee; and who bears another name by now, not one besides
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


@dataclass(frozen=True, slots=True)
class Reading:
    """One name of a field, and the rule by which it is the payee's."""

    text: str
    rule: Charged | None = None


def compare(
    *, submitted: str, registered: str, aliases: Sequence[str] = (), home: str = ""
) -> Outcome:
    """Return how surely the submitted name is that of the payee with these registered names.

    `home` is the payee's country (ISO 3166-1), where it is known: never a reason to score lower.
    Any text is read; of each its first 300 letters. The best of legal name and aliases counts,
    the legal name where both agree as well. Where the legal name cannot be read in the script of
    the submitted one, and no alias agrees, the outcome is `unread`; an alias never makes it so.
    """
    named: list[tuple[str, Relative]] = [(registered, "legal name")]
    named += [(alias, "alias") for alias in aliases]
    found = [_best(submitted, text, relative) for text, relative in named]
    if all(one.band != "MATCH" for one in found) and (left := without_purpose(submitted)):
        found += [_with_rule(_best(left, text, relative), PAID) for text, relative in named]
    if all(one.band != "MATCH" for one in found) and (left := without_country(submitted, home)):
        found += [_with_rule(_best(left, text, relative), AT_HOME) for text, relative in named]
    if all(one.band != "MATCH" for one in found):
        found += [one for text, relative in named for one in _bared(submitted, text, relative)]
    return _or_unread(submitted, registered, _highest(found))


def _bared(submitted: str, registered: str, relative: Relative) -> Iterator[Outcome]:
    """Yield what comes of it without numbers of registers and what else stands beside a name."""
    ours, theirs = bare(submitted), bare(registered)
    if not are_comparable(ours, theirs):
        return
    found = replace(_best(ours.text, theirs.text, relative), matched=registered)
    for rule in dict.fromkeys((*ours.rules, *theirs.rules)):
        found = _with_rule(found, rule)
    yield found


def _or_unread(submitted: str, registered: str, best: Outcome) -> Outcome:
    """Return an outcome that is none, as one of names that could not be compared if they could not.

    Names that agree, and are another's (P.53), were compared.
    """
    if best.band != "NO" or OF_ANOTHER in best.charged:
        return best
    if not is_unread(name_of(submitted), name_of(registered)):
        return best
    return replace(
        best,
        score=UNREAD.most,
        band=band_of(UNREAD.most),
        matched=registered,
        relative="legal name",
        decided=UNREAD,
        charged=(UNREAD,),
        words=(),
        unread=True,
    )


def _best(submitted: str, registered: str, relative: Relative) -> Outcome:
    whole = _held(submitted, registered, registered, relative)
    ours, theirs = _readings(submitted), _readings(registered)
    if whole.band == "MATCH" or not (ours or theirs):
        return whole
    tries = [
        _with_rule(_held(reading.text, name.text, registered, relative), _graver(reading, name))
        for reading in ours or (Reading(submitted),)
        for name in theirs or (Reading(registered),)
        if name.rule is not OF_ANOTHER
    ]
    return _highest(tries or [whole])


def _graver(submitted: Reading, registered: Reading) -> Charged | None:
    """Return what a name costs as it was introduced; the register's own names cost nothing."""
    return FORMER if registered.rule in (FORMER, RENAMED) else submitted.rule


def _held(submitted: str, registered: str, whole: str, relative: Relative) -> Outcome:
    """Return the outcome of two names, each perhaps of several holders."""
    best = _pair(submitted, registered, whole, relative)
    ours, theirs = _holders(submitted), _holders(registered)
    if theirs and not ours:
        best = _highest([best, *(_pair(submitted, one, whole, relative) for one in theirs)])
    elif ours and theirs:
        each = [_highest(_pair(one, other, whole, relative) for other in theirs) for one in ours]
        best = _highest([best, min(each, key=lambda one: one.score)])
    elif ours:
        some = _highest(_pair(one, registered, whole, relative) for one in ours)
        best = _highest([best, _with_rule(some, JOINT)])
    return best


def _highest(outcomes: Iterable[Outcome]) -> Outcome:
    return max(outcomes, key=lambda one: one.score)


def _pair(submitted: str, registered: str, whole: str, relative: Relative) -> Outcome:
    ours, theirs = name_of(submitted), name_of(registered)
    found = _outcome(facts_of(ours, theirs), whole, relative)
    if (lost := cut_off(ours, theirs)) is not None:
        return _highest([found, _outcome(facts_of_cut(ours, lost), whole, relative)])
    if found.band != "MATCH":
        read = _read(ours, theirs, whole, relative)
        return _highest([found, *_parted(ours, theirs, whole, relative), *read])
    return found


def _read(ours: Name, theirs: Name, whole: str, relative: Relative) -> Iterator[Outcome]:
    """Yield what comes of other readings of a name in characters, beside one in Latin letters."""
    if ours.foreign == theirs.foreign:
        return
    for text in readings((ours if ours.foreign else theirs).text):
        name = replace(name_of(text), foreign=True)
        pair = (name, theirs) if ours.foreign else (ours, name)
        yield _outcome(facts_of(*pair), whole, relative)


def _parted(ours: Name, theirs: Name, whole: str, relative: Relative) -> Iterator[Outcome]:
    """Yield what comes of it if one of two names only lacks its blanks."""
    if apart := parted(ours, theirs):
        found = _outcome(facts_of(name_of(apart), theirs), whole, relative)
        yield _with_rule(found, UNPARTED)
    if apart := parted(theirs, ours):
        found = _outcome(facts_of(ours, name_of(apart)), whole, relative)
        yield _with_rule(found, UNPARTED)


def _outcome(facts: Facts, whole: str, relative: Relative) -> Outcome:
    score, decided, charged = judged(facts)
    return Outcome(
        score=score,
        band=band_of(score),
        matched=whole,
        relative=relative,
        decided=decided,
        charged=charged,
        words=told(facts),
    )


def _with_rule(outcome: Outcome, rule: Charged | None) -> Outcome:
    """Return an outcome with one more rule that held."""
    if rule is None:
        return outcome
    score = max(0, min(outcome.score - rule.cost, rule.most))
    decides = score == rule.most or rule.cost > outcome.decided.cost
    return replace(
        outcome,
        score=score,
        band=band_of(score),
        decided=rule if decides else outcome.decided,
        charged=(*outcome.charged, rule),
    )


@lru_cache(maxsize=4096)
def _readings(text: str) -> tuple[Reading, ...]:
    """Return the first name of a field and those that it introduces as others; else nothing."""
    rest = plain_letters(text[:MOST_CHARACTERS])
    found: list[Reading] = []
    rule = first = None
    while len(found) < _MOST_PARTS and (division := divides(rest)):
        found.append(Reading(rest[: division.start], rule))
        rule = _KINDS.get(division.kind, INTRODUCED)
        first = first or _of_first(rest, division)
        rest = rest[division.end :]
    found.append(Reading(rest, rule))
    if len(found) == 1:
        return ()
    if not first and any(one.rule is not OF_ANOTHER for one in found[1:]):
        first = BESIDE
    if not found[0].text.strip():  # it only begins with such a word: `Chez Pierre`
        return ()
    named = [replace(found[0], rule=first), *(_completed(one, found[0].text) for one in found[1:])]
    kept = [Reading(one.text.strip(" ,;:()[]-/"), one.rule) for one in named]
    return tuple(one for one in kept if one.text)


def _of_first(text: str, division: Division) -> Charged | None:
    """Return what a phrase that introduces another name says of the name before it, if it does."""
    phrase = text[division.start : division.end]
    if division.kind == "CARE_OF":
        if not _is_another_company(text[division.end :]):
            return None
        return IN_CARE if name_of(text[: division.start]).company else AT_WORK
    if division.kind == "ON_BEHALF":
        return None if _AGENT.search(phrase) else FOR_ANOTHER
    return RENAMED if _NOW.search(phrase) else None


def _is_another_company(text: str) -> bool:
    """Return whether who gets the letter is no person and no department of the payee."""
    name = name_of(text)
    words = [word.plain for word in name.words]
    if not words or DEPARTMENTS & set(words):
        return False
    person = name.titled or len(words) > 1 or is_known(words[0])
    return name.company or not person


def _completed(former: Reading, now: str) -> Reading:
    """Return a family name at birth with the given names of its bearer (`Ann Lee, née Low`)."""
    given = now.strip(" ,;:([-").split()[:-1]
    alone = former.rule is FORMER and len(former.text.split()) == 1
    if not (alone and given) or name_of(now).company or name_of(former.text).company:
        return former
    return replace(former, text=" ".join([*given, former.text.strip(" ,;:()[]-/")]))


@lru_cache(maxsize=4096)
def _holders(text: str) -> tuple[str, ...]:
    """Return the joint holders that a text names, if it names several."""
    if name_of(text).company or _COUPLE.match(text):
        return ()
    return tuple(holders(_STROKE.sub(" & ", text)))[:_MOST_PARTS]
