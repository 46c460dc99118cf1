"""What parties of OFAC's advanced XML point at: values, places, documents, entries."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import BinaryIO
from xml.etree.ElementTree import Element

from apps.reference.watchlists.sources import dates
from apps.reference.watchlists.sources.entity_draft import EntityDraft
from apps.reference.watchlists.sources.stream_readers import (
    FormatError,
    local_tag_name,
    read_xml_records,
)

NEEDED = ("PartySubType", "PartyType", "AliasType", "FeatureType", "NamePartType")
SETS = (*NEEDED, "Country", "IDRegDocType", "DetailReference", "CalendarType", "Validity")
FALSE = "fraudulent"  # a validity of documents, as "valid" is
HIJRI = ("islamic", "hijri")


@dataclass(slots=True)
class OfacReferences:
    """Look-ups by id, filled by `read_references`."""

    sets: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    party_types: dict[str, str] = field(default_factory=dict)
    locations: dict[str, tuple[tuple[str, ...], str]] = field(default_factory=dict)
    documents: dict[str, list[tuple[str, str, str, bool]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    programs: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    listed_on: dict[str, str] = field(default_factory=dict)
    issued_on: str = ""

    def value(self, name: str, key: str | None) -> str:
        """Return a reference value's text, "" when there is none."""
        return self.sets.get(name, {}).get(key or "", "")

    def add_birth(self, draft: EntityDraft, period: Element) -> None:
        """Add a date of birth as a DatePeriod has it: of its calendar, and how sure it is."""
        ends = [_parse_date_point(period.find(place)) for place in ("Start/From", "End/To")]
        near = any(element.get("Approximate") == "true" for element in period)
        calendar = self.value("CalendarType", period.get("CalendarTypeID")).lower()
        if any(calendar_name in calendar for calendar_name in HIJRI):
            first, last = ends
            # a span from the first of January that ends in another month is a year
            whole = first.endswith("-01-01") and not last.startswith(f"{first[:4]}-01")
            draft.hijri_birth(first[:4] if whole else first, circa=near)
            return
        birth_dates = _dates_of_period(*ends)
        printed = " to ".join(dict.fromkeys(filter(None, ends)))
        plain = len(birth_dates) == 1 and not near
        about = "circa " if near else ""
        draft.birth_dates(
            dates.widen_approximate_dates(birth_dates) if near else birth_dates,
            printed="" if plain else about + printed,
        )


def _dates_of_period(start: str, end: str) -> tuple[str, ...]:
    """Return the dates that a period may mean; a span of years gives its years."""
    end = end or start
    if not start or start == end:
        return (start,) if start else ()
    if start[:4] == end[:4] and not (start.endswith("-01-01") and end.endswith("-12-31")):
        return (start[:7],) if start[:7] == end[:7] else (start[:4],)
    return dates.list_years(int(start[:4]), int(end[:4]))


def read_references(stream: BinaryIO, *, root: str) -> OfacReferences:
    """Return everything in the file that parties point at; a set that is missing is refused."""
    ofac_references = OfacReferences()
    tags = ("DateOfIssue", "Location", "IDRegDocument", "SanctionsEntry", "DistinctParty")
    values = {name: name for name in SETS}
    for tag, element in read_xml_records(stream, root=root, records=(*tags, *values)):
        if tag in values:
            key = element.get("ID", "")
            ofac_references.sets[tag][key] = (element.text or "").strip()
            if tag == "PartySubType":
                ofac_references.party_types[key] = element.get("PartyTypeID", "")
        elif tag == "DateOfIssue":
            ofac_references.issued_on = _parse_date_point(strip_namespaces(element))
        elif tag == "Location":
            _add_location(ofac_references, strip_namespaces(element))
        elif tag == "IDRegDocument":
            _add_document(ofac_references, strip_namespaces(element))
        elif tag == "SanctionsEntry":
            _add_entry(ofac_references, strip_namespaces(element))
    if missing := [name for name in NEEDED if not ofac_references.sets.get(name)]:
        raise FormatError(f"expected the reference sets {', '.join(missing)}, found none")
    return ofac_references


def strip_namespaces(element: Element) -> Element:
    """Return the element with namespaces removed from it and all below."""
    for below in element.iter():
        below.tag = local_tag_name(below.tag)
    return element


def _add_location(ofac_references: OfacReferences, element: Element) -> None:
    parts = tuple(
        text
        for value in element.iterfind("LocationPart/LocationPartValue/Value")
        if (text := (value.text or "").strip())
    )
    country = element.find("LocationCountry")
    name = ofac_references.value("Country", country.get("CountryID")) if country is not None else ""
    ofac_references.locations[element.get("ID", "")] = (parts, name)


def _add_document(ofac_references: OfacReferences, element: Element) -> None:
    kind = ofac_references.value("IDRegDocType", element.get("IDRegDocTypeID"))
    number = (element.findtext("IDRegistrationNo") or "").strip()
    country = ofac_references.value("Country", element.get("IssuedBy-CountryID"))
    false = ofac_references.value("Validity", element.get("ValidityID")).lower() == FALSE
    ofac_references.documents[element.get("IdentityID", "")].append((kind, number, country, false))


def _add_entry(ofac_references: OfacReferences, element: Element) -> None:
    profile = element.get("ProfileID", "")
    for measure in element.iterfind("SanctionsMeasure/Comment"):
        if text := (measure.text or "").strip():
            ofac_references.programs[profile].append(text)
    if date_point := _parse_date_point(element.find("EntryEvent/Date")):
        ofac_references.listed_on.setdefault(profile, date_point)


def _parse_date_point(element: Element | None) -> str:
    if element is None:
        return ""
    year, month, day = ((element.findtext(part) or "").strip() for part in ("Year", "Month", "Day"))
    return dates.parse_date(
        "-".join(filter(None, (year, month and month.zfill(2), day and day.zfill(2))))
    )
