"""The effect of each known fact of a party on a hit, in rows and in sentences. Pure.

The matcher computes the effects (`matching.attribute_agreement`, `matching.type_conflicts`);
this module describes them, and also the given facts that could not be compared (DESIGN.md section
4, What is compared with what).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.reference.watchlists.listed_entity import Identifier, ListedEntity, Schema
from apps.reference.watchlists.matching.attribute_agreement import Qualifier
from apps.reference.watchlists.matching.identifiers import LEAST_ADDRESS, normalize_identifier
from apps.reference.watchlists.matching.type_conflicts import cap_score_by_type, is_type_conflict
from apps.reference.watchlists.matching.weak_agreement import (
    CORROBORATED_BY_ANYTHING,
    WeakAgreement,
)
from apps.reference.watchlists.subjects import Subject

# what a caller calls a party -> the type of a listed one
SCHEMAS: dict[str, Schema] = {
    "person": "Person",
    "company": "Organization",
    "organization": "Organization",
    "vessel": "Vessel",
    "aircraft": "Aircraft",
}
ENTITY_TYPES = tuple(SCHEMAS)
# a number that is printed under one kind here is a number of another kind there
ALIKE = ("passport", "national_id", "tax_id", "registration", "other")
LONG = ("wallet", "lei")  # what a long number of no told kind may be besides
LEAST_ALIKE = 6  # letters and digits; shorter numbers mean something only under their own kind
TAIL = "tail_number"
BOUNDS = "bounds"
_HELD = "A hard fact contradicts: the score is kept below a match."
_KEPT = "Despite the contradiction, the name still needs review."
BANK, BRANCH = 8, 11  # characters of a BIC
WORDS = {
    "type": "Type",
    BOUNDS: "Held within bounds",
    "near": "Name only near",
    "one_word": "One common word",
    "common_words": "Two common words",
    "trade_words": "Words of trade, state and place",
    "cut_line": "A line that is cut off",
    "half_name": "Half of a name",
    "business": "A business, and a person listed",
    "other_family": "Another family name",
    "syllables": "Syllables that are spelt otherwise",
    "persons_name": "A person's name, and a body listed",
    "other_body": "Another word beside a short name",
    "state_office": "An office that every state has",
    "name_and_trade": "A usual name beside words of trade",
    "unlike_name": "Words of trade beside another name",
    "like_one_word": "A usual name that is only like",
    "business_part": "A business, and part of a person's name",
    "body_in_characters": "A body in characters, and a person listed",
    "craft": "A ship's name that is only like",
    "birth_date": "Birth date",
    "countries": "Nationality",
    "address": "Address",
    "lei": "LEI",
    "imo": "IMO number",
    "bic": "BIC",
    "wallet": "Wallet address",
    "passport": "Passport",
    "national_id": "National ID",
    "tax_id": "Tax ID",
    "registration": "Registration number",
    TAIL: "Tail number",
    "other": "Identifier",
}

_THIN = {
    "one_word": "Only {} agrees, a common word or name, or not certainly the listed one: by "
    "itself it does not block.",
    "common_words": "Only {} agrees, common words among others: by itself that does not block.",
    "trade_words": "Only {} agrees, words of trade, state and place among others: by itself that "
    "does not block.",
    "cut_line": "The line ends within the listed name, after {}: by itself that does not block.",
    "half_name": "The name {} lacks a syllable of the listed one: by itself it does not block.",
    "business": "The word {} says that it is a business, and a person is listed: that does not "
    "block by itself.",
    "other_family": "{} is only like the listed name, and the rest are names that many people "
    "bear: by itself that does not block.",
    "syllables": "A syllable of the given name in {} is not spelt as the list has it: by itself "
    "that does not block.",
    "persons_name": "Many people are called {}, and the name is not the whole name of the listed "
    "body: by itself that does not block.",
    "other_body": "The name has {} next to that of the listed body, so it is another body: by "
    "itself that does not block.",
    "state_office": "Every state has a {}, and the name does not say whose it is: by itself that "
    "does not block.",
    "name_and_trade": "Apart from words of trade only {} agrees, a usual name, and not in full or "
    "not on its own: by itself that does not block.",
    "unlike_name": "Only words of trade agree, and {} is not the listed name: by itself that does "
    "not call for review.",
    "like_one_word": "Only {} agrees, a personal name that is like a word of the listed name: by "
    "itself that does not call for review.",
    "business_part": "A business has {} in its name, which many people bear, and the listed person "
    "has further names: by itself that does not call for review.",
    "body_in_characters": "The characters name a body, and a person is listed whose name does not "
    "begin them: by itself that does not call for review.",
    "by_consonants": "The names agree in {} only by their consonants, and not in full: by itself "
    "that does not call for review.",
    "by_sound": "The names agree in {} only by sound or transliteration: by itself that does not "
    "block.",
    "common_name": "Only names that many people bear agree, wholly or nearly ({}): by itself that "
    "does not block.",
    "common_part": "Only {} agrees, a given and a family name that many people bear, of longer or "
    "other names: by itself that does not call for review.",
    "craft": "{} is only like the name of the listed ship or aircraft: by itself that does not "
    "block.",
}

# what moves a score although no given field was held against the list's
OF_THE_NAME = frozenset({BOUNDS, "near", *_THIN})


@dataclass(frozen=True, slots=True)
class MatchEffect:
    """What one given field did: `effect` in shares of 1, 0 where the list has nothing of it."""

    what: str
    query: str
    listed: str
    effect: Decimal

    def as_dict(self) -> dict[str, Any]:
        """Return it in canonical form."""
        return {
            "what": self.what,
            "query": self.query,
            "listed": self.listed,
            "effect": self.effect,
        }


def schema_of_subject(subject: Subject) -> Schema:
    """Return the type that a party is known to be, `Unknown` where nothing or both is said.

    An IMO or tail number says that it is a ship or an aircraft, unless the caller says more.
    """
    schema = SCHEMAS.get(subject.entity_type)
    if subject.individual and schema not in (None, "Person"):
        return "Unknown"
    if schema or subject.individual:
        return schema or "Person"
    kinds = {identifier.kind for identifier in subject.identifiers}
    return "Vessel" if "imo" in kinds else "Aircraft" if TAIL in kinds else "Unknown"


def identifiers_of_subject(subject: Subject) -> tuple[Identifier, ...]:
    """Return every identifier that is known of a party, the LEI and the wallet among them."""
    lei = (Identifier("lei", subject.lei),) if subject.lei else ()
    wallet = (Identifier("wallet", subject.wallet),) if subject.wallet else ()
    return (*lei, *wallet, *subject.identifiers)


def expand_identifier_kinds(identifier: Identifier) -> tuple[tuple[str, str], ...]:
    """Return kind and value of everything under which a list may print an identifier.

    Its own first. The BIC of a branch stands for its bank too, of which lists print eight
    characters (ISO 9362). A wallet or LEI may be given, or printed, without saying that it is one.
    """
    kind, value = identifier.kind, identifier.value
    length = len(_normalize_number(value))
    if kind == TAIL:
        return ("registration", value), ("other", value)
    if kind == "bic" and len(value.strip()) == BRANCH:
        return (kind, value), (kind, value.strip()[:BANK])
    if kind == "wallet":
        return (kind, value), ("other", normalize_identifier(kind=kind, value=value))
    if kind not in ALIKE or length < LEAST_ALIKE:
        return ((kind, value),)
    long = LONG if kind == "other" and length >= LEAST_ADDRESS else ()
    return ((kind, value), *((other, value) for other in (*ALIKE, *long) if other != kind))


def is_same_number(first: str, other: str) -> bool:
    """Tell whether two spellings of a number have the same letters and digits."""
    return _normalize_number(first) == _normalize_number(other) != ""


def _normalize_number(value: str) -> str:
    return normalize_identifier(kind="other", value=value)


def describe_identifier_doubt(entity: ListedEntity, *, kind: str, identifier: Identifier) -> str:
    """Return why a number that the list prints as `kind` may be another's, else an empty text.

    The same number of two countries is two numbers; one of few characters is nobody's own
    unless its country agrees too.
    """
    if identifier.kind not in ALIKE:
        return ""
    listed = {
        listed_identifier.country
        for listed_identifier in entity.identifiers
        if listed_identifier.kind == kind
    } - {""}
    country = identifier.country
    if country and listed and country not in listed:
        return f"there it is of {', '.join(sorted(listed))}"
    if country not in listed and len(_normalize_number(identifier.value)) < LEAST_ALIKE:
        return "so short a number may be another's"
    return ""


def compute_effects(
    *,
    subject: Subject,
    entity: ListedEntity,
    known: Schema | None = None,
    qualifiers: Iterable[Qualifier] = (),
    exact: Identifier | None = None,
    share: Decimal = Decimal(1),
) -> tuple[MatchEffect, ...]:
    """Return what each given field did to a hit, and the bounds within which that is held.

    `known` is the type that the party is known to be, by the caller or by what its name field says
    (`MV NAME`). `exact` is the identifier that found it, `share` the score that it alone gave.
    """
    qualifiers = list(qualifiers)
    moved = {(qualifier.what, qualifier.query): qualifier for qualifier in qualifiers}
    rows = []
    for what, given_value, listed in _iter_given_facts(
        subject, known or schema_of_subject(subject), entity
    ):
        effect = moved.get((what, given_value))
        if exact is not None and (what, given_value) == (exact.kind, exact.value):
            rows.append(MatchEffect(what, given_value, given_value, share))
        elif effect is not None:
            rows.append(
                MatchEffect(what, given_value, effect.listed, _to_decimal_share(effect.effect))
            )
        else:
            rows.append(MatchEffect(what, given_value, listed, Decimal(0)))
    if exact is not None and (exact.kind, exact.value) not in {(r.what, r.query) for r in rows}:
        rows.append(MatchEffect(exact.kind, exact.value, exact.value, share))  # stands in a name
    hard = any(qualifier.hard for qualifier in qualifiers)
    bounds = (
        qualifier.effect for qualifier in qualifiers if qualifier.what == BOUNDS
    )  # 100 % needs no word
    rows += (
        MatchEffect(BOUNDS, "", "", _to_decimal_share(bound))
        for bound in bounds
        if hard or bound > 0
    )
    return tuple(rows)


def _to_decimal_share(effect: float) -> Decimal:
    return Decimal(str(round(effect, 4)))


def _iter_given_facts(
    subject: Subject, schema: Schema, entity: ListedEntity
) -> Iterator[tuple[str, str, str]]:
    """Yield what is known of the party and what the list has of it: kind, ours, theirs."""
    if schema != "Unknown" or is_type_conflict(known=schema, listed=entity.schema):
        yield "type", schema, entity.schema
    if subject.birth_date:
        yield "birth_date", subject.birth_date, ", ".join(entity.birth_dates)
    if subject.nationality:
        yield "countries", subject.nationality, ", ".join(entity.countries)
    if subject.address:
        yield "address", subject.address, ""
    for identifier in identifiers_of_subject(subject):
        values = (other.value for other in entity.identifiers if other.kind == identifier.kind)
        yield identifier.kind, identifier.value, ", ".join(sorted(values)[:5])


def describe_measures(entity: ListedEntity) -> Iterator[str]:
    """Yield what a list imposes on a party where that leaves its funds alone."""
    if entity.measures and not any("freeze" in measure.casefold() for measure in entity.measures):
        yield f"Measures that the list imposes: {', '.join(entity.measures)}, and no others."


def describe_weak_agreement(weak_agreement: WeakAgreement) -> str:
    """Return the sentence that tells why what agrees is no match by itself."""
    why = _THIN[weak_agreement.code].format(f"“{weak_agreement.words}”")
    craft = weak_agreement.code == "craft"
    what = "An IMO or tail number" if craft else "A birth date, an address or an identifier"
    if weak_agreement.code in CORROBORATED_BY_ANYTHING:
        what = "A birth date, a nationality, an address or an identifier"
    return f"{why} {what} that agrees would."


def describe_effects(
    *,
    known: Schema,
    entity: ListedEntity,
    match_effects: Iterable[MatchEffect],
    exact: Identifier | None = None,
) -> Iterator[str]:
    """Yield a sentence for each field that agreed with a listed party or contradicted it.

    That `exact` is on the list is told where it was found.
    """
    for match in match_effects:
        if exact is not None and (match.what, match.query) == (
            exact.kind,
            exact.value,
        ):
            continue
        if match.what == "type":
            why = cap_score_by_type(score=1.0, known=known, listed=entity.schema).why
            if why:
                yield why
        elif match.what == BOUNDS:
            yield _HELD if match.effect < 0 else _KEPT
        elif match.effect:
            how = "agrees with" if match.effect > 0 else "differs from"
            yield f"{WORDS[match.what]} {match.query} {how} the list's {match.listed}."
        elif match.what == "address" and match.listed:
            yield f"Address {match.query} is only in the same city as the list's {match.listed}."
