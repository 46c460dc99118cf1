"""Attributes other than the name: birth date, nationality and identifiers of both parties."""

from collections.abc import Iterator
from dataclasses import dataclass

from apps.reference.watchlists.listed_entity import Identifier, ListedEntity, Schema
from apps.reference.watchlists.matching.identifiers import normalize_identifier
from apps.reference.watchlists.matching.postal_addresses import compare_addresses
from apps.reference.watchlists.matching.thresholds import BELOW_MATCH, LOOK, MATCH
from apps.reference.watchlists.matching.type_conflicts import cap_score_by_type, is_type_conflict

SAME_BIRTH, SAME_BIRTH_YEAR = 0.08, 0.03  # to the day; as far as both sides say
OTHER_DAY = -0.05
BIRTH_SLIP = 0.0
NEAR_BIRTH_YEAR, OTHER_BIRTH = -0.10, -0.25
NEAR_YEARS = 3
SAME_COUNTRY, OTHER_COUNTRY = 0.02, -0.10
SAME_ADDRESS = 0.03
OTHER_IDENTIFIER = -0.15
MOST = SAME_BIRTH + SAME_COUNTRY + SAME_ADDRESS
"""The most by which qualifiers raise a score."""
NUMBERS = frozenset({"lei", "imo", "bic", "passport", "national_id", "tax_id", "registration"})
_DAY = len("1965-03-02")


@dataclass(frozen=True, slots=True)
class Qualifier:
    """One thing known of both parties, by how much it moved the score, and whether it is `hard`.

    A hard fact that contradicts keeps the score below a match.
    """

    what: str
    query: str
    listed: str
    effect: float
    hard: bool = False


@dataclass(frozen=True, slots=True)
class QualifiedScore:
    """The score after the qualifiers, and each of them."""

    score: float
    qualifiers: tuple[Qualifier, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFacts:
    """The known attributes of the party other than its name.

    Dates are ISO and may be partial. `countries` are the party's own, never a destination.
    `schema` is None if types are not judged, `Unknown` if the type is not stated.
    """

    birth_date: str = ""
    countries: tuple[str, ...] = ()
    identifiers: tuple[Identifier, ...] = ()
    address: str = ""
    schema: Schema | None = None


def adjust_score_by_attributes(
    *, score: float, known: KnownFacts, entity: ListedEntity
) -> QualifiedScore:
    """Return the score adjusted by the attributes of both parties; missing ones have no effect.

    A type that contradicts leaves at most 0.69 (`type_conflicts`). Another birth year or number
    leaves at most 0.69; what is no hard fact leaves a match a match. But for the type, a name that
    needs review is never moved below review.
    """
    found = (
        *_qualify_birth_date(known.birth_date, entity.birth_dates),
        *_qualify_countries(known.countries, entity.countries),
        *_qualify_identifiers(known.identifiers, entity.identifiers),
        *_qualify_address(known.address, entity.addresses),
    )
    moved = score + sum(qualifier.effect for qualifier in found)
    # keep below a match what a hard fact contradicts, and else in sight what the name brought
    hard = any(qualifier.hard for qualifier in found)
    if hard:
        # hard: below a match, but a name that an officer would have seen stays in sight
        least, most = (LOOK if score >= LOOK else 0.0), BELOW_MATCH
    else:
        least, most = next((one for one in (MATCH, LOOK) if score >= one), 0.0), 1.0
    held = min(most, max(moved, least))
    if held != moved:
        found = (*found, Qualifier("bounds", "", "", held - moved))
    if known.schema is None or not is_type_conflict(known=known.schema, listed=entity.schema):
        return QualifiedScore(score=held, qualifiers=found)
    # by the name's own score: other attributes must not lift a ship to its threshold
    left = min(held, cap_score_by_type(score=score, known=known.schema, listed=entity.schema).score)
    other = Qualifier("type", known.schema, entity.schema, left - held)
    return QualifiedScore(score=left, qualifiers=(*found, other))


def _qualify_birth_date(sought: str, listed: tuple[str, ...]) -> Iterator[Qualifier]:
    effects = [_compare_birth_dates(sought, date) for date in listed if sought and date]
    if effects:
        # the list may print several dates: one that does not contradict counts before one that does
        effect, hard = max(effects, key=lambda one: (not one[1], one[0]))
        yield Qualifier("birth_date", sought, ", ".join(listed), effect, hard)


def _compare_birth_dates(one: str, other: str) -> tuple[float, bool]:
    """Return what two dates of birth move, and whether their years contradict each other."""
    # ISO dates: a partial one is the beginning of each date that it may be
    if one.startswith(other) or other.startswith(one):
        return (SAME_BIRTH if one == other and len(one) >= _DAY else SAME_BIRTH_YEAR), False
    if not (one[:4].isdigit() and other[:4].isdigit()):
        return 0.0, False
    apart = abs(int(one[:4]) - int(other[:4]))
    if apart == 0:
        # day and month written in the other order: no evidence against the party, and none for it
        swapped = one[5:7] == other[8:10] and one[8:10] == other[5:7]
        return (BIRTH_SLIP if swapped else OTHER_DAY), False
    return (NEAR_BIRTH_YEAR if apart <= NEAR_YEARS else OTHER_BIRTH), True


def _qualify_countries(sought: tuple[str, ...], listed: tuple[str, ...]) -> Iterator[Qualifier]:
    known = sorted({country.upper() for country in sought if country})
    held = sorted({country.upper() for country in listed if country})
    if known and held:
        effect = SAME_COUNTRY if set(known) & set(held) else OTHER_COUNTRY
        yield Qualifier("countries", ", ".join(known), ", ".join(held), effect)


def _qualify_identifiers(
    sought: tuple[Identifier, ...], listed: tuple[Identifier, ...]
) -> Iterator[Qualifier]:
    for identifier in sought:
        # wallets and numbers of unknown kind are looked up, but contradict nothing
        if identifier.kind not in NUMBERS:
            continue
        held = [
            one
            for one in listed
            if one.kind == identifier.kind and _are_comparable_identifiers(one, identifier)
        ]
        values = {normalize_identifier(kind=one.kind, value=one.value) for one in held}
        own = normalize_identifier(kind=identifier.kind, value=identifier.value)
        if values and own and own not in values:
            shown = ", ".join(sorted(values))
            yield Qualifier(identifier.kind, identifier.value, shown, OTHER_IDENTIFIER, hard=True)


def _are_comparable_identifiers(identifier: Identifier, other: Identifier) -> bool:
    """A passport of one country does not contradict a passport of another."""
    return (
        not (identifier.country and other.country)
        or identifier.country.upper() == other.country.upper()
    )


def _qualify_address(sought: str, listed: tuple[str, ...]) -> Iterator[Qualifier]:
    """The same place agrees, the same city has no effect; people move, so none contradicts."""
    # reversed: of the addresses that agree alike the first one of the list is shown
    found = {compare_addresses(sought, text): text for text in reversed(listed)} if sought else {}
    if "SAME" in found:
        yield Qualifier("address", sought, found["SAME"], SAME_ADDRESS)
    elif "CONSISTENT" in found:
        yield Qualifier("address", sought, found["CONSISTENT"], 0.0)
