"""Compare the attributes of the screened party with those of the listed one. Pure.

Each verdict is the matcher's own: the effect that it recorded, or, if a score does not rest on an
attribute, the result of the same functions today. So the page cannot contradict the score.
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
from apps.reference.watchlists.matching.attribute_agreement import (
    KnownFacts,
    adjust_score_by_attributes,
)
from apps.reference.watchlists.matching.type_conflicts import is_type_conflict
from apps.reference.watchlists.rules.score_limits import to_whole_percent
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
    """Return the attributes of both sides of a recorded match (`ListMatch.recorded`).

    It is stated, too, if neither has a country, or a person no date of birth.
    """
    entity = parse_recorded_entity(row["entity"])
    known = KnownFacts(
        birth_date=subject.birth_date,
        countries=(subject.nationality,) if subject.nationality else (),
        identifiers=identifiers_of_subject(subject),
        address=subject.address,
    )
    # what the record did not count (a hit by identifier, a PEP) is judged by the same functions
    today = adjust_score_by_attributes(score=1.0, known=known, entity=entity).qualifiers
    judged = _MatcherVerdicts(
        {
            (effect["what"], effect["query"]): Decimal(str(effect["effect"]))
            for effect in row["effects"]
        },
        {(qualifier.what, qualifier.query): Decimal(str(qualifier.effect)) for qualifier in today},
        {
            (qualifier.what, qualifier.query)
            for qualifier in today
            if qualifier.what == "address" and not qualifier.effect
        },
    )
    return (
        _compare_names(subject, row),
        *_compare_types(subject, entity, judged, row),
        *_compare_birth_dates(subject, entity, judged),
        *_compare_countries(subject, entity, judged),
        *_compare_identifiers(subject, entity, judged),
        *_compare_addresses(subject, entity, judged),
    )


def parse_recorded_entity(recorded: dict[str, Any]) -> ListedEntity:
    """Return a listed party as a record has it."""
    return ListedEntity(
        entity_id=recorded["entityId"],
        schema=recorded["schema"],
        names=tuple(ListedName(name) for name in recorded["names"]),
        countries=tuple(recorded["countries"]),
        birth_dates=tuple(recorded["birthDates"]),
        identifiers=tuple(Identifier(**identifier) for identifier in recorded["identifiers"]),
        addresses=tuple(recorded["addresses"]),
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
    why, screened_name = row.get("explanation") or {}, subject.name
    listed = tuple(dict.fromkeys(name for name in (row["entity"]["primary"], row["name"]) if name))
    if row["exact"]:
        attribute = WORDS.get(row["by"].lower(), "an identifier")
        return AttributeComparison(
            "Name", screened_name, listed, NOT_GIVEN, f"found by {attribute}, not by name"
        )
    likeness = to_whole_percent(float(why.get("name_score", Decimal(row["score"]) / 100)))
    verdict = AGREES if likeness == 100 else RESEMBLES
    return AttributeComparison(
        "Name", screened_name, listed, verdict, f"{SAID[verdict]}, {likeness} %"
    )


def _compare_types(
    subject: Subject, entity: ListedEntity, judged: _MatcherVerdicts, row: dict[str, Any]
) -> Iterator[AttributeComparison]:
    # what the record took it for: a name may say it (`MV NAME`), which the subject does not tell
    took = (effect["query"] for effect in row["effects"] if effect["what"] == "type")
    known: Schema = next(took, schema_of_subject(subject))
    entity_type = subject.entity_type or ("person" if subject.individual else "")
    if subject.individual and SCHEMAS.get(entity_type, "Person") != "Person":
        entity_type = f"{entity_type}, and an individual"
    listed = "" if entity.schema == "Unknown" else entity.schema.lower()
    if not entity_type and known != "Unknown":
        entity_type = known.lower()  # an IMO or tail number, or the name, says it
    moved = judged.of("type", known)[1]
    if is_type_conflict(known=known, listed=entity.schema):
        words = (
            "differs" if entity_type else f"not stated as a{'n' * (listed[0] in 'aeiou')} {listed}"
        )
        yield AttributeComparison("Type", entity_type, (listed,), DIFFERS, words, moved)
    elif entity_type or listed:
        yield _build_comparison(
            "Type", entity_type if known != "Unknown" else "", (listed,), AGREES, moved
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
    listed_values = tuple(listed_value for listed_value in listed if listed_value)
    if not (asked and listed_values):
        lacks = NOT_LISTED if asked else NOT_ASKED if listed_values else NEITHER
        return AttributeComparison(what, asked, _limit_values(listed_values), NOT_GIVEN, lacks)
    if effect is None:
        words = f"{words or SAID[verdict]}; not in the score"
    return AttributeComparison(
        what, asked, _limit_values(listed_values), verdict, words or SAID[verdict], effect
    )


def _limit_values(values: tuple[str, ...]) -> tuple[str, ...]:
    more = len(values) - MOST
    return (*values[:MOST], f"and {more} more") if more > 0 else values


def _compare_birth_dates(
    subject: Subject, entity: ListedEntity, judged: _MatcherVerdicts
) -> Iterator[AttributeComparison]:
    birth_date, listed = subject.birth_date, entity.birth_dates
    if (
        not birth_date
        and not listed
        and "Person" not in (entity.schema, schema_of_subject(subject))
    ):
        return
    weight, moved = judged.of("birth_date", birth_date)
    # BIRTH_SLIP is zero: the same digits, with day and month exchanged
    words = "" if weight else "differs: day and month swapped?"
    yield _build_comparison(
        "Birth date", birth_date, listed, AGREES if weight > 0 else DIFFERS, moved, words
    )


def _compare_countries(
    subject: Subject, entity: ListedEntity, judged: _MatcherVerdicts
) -> Iterator[AttributeComparison]:
    nationality, listed = subject.nationality, entity.countries
    weight, moved = judged.of("countries", nationality)
    texts = [", ".join(country_name(code) for code in listed)]
    verdict = AGREES if weight > 0 else DIFFERS
    yield _build_comparison("Country", country_name(nationality), texts, verdict, moved)


def _compare_identifiers(
    subject: Subject, entity: ListedEntity, judged: _MatcherVerdicts
) -> Iterator[AttributeComparison]:
    """Yield each number that the client gave, and then all others that the list has."""
    shown: set[Identifier] = set()
    for subject_identifier in identifiers_of_subject(subject):
        weight, moved = judged.of(subject_identifier.kind, subject_identifier.value)
        bears = [
            identifier
            for identifier in entity.identifiers
            if is_same_number(identifier.value, subject_identifier.value)
        ]
        identifiers = (
            bears if weight > 0 or bears else _identifiers_of_kind(entity, subject_identifier)
        )
        shown.update(identifiers)
        why = next(
            (
                w
                for b in bears
                if (
                    w := describe_identifier_doubt(
                        entity, kind=b.kind, identifier=subject_identifier
                    )
                )
            ),
            "",
        )
        words = f"agrees; {why}" if why else "" if bears or weight else "differs, does not count"
        verdict = AGREES if weight > 0 or bears else DIFFERS
        listed = [
            format_identifier(held_one, told=held_one.kind != subject_identifier.kind)
            for held_one in identifiers
        ]
        if weight > 0 and not listed:
            listed = [subject_identifier.value]  # lists have a tail number as a name
        given_identifier = format_identifier(subject_identifier, told=False)
        yield _build_comparison(
            WORDS.get(subject_identifier.kind, subject_identifier.kind),
            given_identifier,
            listed,
            verdict,
            # an identifier that had no effect was compared all the same: 0, not "not in the score"
            moved or _NO_EFFECT,
            words,
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


def format_identifier(identifier: Identifier, *, told: bool = True) -> str:
    """Return an identifier with its country and, if `told`, its kind."""
    kind = f"{WORDS.get(identifier.kind, identifier.kind)} " if told else ""
    country = f" ({country_name(identifier.country)})" if identifier.country else ""
    return f"{kind}{identifier.value}{country}"


def _compare_addresses(
    subject: Subject, entity: ListedEntity, judged: _MatcherVerdicts
) -> Iterator[AttributeComparison]:
    address, listed = subject.address, entity.addresses
    if not address and not listed:
        return
    weight, moved = judged.of("address", address)
    verdict, words = AGREES, ""
    if ("address", address) in judged.cities:
        verdict, words = RESEMBLES, "only the city, does not count"
    elif weight <= 0:
        verdict, words = DIFFERS, "differs, does not count"
    yield _build_comparison("Address", address, listed, verdict, moved, words)
