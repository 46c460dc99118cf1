"""Holds what was asked of a party against what a list says of it, attribute by attribute. Pure.

Each verdict is the matcher's own: the effect that it recorded, or, where a score does not rest on
an attribute, what the same functions say of it today. So the page cannot say other than the score.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.platform.common.country_names import country_name
from apps.reference.watchlists.listed_entity import Identifier, ListedEntity, ListedName, Schema
from apps.reference.watchlists.match_effects import (
    SCHEMAS,
    TAIL,
    WORDS,
    describe_identifier_doubt,
    identifiers_of_subject,
    is_same_number,
    schema_of_subject,
)
from apps.reference.watchlists.matching.qualifiers import KnownFacts, qualify_score
from apps.reference.watchlists.matching.type_conflicts import is_type_conflict
from apps.reference.watchlists.rules import to_whole_percent
from apps.reference.watchlists.subjects import Subject

AGREES, RESEMBLES, DIFFERS, NOT_GIVEN = "AGREES", "RESEMBLES", "DIFFERS", "NOT_GIVEN"
SAID = {AGREES: "agrees", RESEMBLES: "resembles", DIFFERS: "differs"}
NOT_ASKED, NOT_LISTED = "not given by the client", "not on the list"
NEITHER = "given by neither"
MOST = 4  # values of one attribute that are shown; the others are counted
_NO_EFFECT = Decimal(0)


@dataclass(frozen=True, slots=True)
class AttributeComparison:
    """One attribute of both parties; `effect` in shares of 1, None where the score has no say.

    `words` tell the verdict and, where a value lacks, on which side.
    """

    what: str
    asked: str
    listed: tuple[str, ...]
    verdict: str
    words: str
    effect: Decimal | None = None


def compare_attributes(*, subject: Subject, row: dict[str, Any]) -> tuple[AttributeComparison, ...]:
    """Return what either side gives, of a recorded match (`Match.recorded`).

    That neither has a country, nor a person a date of birth, is told too.
    """
    entity = parse_recorded_entity(row["entity"])
    known = KnownFacts(
        birth_date=subject.birth_date,
        countries=(subject.nationality,) if subject.nationality else (),
        identifiers=identifiers_of_subject(subject),
        address=subject.address,
    )
    today = qualify_score(score=1.0, known=known, entity=entity).qualifiers
    judged = _MatcherVerdicts(
        {
            (effect["what"], effect["query"]): Decimal(str(effect["effect"]))
            for effect in row["effects"]
        },
        {(one.what, one.query): Decimal(str(one.effect)) for one in today},
        {(one.what, one.query) for one in today if one.what == "address" and not one.effect},
    )
    return (
        _compare_names(subject, row),
        *_compare_types(subject, entity, judged, row),
        *_compare_birth_dates(subject, entity, judged),
        *_compare_countries(subject, entity, judged),
        *_compare_identifiers(subject, entity, judged),
        *_compare_addresses(subject, entity, judged),
    )


def parse_recorded_entity(kept: dict[str, Any]) -> ListedEntity:
    """Return a listed party as a record has it."""
    return ListedEntity(
        entity_id=kept["entityId"],
        schema=kept["schema"],
        names=tuple(ListedName(name) for name in kept["names"]),
        countries=tuple(kept["countries"]),
        birth_dates=tuple(kept["birthDates"]),
        identifiers=tuple(Identifier(**identifier) for identifier in kept["identifiers"]),
        addresses=tuple(kept["addresses"]),
    )


@dataclass(frozen=True, slots=True)
class _MatcherVerdicts:
    """What the matcher said: `counted` moved the score, `today` is said by the same functions.

    `cities` are addresses that agree by their city alone.
    """

    counted: dict[tuple[str, str], Decimal]
    today: dict[tuple[str, str], Decimal]
    cities: set[tuple[str, str]]

    def of(self, what: str, asked: str) -> tuple[Decimal, Decimal | None]:
        """Return by how much an attribute speaks for both, and how far it moved the score."""
        moved = self.counted.get((what, asked))
        return (moved or self.today.get((what, asked), _NO_EFFECT)), moved


def _compare_names(subject: Subject, row: dict[str, Any]) -> AttributeComparison:
    """Compare the names that found each other."""
    why, asked = row.get("explanation") or {}, subject.name
    listed = tuple(dict.fromkeys(name for name in (row["entity"]["primary"], row["name"]) if name))
    if row["exact"]:
        found = WORDS.get(row["by"].lower(), "an identifier")
        return AttributeComparison(
            "Name", asked, listed, NOT_GIVEN, f"found by {found}, not by name"
        )
    likeness = to_whole_percent(float(why.get("name_score", Decimal(row["score"]) / 100)))
    verdict = AGREES if likeness == 100 else RESEMBLES
    return AttributeComparison("Name", asked, listed, verdict, f"{SAID[verdict]}, {likeness} %")


def _compare_types(
    subject: Subject, entity: ListedEntity, judged: _MatcherVerdicts, row: dict[str, Any]
) -> Iterator[AttributeComparison]:
    # what the record took it for: a name may say it (`MV NAME`), which the subject does not tell
    took = (effect["query"] for effect in row["effects"] if effect["what"] == "type")
    known: Schema = next(took, schema_of_subject(subject))
    said = subject.entity_type or ("person" if subject.individual else "")
    if subject.individual and SCHEMAS.get(said, "Person") != "Person":
        said = f"{said}, and an individual"
    listed = "" if entity.schema == "Unknown" else entity.schema.lower()
    if not said and known != "Unknown":
        said = known.lower()  # an IMO or tail number, or the name, says it
    moved = judged.of("type", known)[1]
    if is_type_conflict(known=known, listed=entity.schema):
        words = "differs" if said else f"not said to be a{'n' * (listed[0] in 'aeiou')} {listed}"
        yield AttributeComparison("Type", said, (listed,), DIFFERS, words, moved)
    elif said or listed:
        yield _build_comparison(
            "Type", said if known != "Unknown" else "", (listed,), AGREES, moved
        )


def _build_comparison(
    what: str,
    asked: str,
    listed: Iterable[str],
    verdict: str,
    effect: Decimal | None = None,
    words: str = "",
) -> AttributeComparison:
    """Return a row; what one side lacks decides nothing, whatever the verdict would be."""
    held = tuple(one for one in listed if one)
    if not (asked and held):
        lacks = NOT_LISTED if asked else NOT_ASKED if held else NEITHER
        return AttributeComparison(what, asked, _limit_values(held), NOT_GIVEN, lacks)
    if effect is None:
        words = f"{words or SAID[verdict]}; not in the score"
    return AttributeComparison(
        what, asked, _limit_values(held), verdict, words or SAID[verdict], effect
    )


def _limit_values(values: tuple[str, ...]) -> tuple[str, ...]:
    more = len(values) - MOST
    return (*values[:MOST], f"and {more} more") if more > 0 else values


def _compare_birth_dates(
    subject: Subject, entity: ListedEntity, judged: _MatcherVerdicts
) -> Iterator[AttributeComparison]:
    asked, listed = subject.birth_date, entity.birth_dates
    if not asked and not listed and "Person" not in (entity.schema, schema_of_subject(subject)):
        return
    weight, moved = judged.of("birth_date", asked)
    words = "" if weight else "differs: day and month swapped?"
    yield _build_comparison(
        "Birth date", asked, listed, AGREES if weight > 0 else DIFFERS, moved, words
    )


def _compare_countries(
    subject: Subject, entity: ListedEntity, judged: _MatcherVerdicts
) -> Iterator[AttributeComparison]:
    asked, listed = subject.nationality, entity.countries
    weight, moved = judged.of("countries", asked)
    told = [", ".join(country_name(code) for code in listed)]
    verdict = AGREES if weight > 0 else DIFFERS
    yield _build_comparison("Country", country_name(asked), told, verdict, moved)


def _compare_identifiers(
    subject: Subject, entity: ListedEntity, judged: _MatcherVerdicts
) -> Iterator[AttributeComparison]:
    """Yield each number that the client gave, and then all others that the list has."""
    shown: set[Identifier] = set()
    for one in identifiers_of_subject(subject):
        weight, moved = judged.of(one.kind, one.value)
        bears = [held for held in entity.identifiers if is_same_number(held.value, one.value)]
        held = bears if weight > 0 or bears else _identifiers_of_kind(entity, one)
        shown.update(held)
        why = next(
            (
                w
                for b in bears
                if (w := describe_identifier_doubt(entity, kind=b.kind, identifier=one))
            ),
            "",
        )
        words = f"agrees; {why}" if why else "" if bears or weight else "differs, counts nothing"
        verdict = AGREES if weight > 0 or bears else DIFFERS
        listed = [format_identifier(held_one, told=held_one.kind != one.kind) for held_one in held]
        if weight > 0 and not listed:
            listed = [one.value]  # a tail number stands as a name on lists
        asked = format_identifier(one, told=False)
        yield _build_comparison(
            WORDS.get(one.kind, one.kind), asked, listed, verdict, moved or _NO_EFFECT, words
        )
    others = [
        format_identifier(identifier)
        for identifier in entity.identifiers
        if identifier not in shown
    ]
    if others:
        what = "Other identifiers" if shown else "Identifiers"
        yield _build_comparison(what, "", others, NOT_GIVEN)


def _identifiers_of_kind(entity: ListedEntity, asked: Identifier) -> list[Identifier]:
    kinds = {asked.kind, "registration"} if asked.kind == TAIL else {asked.kind}
    return [identifier for identifier in entity.identifiers if identifier.kind in kinds]


def format_identifier(one: Identifier, *, told: bool = True) -> str:
    """Return an identifier with its country and, where `told`, its kind."""
    kind = f"{WORDS.get(one.kind, one.kind)} " if told else ""
    country = f" ({country_name(one.country)})" if one.country else ""
    return f"{kind}{one.value}{country}"


def _compare_addresses(
    subject: Subject, entity: ListedEntity, judged: _MatcherVerdicts
) -> Iterator[AttributeComparison]:
    asked, listed = subject.address, entity.addresses
    if not asked and not listed:
        return
    weight, moved = judged.of("address", asked)
    verdict, words = AGREES, ""
    if ("address", asked) in judged.cities:
        verdict, words = RESEMBLES, "the city alone, counts nothing"
    elif weight <= 0:
        verdict, words = DIFFERS, "differs, counts nothing"
    yield _build_comparison("Address", asked, listed, verdict, moved, words)
