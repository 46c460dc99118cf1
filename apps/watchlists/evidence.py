"""What each thing that is known of a party does to a hit, in rows and in sentences. Pure.

The matcher computes the effects (`matching.qualifiers`, `matching.types`); here they are told,
and so is what was given and could not be compared (DESIGN.md section 4, What is compared with
what).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.watchlists.matching.qualifiers import Qualifier
from apps.watchlists.matching.types import contradicts, typed
from apps.watchlists.subjects import Subject
from apps.watchlists.values import Identifier, ListedEntity, Schema

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
LEAST_ALIKE = 6  # letters and digits; shorter numbers mean something only under their own kind
TAIL = "tail_number"
BANK, BRANCH = 8, 11  # characters of a BIC
WORDS = {
    "type": "Type",
    "near": "Name only near",
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


@dataclass(frozen=True, slots=True)
class Effect:
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


def schema_of(subject: Subject) -> Schema:
    """Return the type that a party is known to be, `Unknown` where nothing or both is said.

    An IMO or tail number says that it is a ship or an aircraft, unless the caller says more.
    """
    said = SCHEMAS.get(subject.entity_type)
    if subject.individual and said not in (None, "Person"):
        return "Unknown"
    if said or subject.individual:
        return said or "Person"
    kinds = {one.kind for one in subject.identifiers}
    return "Vessel" if "imo" in kinds else "Aircraft" if TAIL in kinds else "Unknown"


def numbers(subject: Subject) -> tuple[Identifier, ...]:
    """Return every identifier that is known of a party, the LEI and the wallet among them."""
    lei = (Identifier("lei", subject.lei),) if subject.lei else ()
    wallet = (Identifier("wallet", subject.wallet),) if subject.wallet else ()
    return (*lei, *wallet, *subject.identifiers)


def looked_up(identifier: Identifier) -> tuple[tuple[str, str], ...]:
    """Return kind and value of everything under which a list may print an identifier.

    Its own first. The BIC of a branch stands for its bank too, of which lists print eight
    characters (ISO 9362).
    """
    kind, value = identifier.kind, identifier.value
    if kind == TAIL:
        return ("registration", value), ("other", value)
    if kind == "bic" and len(value.strip()) == BRANCH:
        return (kind, value), (kind, value.strip()[:BANK])
    if kind not in ALIKE or sum(letter.isalnum() for letter in value) < LEAST_ALIKE:
        return ((kind, value),)
    return ((kind, value), *((other, value) for other in ALIKE if other != kind))


def effects(
    *,
    subject: Subject,
    entity: ListedEntity,
    qualifiers: Iterable[Qualifier] = (),
    exact: Identifier | None = None,
) -> tuple[Effect, ...]:
    """Return what each given field did to a hit; `exact` is the identifier that found it."""
    moved = {(one.what, one.query): one for one in qualifiers}
    rows = []
    for what, asked, listed in _given(subject, entity):
        one = moved.get((what, asked))
        if exact is not None and (what, asked) == (exact.kind, exact.value):
            rows.append(Effect(what, asked, asked, Decimal(1)))
        elif one is not None:
            rows.append(Effect(what, asked, one.listed, Decimal(str(round(one.effect, 4)))))
        else:
            rows.append(Effect(what, asked, listed, Decimal(0)))
    return tuple(rows)


def _given(subject: Subject, entity: ListedEntity) -> Iterator[tuple[str, str, str]]:
    """Yield what is known of the party and what the list has of it: kind, ours, theirs."""
    known = schema_of(subject)
    if known != "Unknown" or contradicts(known=known, listed=entity.schema):
        yield "type", known, entity.schema
    if subject.birth_date:
        yield "birth_date", subject.birth_date, ", ".join(entity.birth_dates)
    if subject.nationality:
        yield "countries", subject.nationality, ", ".join(entity.countries)
    if subject.address:
        yield "address", subject.address, ""
    for one in numbers(subject):
        held = (other.value for other in entity.identifiers if other.kind == one.kind)
        yield one.kind, one.value, ", ".join(sorted(held)[:5])


def sentences(*, subject: Subject, entity: ListedEntity, told: Iterable[Effect]) -> Iterator[str]:
    """Yield a sentence for each field that agreed with a listed party or contradicted it."""
    for one in told:
        if one.what == "type":
            why = typed(score=1.0, known=schema_of(subject), listed=entity.schema).why
            if why:
                yield why
        elif one.effect == 1:
            yield f"{WORDS[one.what]} {one.query} is on the list."
        elif one.effect:
            how = "agrees with" if one.effect > 0 else "differs from"
            yield f"{WORDS[one.what]} {one.query} {how} the list's {one.listed}."
