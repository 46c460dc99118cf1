"""Parties that came up: remembered, so that a change of the lists can be held against them."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from apps.core.canonical import digest
from apps.core.prepared import upsert
from apps.watchlists.models import Party, PartyKind


@dataclass(frozen=True, slots=True)
class Encounter:
    """A party that came up: in which role, and where (`reference`)."""

    kind: PartyKind | str
    schema: str
    name: str
    country: str = ""
    birth_date: str = ""
    reference: str = ""


def remember_party(
    *,
    kind: PartyKind | str,
    schema: str,
    name: str,
    now: datetime,
    country: str = "",
    birth_date: str = "",
    reference: str = "",
) -> None:
    """Record that a party came up: one upsert, in the caller's transaction.

    The same kind, schema, normalised name, country and birth date are one party; a later
    encounter moves `last_seen` and `reference`.
    """
    encounter = Encounter(kind, schema, name, country, birth_date, reference)
    remember_parties(encounters=(encounter,), now=now)


def remember_parties(*, encounters: Iterable[Encounter], now: datetime) -> None:
    """Record several parties as `remember_party` does, in one upsert."""
    parties = {party.digest: party for party in (_party(one, now) for one in encounters)}
    rows = [parties[key] for key in sorted(parties)]
    upsert(rows, unique="digest", change=("last_seen", "reference"))


def _party(one: Encounter, now: datetime) -> Party:
    keys = " ".join(sorted(unicodedata.normalize("NFKC", one.name).casefold().split()))[:500]
    return Party(
        digest=digest([str(one.kind), one.schema, keys, one.country, one.birth_date]),
        kind=one.kind,
        schema=one.schema,
        reference=one.reference[:200],
        name=one.name[:500],
        country=one.country,
        birth_date=one.birth_date,
        keys=keys,
        first_seen=now,
        last_seen=now,
    )
