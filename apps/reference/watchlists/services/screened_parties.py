"""Screened parties, remembered so that later changes of the lists can be screened against them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.platform.db.compiled_statements import upsert_rows
from apps.reference.watchlists.listed_entity import Identifier
from apps.reference.watchlists.models import Party, PartyKind
from apps.reference.watchlists.models.screened_parties import fold_name_keys


@dataclass(frozen=True, slots=True)
class PartyEncounter:
    """A party that was screened or registered: its role, client, and record (`reference`).

    `lei`, `wallet`, `address` and `identifiers` are what a look-up compares in addition to its
    name, and `pep` whether it was screened for PEPs too.
    """

    kind: PartyKind | str
    schema: str
    name: str
    country: str = ""
    birth_date: str = ""
    reference: str = ""
    owner: str = ""
    lei: str = ""
    wallet: str = ""
    address: str = ""
    identifiers: tuple[Identifier, ...] = ()
    pep: bool = False

    @property
    def known(self) -> dict[str, Any]:
        """What is known beside name, type, country and birth date; what is not is left out."""
        numbers = [
            {"kind": identifier.kind, "value": identifier.value, "country": identifier.country}
            for identifier in self.identifiers
        ]
        known_facts = {
            "lei": self.lei,
            "wallet": self.wallet,
            "address": self.address,
            "pep": self.pep,
        }
        return {
            name: value for name, value in (known_facts | {"identifiers": numbers}).items() if value
        }


def remember_party(
    *,
    kind: PartyKind | str,
    schema: str,
    name: str,
    now: datetime,
    country: str = "",
    birth_date: str = "",
    reference: str = "",
    owner: str = "",
    pep: bool = False,
) -> None:
    """Record that a party came up: one upsert, in the caller's transaction.

    The same client, kind, schema, normalised name, country, birth date and what else is known are
    one party; a later encounter moves `last_seen` and `reference`.
    """
    encounter = PartyEncounter(kind, schema, name, country, birth_date, reference, owner, pep=pep)
    remember_parties(encounters=(encounter,), now=now)


def remember_parties(*, encounters: Iterable[PartyEncounter], now: datetime) -> None:
    """Record several parties as `remember_party` does, in one upsert."""
    parties = {
        party.digest: party for party in (build_party(encounter, now) for encounter in encounters)
    }
    # in one order everywhere: two screens that lock the same rows cannot wait for each other
    rows = [parties[key] for key in sorted(parties)]
    upsert_rows(rows, unique="digest", change=("last_seen", "reference"))


def forget_parties(*, reference: str) -> None:
    """Forget the parties that came up last in a record whose payload leaves."""
    Party.objects.filter(reference=reference).delete()


def build_party(party_encounter: PartyEncounter, now: datetime) -> Party:
    """Return the party that came up, not yet stored."""
    party = Party(
        owner=party_encounter.owner,
        known=party_encounter.known,
        kind=str(party_encounter.kind),
        schema=party_encounter.schema,
        reference=party_encounter.reference[:200],
        name=party_encounter.name[:500],
        country=party_encounter.country,
        birth_date=party_encounter.birth_date,
        keys=fold_name_keys(party_encounter.name),
        first_seen=now,
        last_seen=now,
    )
    party.digest = party.digest_of_columns()
    return party
