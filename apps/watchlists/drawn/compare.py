"""Holds what was asked of a party against what a list says of it, attribute by attribute. Pure.

Each verdict is the matcher's own: the effect that it recorded, or, where a score does not rest on
an attribute, what the same functions say of it today. So the page cannot say other than the score.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.core.places import country_name
from apps.watchlists.evidence import SCHEMAS, TAIL, WORDS, doubt, numbers, same, schema_of
from apps.watchlists.matching.qualifiers import Known, qualify
from apps.watchlists.matching.types import contradicts
from apps.watchlists.rules import percent
from apps.watchlists.subjects import Subject
from apps.watchlists.values import Identifier, ListedEntity, ListedName, Schema

AGREES, RESEMBLES, DIFFERS, NOT_GIVEN = "AGREES", "RESEMBLES", "DIFFERS", "NOT_GIVEN"
SAID = {AGREES: "agrees", RESEMBLES: "resembles", DIFFERS: "differs"}
NOT_ASKED, NOT_LISTED = "not given by the client", "not on the list"
NEITHER = "given by neither"
MOST = 4  # values of one attribute that are shown; the others are counted
_NO_EFFECT = Decimal(0)


@dataclass(frozen=True, slots=True)
class Compared:
    """One attribute of both parties; `effect` in shares of 1, None where the score has no say.

    `words` tell the verdict and, where a value lacks, on which side.
    """

    what: str
    asked: str
    listed: tuple[str, ...]
    verdict: str
    words: str
    effect: Decimal | None = None


def compared(*, subject: Subject, row: dict[str, Any]) -> tuple[Compared, ...]:
    """Return what either side gives, of a recorded match (`Match.recorded`).

    That neither has a country, nor a person a date of birth, is told too.
    """
    entity = listed_entity(row["entity"])
    judged = _judged(subject, entity, row)
    return (
        _name(subject, row),
        *_type(subject, entity, judged, row),
        *_birth(subject, entity, judged),
        *_countries(subject, entity, judged),
        *_identifiers(subject, entity, judged),
        *_address(subject, entity, judged),
    )


def listed_entity(kept: dict[str, Any]) -> ListedEntity:
    """Return a listed party as a record has it."""
    return ListedEntity(
        entity_id=kept["entityId"],
        schema=kept["schema"],
        names=tuple(ListedName(name) for name in kept["names"]),
        countries=tuple(kept["countries"]),
        birth_dates=tuple(kept["birthDates"]),
        identifiers=tuple(Identifier(**one) for one in kept["identifiers"]),
        addresses=tuple(kept["addresses"]),
    )


@dataclass(frozen=True, slots=True)
class _Judged:
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


def _judged(subject: Subject, entity: ListedEntity, row: dict[str, Any]) -> _Judged:
    known = Known(
        birth_date=subject.birth_date,
        countries=(subject.nationality,) if subject.nationality else (),
        identifiers=numbers(subject),
        address=subject.address,
    )
    today = qualify(score=1.0, known=known, entity=entity).qualifiers
    return _Judged(
        {(one["what"], one["query"]): Decimal(str(one["effect"])) for one in row["effects"]},
        {(one.what, one.query): Decimal(str(one.effect)) for one in today},
        {(one.what, one.query) for one in today if one.what == "address" and not one.effect},
    )


def _name(subject: Subject, row: dict[str, Any]) -> Compared:
    """Compare the names that found each other."""
    why, asked = row.get("explanation") or {}, subject.name
    listed = tuple(dict.fromkeys(name for name in (row["entity"]["primary"], row["name"]) if name))
    if row["exact"]:
        found = WORDS.get(row["by"].lower(), "an identifier")
        return Compared("Name", asked, listed, NOT_GIVEN, f"found by {found}, not by name")
    likeness = percent(float(why.get("name_score", Decimal(row["score"]) / 100)))
    verdict = AGREES if likeness == 100 else RESEMBLES
    return Compared("Name", asked, listed, verdict, f"{SAID[verdict]}, {likeness} %")


def _type(
    subject: Subject, entity: ListedEntity, judged: _Judged, row: dict[str, Any]
) -> Iterator[Compared]:
    # what the record took it for: a name may say it (`MV NAME`), which the subject does not tell
    took = (one["query"] for one in row["effects"] if one["what"] == "type")
    known: Schema = next(took, schema_of(subject))
    said = subject.entity_type or ("person" if subject.individual else "")
    if subject.individual and SCHEMAS.get(said, "Person") != "Person":
        said = f"{said}, and an individual"
    listed = "" if entity.schema == "Unknown" else entity.schema.lower()
    if not said and known != "Unknown":
        said = known.lower()  # an IMO or tail number, or the name, says it
    moved = judged.of("type", known)[1]
    if contradicts(known=known, listed=entity.schema):
        words = "differs" if said else f"not said to be a{'n' * (listed[0] in 'aeiou')} {listed}"
        yield Compared("Type", said, (listed,), DIFFERS, words, moved)
    elif said or listed:
        yield _row("Type", said if known != "Unknown" else "", (listed,), AGREES, moved)


def _row(
    what: str,
    asked: str,
    listed: Iterable[str],
    verdict: str,
    effect: Decimal | None = None,
    words: str = "",
) -> Compared:
    """Return a row; what one side lacks decides nothing, whatever the verdict would be."""
    held = tuple(one for one in listed if one)
    if not (asked and held):
        lacks = NOT_LISTED if asked else NOT_ASKED if held else NEITHER
        return Compared(what, asked, _some(held), NOT_GIVEN, lacks)
    if effect is None:
        words = f"{words or SAID[verdict]}; not in the score"
    return Compared(what, asked, _some(held), verdict, words or SAID[verdict], effect)


def _some(values: tuple[str, ...]) -> tuple[str, ...]:
    more = len(values) - MOST
    return (*values[:MOST], f"and {more} more") if more > 0 else values


def _birth(subject: Subject, entity: ListedEntity, judged: _Judged) -> Iterator[Compared]:
    asked, listed = subject.birth_date, entity.birth_dates
    if not asked and not listed and "Person" not in (entity.schema, schema_of(subject)):
        return
    weight, moved = judged.of("birth_date", asked)
    words = "" if weight else "differs: day and month swapped?"
    yield _row("Birth date", asked, listed, AGREES if weight > 0 else DIFFERS, moved, words)


def _countries(subject: Subject, entity: ListedEntity, judged: _Judged) -> Iterator[Compared]:
    asked, listed = subject.nationality, entity.countries
    weight, moved = judged.of("countries", asked)
    told = [", ".join(country_name(code) for code in listed)]
    verdict = AGREES if weight > 0 else DIFFERS
    yield _row("Country", country_name(asked), told, verdict, moved)


def _identifiers(subject: Subject, entity: ListedEntity, judged: _Judged) -> Iterator[Compared]:
    """Yield each number that the client gave, and then all others that the list has."""
    shown: set[Identifier] = set()
    for one in numbers(subject):
        weight, moved = judged.of(one.kind, one.value)
        bears = [held for held in entity.identifiers if same(held.value, one.value)]
        held = bears if weight > 0 or bears else _of_kind(entity, one)
        shown.update(held)
        why = next((w for b in bears if (w := doubt(entity, kind=b.kind, identifier=one))), "")
        words = f"agrees; {why}" if why else "" if bears or weight else "differs, counts nothing"
        verdict = AGREES if weight > 0 or bears else DIFFERS
        listed = [_number(held_one, told=held_one.kind != one.kind) for held_one in held]
        if weight > 0 and not listed:
            listed = [one.value]  # a tail number stands as a name on lists
        asked = _number(one, told=False)
        yield _row(
            WORDS.get(one.kind, one.kind), asked, listed, verdict, moved or _NO_EFFECT, words
        )
    others = [_number(one) for one in entity.identifiers if one not in shown]
    if others:
        what = "Other identifiers" if shown else "Identifiers"
        yield _row(what, "", others, NOT_GIVEN)


def _of_kind(entity: ListedEntity, asked: Identifier) -> list[Identifier]:
    kinds = {asked.kind, "registration"} if asked.kind == TAIL else {asked.kind}
    return [one for one in entity.identifiers if one.kind in kinds]


def _number(one: Identifier, *, told: bool = True) -> str:
    kind = f"{WORDS.get(one.kind, one.kind)} " if told else ""
    country = f" ({country_name(one.country)})" if one.country else ""
    return f"{kind}{one.value}{country}"


def _address(subject: Subject, entity: ListedEntity, judged: _Judged) -> Iterator[Compared]:
    asked, listed = subject.address, entity.addresses
    if not asked and not listed:
        return
    weight, moved = judged.of("address", asked)
    verdict, words = AGREES, ""
    if ("address", asked) in judged.cities:
        verdict, words = RESEMBLES, "the city alone, counts nothing"
    elif weight <= 0:
        verdict, words = DIFFERS, "differs, counts nothing"
    yield _row("Address", asked, listed, verdict, moved, words)
