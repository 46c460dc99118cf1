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
LONG = ("wallet", "lei")  # what else a long number of kind `other` may be
LEAST_ALIKE = 6  # letters and digits; shorter numbers mean something only under their own kind
TAIL = "tail_number"
BOUNDS = "bounds"
_HELD = "A hard fact differs: the score stays below a match."
_KEPT = "Despite the contradiction, the name still needs review."
BANK, BRANCH = 8, 11  # characters of a BIC
WORDS = {
    "type": "Type",
    BOUNDS: "Score limits",
    "near": "Name only similar",
    "one_word": "One common word",
    "common_words": "Two common words",
    "trade_words": "Trade, state and place words",
    "cut_line": "Truncated line",
    "half_name": "Part of a name",
    "business": "Business, but a person is listed",
    "other_family": "Different family name",
    "syllables": "Syllables spelt differently",
    "persons_name": "Personal name, but an organisation is listed",
    "other_body": "Further word next to a short name",
    "state_office": "Office that every state has",
    "name_and_trade": "Common name with trade words",
    "unlike_name": "Trade words with a different name",
    "like_one_word": "Common name that is only similar",
    "business_part": "Business with part of a person's name",
    "body_in_characters": "Organisation in characters, but a person is listed",
    "by_consonants": "Only the consonants match",
    "by_sound": "Match by sound or transliteration only",
    "common_name": "Only common names match",
    "common_part": "Only part of a name matches, and it is common",
    "craft": "Similar name of a ship or aircraft",
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
    "one_word": "Only {} matches, and it is a common word or name, or not certainly the listed "
    "one: by itself this does not block.",
    "common_words": "Only {} matches, and the names have other words that differ: by itself this "
    "does not block.",
    "trade_words": "Only the trade, state and place words {} match, and the names differ "
    "otherwise: by itself this does not block.",
    "cut_line": "The line ends within the listed name, after {}: by itself this does not block.",
    "half_name": "The name {} lacks a syllable of the listed name, or has another family name: by "
    "itself this does not call for review.",
    "business": "The word {} indicates a business, and a person is listed: by itself this does not "
    "block.",
    "other_family": "{} is only similar to the listed name, and the other names are common: by "
    "itself this does not block.",
    "syllables": "A syllable of the given name in {} is spelt differently from the list: by itself "
    "this does not block.",
    "persons_name": "{} is a common personal name, and the name is not the whole name of the "
    "listed organisation: by itself this does not block.",
    "other_body": "The name adds {} to the name of the listed organisation, so it is a different "
    "one: by itself this does not block.",
    "state_office": "Every state has a {}, and the name does not say which state: by itself this "
    "does not block.",
    "name_and_trade": "Apart from trade words only the common name {} matches, and it is only "
    "similar or not the whole name: by itself this does not block.",
    "unlike_name": "Only trade words match, and {} is not the listed name: by itself this does not "
    "call for review.",
    "like_one_word": "Only {} matches, a personal name similar to a word of the listed name: by "
    "itself this does not call for review.",
    "business_part": "A business has the common name {} in its name, and the listed person has "
    "further names: by itself this does not call for review.",
    "body_in_characters": "The characters name an organisation, and the name of the listed person "
    "is not at their beginning: by itself this does not call for review.",
    "by_consonants": "The names match in {} only by their consonants, and not in full: by itself "
    "this does not call for review.",
    "by_sound": "The names match in {} only by sound or transliteration: by itself this does not "
    "block.",
    "common_name": "Only common names match, wholly or nearly ({}): by itself this does not block.",
    "common_part": "Only the common given and family names {} match, as part of longer or "
    "different names: by itself this does not call for review.",
    "craft": "{} is only similar to the name of the listed ship or aircraft: by itself this does "
    "not block.",
}

# what moves a score although no submitted field was compared with the list's
OF_THE_NAME = frozenset({BOUNDS, "near", *_THIN})


@dataclass(frozen=True, slots=True)
class MatchEffect:
    """The effect of one given field on a score, in shares of 1; 0 if the list has no such field."""

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
    """Return the known type of a party, `Unknown` if none or both are stated.

    An IMO or tail number says that it is a ship or an aircraft, unless the caller says more.
    """
    schema = SCHEMAS.get(subject.entity_type)
    # a contradiction says nothing of the type (docs/design.md, What is compared with what)
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

    Its own kind first. The BIC of a branch also matches its bank's, of which lists print eight
    characters (ISO 9362). A wallet or LEI may be given, or printed, under another kind.
    """
    kind, value = identifier.kind, identifier.value
    length = len(_normalize_number(value))
    # lists print tail numbers as registrations, or under no kind of their own
    if kind == TAIL:
        return ("registration", value), ("other", value)
    if kind == "bic" and len(value.strip()) == BRANCH:
        return (kind, value), (kind, value.strip()[:BANK])
    if kind == "wallet":
        return (kind, value), ("other", normalize_identifier(kind=kind, value=value))
    # lists differ in what they call a document; a short number would be somebody else's elsewhere
    if kind not in ALIKE or length < LEAST_ALIKE:
        return ((kind, value),)
    long = LONG if kind == "other" and length >= LEAST_ADDRESS else ()
    return ((kind, value), *((other, value) for other in (*ALIKE, *long) if other != kind))


def is_same_number(first: str, other: str) -> bool:
    """Return whether two spellings of a number have the same letters and digits."""
    return _normalize_number(first) == _normalize_number(other) != ""


def _normalize_number(value: str) -> str:
    return normalize_identifier(kind="other", value=value)


def describe_identifier_doubt(entity: ListedEntity, *, kind: str, identifier: Identifier) -> str:
    """Return why a number that the list prints as `kind` may be another's, else an empty text.

    The same number of two countries is two numbers; a short number is ambiguous unless its country
    agrees too.
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
        return f"the list gives its country as {', '.join(sorted(listed))}"
    # here none or only one of the two names a country
    if country not in listed and len(_normalize_number(identifier.value)) < LEAST_ALIKE:
        return "a number this short may belong to another party"
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
    """Return the effect of each given field on a hit, and of the score limits.

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
        rows.append(MatchEffect(exact.kind, exact.value, exact.value, share))  # part of a name
    # an upper bound is worth a row only where a hard fact caused it
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
    """Yield the party's known facts and the list's: kind, ours, theirs."""
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
    """Yield the list's measures against a party if they do not freeze its funds."""
    if entity.measures and not any("freeze" in measure.casefold() for measure in entity.measures):
        yield f"The list imposes only these measures: {', '.join(entity.measures)}."


def describe_weak_agreement(weak_agreement: WeakAgreement) -> str:
    """Return the sentence why the agreement is not a match by itself."""
    why = _THIN[weak_agreement.code].format(f"“{weak_agreement.words}”")
    craft = weak_agreement.code == "craft"
    what = "IMO or tail number" if craft else "birth date, address or identifier"
    if weak_agreement.code in CORROBORATED_BY_ANYTHING:
        what = "birth date, nationality, address or identifier"
    return f"{why} A matching {what} would."


def describe_effects(
    *,
    known: Schema,
    entity: ListedEntity,
    match_effects: Iterable[MatchEffect],
    exact: Identifier | None = None,
) -> Iterator[str]:
    """Yield a sentence for each field that agreed with a listed party or contradicted it.

    `exact` is left out: the look-up reports it.
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
