"""What is known besides the name: birth date, nationality and identifiers of both parties."""

from collections.abc import Iterator
from dataclasses import dataclass

from apps.watchlists.matching.identifiers import normal_identifier
from apps.watchlists.values import Identifier, ListedEntity

SAME_BIRTH = 0.03
SAME_BIRTH_YEAR = -0.05
BIRTH_SLIP = 0.0
NEAR_BIRTH_YEAR = -0.10
OTHER_BIRTH = -0.25
NEAR_YEARS = 3
OTHER_COUNTRY = -0.10
OTHER_IDENTIFIER = -0.15
NUMBERS = frozenset({"lei", "imo", "bic", "passport", "national_id", "tax_id", "registration"})


@dataclass(frozen=True, slots=True)
class Qualifier:
    """One thing known of both parties, and by how much it moved the score."""

    what: str
    query: str
    listed: str
    effect: float


@dataclass(frozen=True, slots=True)
class Qualified:
    """The score after the qualifiers, and each of them."""

    score: float
    qualifiers: tuple[Qualifier, ...]


def qualify(
    *,
    score: float,
    birth_date: str,
    countries: tuple[str, ...],
    identifiers: tuple[Identifier, ...],
    entity: ListedEntity,
) -> Qualified:
    """Return the score moved by what is known of both parties; what one side lacks moves nothing.

    Dates are ISO and may be partial. `countries` are the party's own, never a destination.
    """
    found = (
        *_birth(birth_date, entity.birth_dates),
        *_countries(countries, entity.countries),
        *_identifiers(identifiers, entity.identifiers),
    )
    moved = score + sum(qualifier.effect for qualifier in found)
    return Qualified(score=max(0.0, min(1.0, moved)), qualifiers=found)


def _birth(sought: str, listed: tuple[str, ...]) -> Iterator[Qualifier]:
    effects = [_birth_effect(sought, date) for date in listed if sought and date]
    if effects:
        yield Qualifier("birth_date", sought, ", ".join(listed), max(effects))


def _birth_effect(one: str, other: str) -> float:
    if one.startswith(other) or other.startswith(one):
        return SAME_BIRTH
    if not (one[:4].isdigit() and other[:4].isdigit()):
        return 0.0
    apart = abs(int(one[:4]) - int(other[:4]))
    if apart == 0:
        return (
            BIRTH_SLIP if one[5:7] == other[8:10] and one[8:10] == other[5:7] else SAME_BIRTH_YEAR
        )
    return NEAR_BIRTH_YEAR if apart <= NEAR_YEARS else OTHER_BIRTH


def _countries(sought: tuple[str, ...], listed: tuple[str, ...]) -> Iterator[Qualifier]:
    known = sorted({country.upper() for country in sought if country})
    held = sorted({country.upper() for country in listed if country})
    if known and held and not set(known) & set(held):
        yield Qualifier("countries", ", ".join(known), ", ".join(held), OTHER_COUNTRY)


def _identifiers(
    sought: tuple[Identifier, ...], listed: tuple[Identifier, ...]
) -> Iterator[Qualifier]:
    for identifier in sought:
        if identifier.kind not in NUMBERS:
            continue
        held = [one for one in listed if one.kind == identifier.kind]
        same_country = [one for one in held if one.country == identifier.country] or held
        values = {normal_identifier(kind=one.kind, value=one.value) for one in same_country}
        own = normal_identifier(kind=identifier.kind, value=identifier.value)
        if values and own and own not in values:
            listed_values = ", ".join(sorted(values))
            yield Qualifier(identifier.kind, identifier.value, listed_values, OTHER_IDENTIFIER)
