"""Terms and parts that the CSV and the XML form of the EU list share.

Each part is read from the attributes of the XML form; the CSV form has a column for each.
"""

from collections.abc import Callable

from apps.reference.watchlists.listed_entity import Schema
from apps.reference.watchlists.sources import dates
from apps.reference.watchlists.sources.entity_draft import EntityDraft
from apps.reference.watchlists.sources.identifier_kinds import classify_identifier
from apps.reference.watchlists.sources.parse_options import ParseOptions

Get = Callable[[str], str]  # the attribute of a part by its name, "" where it is not given
TRUE, ISLAMIC, GREGORIAN = "true", "ISLAMIC", ("", "GREGORIAN")

SCHEMAS: dict[str, Schema] = {
    "p": "Person",
    "person": "Person",
    "e": "Organization",
    "enterprise": "Organization",
    "entity": "Organization",
    "v": "Vessel",
    "vessel": "Vessel",
}
# the first word that the description contains decides; `id` comes late, as other words contain it
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


def schema_of_subject_type(subject: str, options: ParseOptions) -> Schema:
    """Return the schema for the list's subject type (code P, E or the word).

    One that is not known is counted: the party stays, of no type.
    """
    if schema := SCHEMAS.get(subject.strip().lower()):
        return schema
    options.reading.strange(subject)
    return "Unknown"


def classify_document(code: str | None, description: str | None, number: str) -> str:
    """Return the kind of an identification; a valid LEI is one whatever the list calls it."""
    kind, _ = classify_identifier(number)
    if kind != "other":
        return kind
    described = f"{code or ''} {description or ''}".lower()
    return next((kind for word, kind in DOCUMENTS if word in described), "other")


def add_name(draft: EntityDraft, get: Get) -> None:
    """Add a name with its attributes."""
    parts = (get("firstName"), get("middleName"), get("lastName"))
    draft.name(
        get("wholeName") or " ".join(filter(None, parts)), weak=get("strong").lower() == "false"
    )
    draft.sex(get("gender"))
    draft.remark(get("function"))


def add_birth(draft: EntityDraft, get: Get) -> None:
    """Add a date of birth, a range of years, or an approximate one, of its own calendar."""
    circa = get("circa").lower() == TRUE
    about = "circa " if circa else ""
    calendar = get("calendarType").upper()
    first, last = get("yearRangeFrom"), get("yearRangeTo")
    day = "-".join(
        part.zfill(2)
        for part in _parts_until_empty(get("year"), get("monthOfYear"), get("dayOfMonth"))
    )
    if calendar == ISLAMIC:
        for printed in (
            dates.list_years(int(first), int(last)) if _are_years(first, last) else (day,)
        ):
            draft.hijri_birth(printed or get("birthdate"), circa=circa)
    elif calendar not in GREGORIAN:
        printed = " to ".join(filter(None, (first, last))) or get("birthdate") or day
        draft.birth_dates((), printed=f"{about}{printed} of the calendar {calendar}")
    elif first and last:
        draft.birth(f"{about}{first} to {last}")
    else:
        # without a date "circa" alone would be kept as a note
        draft.birth(about + printed if (printed := get("birthdate") or day) else "")


def _are_years(*texts: str) -> bool:
    return all(text.isascii() and text.isdigit() for text in texts)


def _parts_until_empty(*parts: str) -> list[str]:
    """Return the parts before the first that is not given: a month without a year is no date."""
    missing = next((at for at, part in enumerate(parts) if not part), len(parts))
    return list(parts[:missing])


def add_country(draft: EntityDraft, get: Get) -> None:
    """Add the country of a citizenship or an address."""
    draft.country(get("countryIso2Code") or get("countryDescription"))


def add_address(draft: EntityDraft, get: Get) -> None:
    """Add an address and its country."""
    add_country(draft, get)
    draft.address(*(get(part) for part in ("street", "city", "zipCode", "countryDescription")))


def add_identification(draft: EntityDraft, get: Get) -> None:
    """Add a document; one known to be false is not an identifier."""
    number = get("number") or get("latinNumber")
    if number:
        kind = classify_document(
            get("identificationTypeCode"), get("identificationTypeDescription"), number
        )
        false = get("knownFalse").lower() == TRUE
        draft.identifier(kind, number, get("countryIso2Code"), known_false=false)
