"""The subject of a search: a name and the other known facts of the party."""

from dataclasses import dataclass

from apps.reference.watchlists.listed_entity import Identifier


@dataclass(frozen=True, slots=True)
class Subject:
    """A party to look for on the lists. Only the name must be known; the rest is evidence.

    `entity_type` is person, company, organization, vessel, aircraft or empty; `individual` says
    that the caller holds it for a person. `birth_date` is ISO and may be partial (`1965`,
    `1965-03`), `nationality` is ISO 3166-1 alpha-2 and never the destination of a payment.
    """

    name: str
    aliases: tuple[str, ...] = ()
    entity_type: str = ""
    individual: bool = False
    birth_date: str = ""
    nationality: str = ""
    lei: str = ""
    identifiers: tuple[Identifier, ...] = ()
    wallet: str = ""
    address: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the name and the aliases, each once."""
        return tuple(dict.fromkeys((self.name, *self.aliases)))
