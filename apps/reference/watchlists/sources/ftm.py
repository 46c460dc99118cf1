"""FollowTheMoney entities as JSON lines (`entities.ftm.json` of OpenSanctions).

Parties, and the entities that refer to them: offices held (Occupancy, Position), documents,
wallets, addresses and sanctions are separate entities anywhere in the file. A first pass writes
these links to a temporary file, a second one yields the parties, so that memory stays flat. Model:
followthemoney.tech/explorer.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO

from apps.reference.watchlists.listed_entity import ListedEntity, Schema, Topic
from apps.reference.watchlists.sources import dates
from apps.reference.watchlists.sources.entity_draft import EntityDraft
from apps.reference.watchlists.sources.ftm_links import StatementLinks
from apps.reference.watchlists.sources.identifier_kinds import classify_identifier, parse_imo_number
from apps.reference.watchlists.sources.parse_options import ParseOptions
from apps.reference.watchlists.sources.stream_readers import FormatError, read_json_lines

Statement = Mapping[str, Any]

SCHEMAS: dict[str, Schema] = {
    "Person": "Person",
    "Organization": "Organization",
    "Company": "Organization",
    "LegalEntity": "Organization",
    "PublicBody": "Organization",
    "Asset": "Unknown",
    "Vessel": "Vessel",
    "Airplane": "Aircraft",
    "CryptoWallet": "Unknown",
    "Security": "Unknown",
    "Vehicle": "Unknown",
}
NAMES = (
    ("name", "alias", False),
    ("alias", "alias", False),
    ("previousName", "former", False),
    ("weakAlias", "alias", True),
)
COUNTRIES = ("nationality", "citizenship", "country", "jurisdiction", "mainCountry", "flag")
IDENTIFIERS = (
    ("leiCode", "lei"),
    ("swiftBic", "bic"),
    ("imoNumber", "imo"),
    ("passportNumber", "passport"),
    ("idNumber", "national_id"),
    ("taxNumber", "tax_id"),
    ("innCode", "tax_id"),
    ("vatCode", "tax_id"),
    ("registrationNumber", "registration"),
    ("ogrnCode", "registration"),
    ("mmsi", "other"),
)


def parse(files: Sequence[BinaryIO], options: ParseOptions) -> Iterator[ListedEntity]:
    """Yield the parties that are targets or bear a topic; the stream is read twice."""
    if len(files) != 1:
        raise FormatError(f"expected one file, found {len(files)}")
    with StatementLinks() as links:
        seen = False
        for statement in read_json_lines(files[0]):
            check_statement(statement)
            links.add(statement)
            seen = True
        if not seen:
            raise FormatError("expected FollowTheMoney entities, found an empty file")
        # links may come after the parties that they belong to, so the file is read twice
        files[0].seek(0)
        for statement in read_json_lines(files[0]):
            if is_listed_party(statement, options):
                options.stated(str(statement.get("last_seen", "")))
                yield from options.kept(build_party(statement, links, options.topic))


def check_statement(statement: Statement) -> None:
    """Refuse what is no FollowTheMoney entity."""
    shape = {"id": str, "schema": str, "properties": dict}
    wrong = [key for key, kind in shape.items() if not isinstance(statement.get(key), kind)]
    if wrong:
        excerpt = ", ".join(map(str, statement))[:200]
        raise FormatError(f"expected entities with id, schema and properties; found: {excerpt}")


def property_values(statement: Statement, name: str) -> list[str]:
    """Return a property's values that are text."""
    values_of_property = statement["properties"].get(name, ())
    if isinstance(values_of_property, str):
        return [values_of_property]
    return (
        [value for value in values_of_property if isinstance(value, str)]
        if isinstance(values_of_property, list)
        else []
    )


def topic_of_statement(statement: Statement, default: Topic) -> Topic | None:
    """Return what a party is listed as, None when it is only context of others."""
    topics = property_values(statement, "topics")
    # with its kinds, such as `sanction.linked`
    if any(topic == "sanction" or topic.startswith("sanction.") for topic in topics):
        return "sanction"
    # `rca`: relatives and close associates of a politically exposed person
    if any(topic in ("role.pep", "role.rca") for topic in topics):
        return "pep"
    if topics:
        return "other"
    return default if statement.get("target") else None


def is_listed_party(statement: Statement, options: ParseOptions) -> bool:
    """Return whether a statement is a listed party; a sanctioned one of no known type is, too."""
    topic, known = topic_of_statement(statement, options.topic), statement["schema"] in SCHEMAS
    if topic == "sanction" and not known:
        options.reading.strange(statement["schema"])
    return topic is not None and (known or topic == "sanction")


def build_party(statement: Statement, links: StatementLinks, default: Topic) -> ListedEntity | None:
    """Return the party that a statement and its links describe; None when it has no name."""
    schema = SCHEMAS.get(statement["schema"], "Unknown")
    topic = topic_of_statement(statement, default)
    if topic is None:
        return None
    draft = EntityDraft(statement["id"], schema, topic)
    _add_names(draft, statement)
    for name in COUNTRIES:
        for country in property_values(statement, name):
            draft.country(country)
    for birth in property_values(statement, "birthDate"):
        draft.birth(birth)
    for name, kind in IDENTIFIERS:
        for value in property_values(statement, name):
            draft.identifier(
                # with a wrong check digit it is kept, but not looked up as a ship's number
                "other" if kind == "imo" and not parse_imo_number(value) else kind,
                value,
            )
    for address in property_values(statement, "address"):
        draft.address(address)
    for value in property_values(statement, "publicKey"):
        asset = (property_values(statement, "currency") or [classify_identifier(value)[1]])[0]
        draft.identifier("wallet", value, asset=asset)
        if statement["schema"] == "CryptoWallet" and not property_values(statement, "name"):
            draft.name(value, "primary")  # who holds it may not be known: it is listed itself
    _add_texts(draft, statement)
    apply_links(draft, links.of(statement["id"]))
    for address_id in property_values(statement, "addressEntity"):
        draft.address(links.address(address_id))
    return draft.finish()


def _add_names(draft: EntityDraft, statement: Statement) -> None:
    caption = statement.get("caption")
    if isinstance(caption, str) and caption in property_values(statement, "name"):
        draft.name(caption, "primary")
    for property_name, kind, weak in NAMES:
        for name in property_values(statement, property_name):
            draft.name(name, kind, weak=weak)


def _add_texts(draft: EntityDraft, statement: Statement) -> None:
    for gender in property_values(statement, "gender"):
        draft.sex(gender)
    for program in (
        *property_values(statement, "programId"),
        *property_values(statement, "program"),
    ):
        draft.program(program)
    created = property_values(statement, "createdAt")
    draft.listed_on = dates.parse_date(min(created)) if created else ""
    for name in ("position", "notes", "topics"):
        for text in property_values(statement, name):
            draft.remark(text)


def apply_links(draft: EntityDraft, links: Iterable[tuple[str, Mapping[str, str]]]) -> None:
    """Add offices, documents, wallets and sanctions that point at a party."""
    for kind, data in links:
        if kind == "position":
            draft.position(data["title"], data["country"], data["since"], data["until"])
        elif kind == "document":
            draft.identifier(data["kind"], data["number"], data["country"], data["asset"])
        elif kind == "sanction":
            draft.program(data["program"])
            if data["since"] and not draft.listed_on:
                draft.listed_on = dates.parse_date(data["since"])
