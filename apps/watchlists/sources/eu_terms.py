"""Terms that the CSV and the XML form of the EU list share."""

from apps.watchlists.sources.identifiers import kind_of
from apps.watchlists.sources.options import Options
from apps.watchlists.values import Schema

SCHEMAS: dict[str, Schema] = {
    "p": "Person",
    "person": "Person",
    "e": "Organization",
    "enterprise": "Organization",
    "entity": "Organization",
    "v": "Vessel",
    "vessel": "Vessel",
}
DOCUMENTS = (
    ("passport", "passport"),
    ("swift", "bic"),
    ("bic", "bic"),
    ("imo", "imo"),
    ("tax", "tax_id"),
    ("fiscal", "tax_id"),
    ("reg", "registration"),
    ("id", "national_id"),
    ("ssn", "national_id"),
)


def schema_of(subject: str, options: Options) -> Schema:
    """Return the schema for the list's subject type (code P, E or the word).

    One that is not known is counted: the party stays, of no type.
    """
    if found := SCHEMAS.get(subject.strip().lower()):
        return found
    options.reading.strange(subject)
    return "Unknown"


def document_kind(code: str | None, description: str | None, number: str) -> str:
    """Return the kind of an identification; a valid LEI is one whatever the list calls it."""
    kind, _ = kind_of(number)
    if kind != "other":
        return kind
    described = f"{code or ''} {description or ''}".lower()
    return next((kind for word, kind in DOCUMENTS if word in described), "other")
