"""Known parties as subjects of a look-up, and as entries of the index of parties."""

from collections.abc import Iterator

from apps.reference.watchlists.listed_entity import Identifier, ListedEntity, ListedName
from apps.reference.watchlists.match_effects import (
    TAIL,
    expand_identifier_kinds,
    identifiers_of_subject,
)
from apps.reference.watchlists.matching.index import IndexEntry
from apps.reference.watchlists.matching.reverse_index import FLOOR
from apps.reference.watchlists.models import Party, PartyKind
from apps.reference.watchlists.namefield import parse_name_field
from apps.reference.watchlists.namefield.parser import MOST_PARTS
from apps.reference.watchlists.namefield.script_readings import is_spelt_by_sound
from apps.reference.watchlists.namefield.spotted_names import replace_letter_pairs
from apps.reference.watchlists.rules.score_limits import PARTIAL_SCORE
from apps.reference.watchlists.subjects import Subject

TYPES = {"Person": "person", "Organization": "company", "Vessel": "vessel", "Aircraft": "aircraft"}
MOST_WORDS = 12  # a look-up searches pieces of a longer name, which no index has
LONGEST_NAME = 500  # characters that a party keeps of its name


def build_subject(party: Party) -> Subject:
    """Return the subject of a party's last check."""
    known = party.known
    # only a combined screen compares a nationality: the country of a registration or of an owner
    # (`lei:…`) is a location, and was not compared with any list
    screened = party.kind == PartyKind.SCREENED and not party.reference.startswith("lei:")
    return Subject(
        name=party.name,
        entity_type=TYPES.get(party.schema, ""),
        birth_date=party.birth_date,
        nationality=party.country if screened else "",
        lei=known.get("lei", ""),
        identifiers=tuple(Identifier(**identifier) for identifier in known.get("identifiers", ())),
        wallet=known.get("wallet", ""),
        address=known.get("address", ""),
    )


def score_cutoff(party: Party) -> float:
    """Return the score that a party's name needs by itself for a look-up to find a match.

    It is lower if other known facts may confirm the name.
    """
    subject = build_subject(party)
    more = subject.birth_date or subject.nationality or subject.address
    return FLOOR if more else PARTIAL_SCORE / 100


def build_index_entry(party: Party) -> tuple[IndexEntry, bool]:
    """Return a party for the index, and whether it must be looked up whatever the index says."""
    subject, field = build_subject(party), parse_name_field(party.name)
    names = [part.text for part in field.parts]
    # a look-up also reads pairs such as `rn` as the letter that they look like
    names += [respelled for name in names if (respelled := replace_letter_pairs(name)) != name]
    # lists print most tail numbers as the name of the aircraft
    names += [identifier.value for identifier in subject.identifiers if identifier.kind == TAIL]
    entity = ListedEntity(
        entity_id=str(party.pk),
        schema="Unknown",  # every type of listed party is searched, whatever the party is
        names=tuple(ListedName(name) for name in dict.fromkeys(names)),
        identifiers=tuple(_index_identifiers(subject, field.identifiers)),
    )
    # whose names a look-up reads in ways that the index cannot reproduce
    apart = (
        bool(field.unread)
        or len(field.parts) >= MOST_PARTS
        or len(party.name) >= LONGEST_NAME
        or any(len(name.split()) > MOST_WORDS or is_spelt_by_sound(name) for name in names)
    )
    return IndexEntry(ref=str(party.pk), dataset=party.kind, entity=entity), apart


def _index_identifiers(
    subject: Subject, identifiers: tuple[Identifier, ...]
) -> Iterator[Identifier]:
    for identifier in (*identifiers_of_subject(subject), *identifiers):
        # lists print a number under different kinds
        for kind, value in expand_identifier_kinds(identifier):
            yield Identifier(kind=kind, value=value)
