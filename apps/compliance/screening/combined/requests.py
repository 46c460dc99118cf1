"""The request of a combined screen: parsed, written to the record, and read back from it."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.compliance.screening.serializers.screen import AssumedDefault
from apps.reference.watchlists.listed_entity import Identifier
from apps.reference.watchlists.subjects import Subject


@dataclass(frozen=True, slots=True)
class ScreenRequest:
    """A validated request for a screen (document 1 section 2.7).

    `source_given`: the caller named the source country, otherwise it is the specification's
    default; None where that was not recorded.
    """

    name: str
    lei: str = ""
    country: str = ""
    source_country: str = "US"
    source_given: bool | None = None
    amount: Decimal | None = None
    currency: str = "USD"
    payment_type: str | None = None
    individual: bool = False
    reference: str = ""
    # from here on the fields are ours and optional: what is known of the party itself (DESIGN.md
    # section 4, What is compared with what)
    entity_type: str = ""
    birth_date: str = ""
    nationality: str = ""
    identifiers: tuple[Identifier, ...] = ()
    wallet_address: str = ""
    address: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def subject(self) -> Subject:
        """Return the party to look up on the lists; the destination is not an attribute of it."""
        return Subject(
            name=self.name,
            aliases=self.aliases,
            entity_type=self.entity_type,
            individual=self.individual,
            birth_date=self.birth_date,
            nationality=self.nationality,
            lei=self.lei,
            identifiers=self.identifiers,
            wallet=self.wallet_address,
            address=self.address,
        )


def build_screen_request(
    *, identifiers: Any = (), aliases: Any = (), **values: Any
) -> ScreenRequest:
    """Return the request for a screen from its validated values."""
    parsed_identifiers = tuple(
        Identifier(
            kind=identifier["type"],
            value=identifier["value"],
            country=identifier.get("country", ""),
        )
        for identifier in identifiers
    )
    # a request of the API: the serializer marks its default by its type. A request that is read
    # back from a record brings `source_given` itself
    if (source := values.get("source_country")) and "source_given" not in values:
        fields = {
            # plain text: the record must not depend on how the value came about
            "source_country": str(source),
            "source_given": not isinstance(source, AssumedDefault),
        }
        values = values | fields
    return ScreenRequest(identifiers=parsed_identifiers, aliases=tuple(aliases), **values)


def serialize_party(screen: ScreenRequest) -> dict[str, Any]:
    """Return what the caller knows of the party beside its name, in canonical form."""
    return {
        "entityType": screen.entity_type,
        "birthDate": screen.birth_date,
        "nationality": screen.nationality,
        "identifiers": [
            {"type": identifier.kind, "value": identifier.value, "country": identifier.country}
            for identifier in screen.identifiers
        ],
        "walletAddress": screen.wallet_address,
        "address": screen.address,
        "aliases": list(screen.aliases),
    }


def serialize_screen_request(screen: ScreenRequest) -> dict[str, Any]:
    """Return the request in canonical form."""
    return {
        "name": screen.name,
        "lei": screen.lei,
        "country": screen.country,
        "sourceCountry": screen.source_country,
        "sourceGiven": screen.source_given,
        "amount": screen.amount,
        "currency": screen.currency,
        "paymentType": screen.payment_type,
        "individual": screen.individual,
        "reference": screen.reference,
    } | serialize_party(screen)


def parse_screen_request(request: dict[str, Any]) -> ScreenRequest:
    """Return what `serialize_screen_request` wrote."""
    return build_screen_request(
        name=request["name"],
        lei=request["lei"],
        country=request["country"],
        source_country=request["sourceCountry"],
        source_given=request["sourceGiven"],
        amount=Decimal(request["amount"]) if request["amount"] is not None else None,
        currency=request["currency"],
        payment_type=request["paymentType"],
        individual=request["individual"],
        reference=request["reference"],
        entity_type=request["entityType"],
        birth_date=request["birthDate"],
        nationality=request["nationality"],
        identifiers=request["identifiers"],
        wallet_address=request["walletAddress"],
        address=request["address"],
        aliases=request["aliases"],
    )
