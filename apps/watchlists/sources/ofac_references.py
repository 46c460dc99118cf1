"""What parties of OFAC's advanced XML point at: values, places, documents, entries."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import BinaryIO
from xml.etree.ElementTree import Element

from apps.watchlists.sources import dates
from apps.watchlists.sources.reading import FormatError, local, xml_records

NEEDED = ("PartySubType", "PartyType", "AliasType", "FeatureType", "NamePartType")
SETS = (*NEEDED, "Country", "IDRegDocType", "DetailReference")


@dataclass(slots=True)
class References:
    """Look-ups by id, filled by `read_references`."""

    sets: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    party_types: dict[str, str] = field(default_factory=dict)
    locations: dict[str, tuple[tuple[str, ...], str]] = field(default_factory=dict)
    documents: dict[str, list[tuple[str, str, str]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    programs: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    listed_on: dict[str, str] = field(default_factory=dict)
    issued_on: str = ""

    def value(self, name: str, key: str | None) -> str:
        """Return a reference value's text, "" when there is none."""
        return self.sets.get(name, {}).get(key or "", "")

    def birth_dates(self, period: Element) -> tuple[str, ...]:
        """Return the dates that a DatePeriod may stand for; a span of years gives its years."""
        start = _point(period.find("Start/From"))
        end = _point(period.find("End/To")) or start
        if not start or start == end:
            return (start,) if start else ()
        if start[:4] == end[:4] and not (start.endswith("-01-01") and end.endswith("-12-31")):
            return (start[:7],) if start[:7] == end[:7] else (start[:4],)
        return dates.years(int(start[:4]), int(end[:4]))


def read_references(stream: BinaryIO, *, root: str) -> References:
    """Return everything in the file that parties point at; a set that is missing is refused."""
    known = References()
    tags = ("DateOfIssue", "Location", "IDRegDocument", "SanctionsEntry", "DistinctParty")
    values = {name: name for name in SETS}
    for tag, element in xml_records(stream, root=root, records=(*tags, *values)):
        if tag in values:
            _reference(known, tag, element)
        elif tag == "DateOfIssue":
            known.issued_on = _point(strip(element))
        elif tag == "Location":
            _location(known, strip(element))
        elif tag == "IDRegDocument":
            _document(known, strip(element))
        elif tag == "SanctionsEntry":
            _entry(known, strip(element))
    if missing := [name for name in NEEDED if not known.sets.get(name)]:
        raise FormatError(f"expected the reference sets {', '.join(missing)}, found none")
    return known


def strip(element: Element) -> Element:
    """Return the element with namespaces removed from it and all below."""
    for below in element.iter():
        below.tag = local(below.tag)
    return element


def _reference(known: References, tag: str, element: Element) -> None:
    key = element.get("ID", "")
    known.sets[tag][key] = (element.text or "").strip()
    if tag == "PartySubType":
        known.party_types[key] = element.get("PartyTypeID", "")


def _location(known: References, element: Element) -> None:
    parts = tuple(
        text
        for value in element.iterfind("LocationPart/LocationPartValue/Value")
        if (text := (value.text or "").strip())
    )
    country = element.find("LocationCountry")
    name = known.value("Country", country.get("CountryID")) if country is not None else ""
    known.locations[element.get("ID", "")] = (parts, name)


def _document(known: References, element: Element) -> None:
    kind = known.value("IDRegDocType", element.get("IDRegDocTypeID"))
    number = (element.findtext("IDRegistrationNo") or "").strip()
    country = known.value("Country", element.get("IssuedBy-CountryID"))
    known.documents[element.get("IdentityID", "")].append((kind, number, country))


def _entry(known: References, element: Element) -> None:
    profile = element.get("ProfileID", "")
    for measure in element.iterfind("SanctionsMeasure/Comment"):
        if text := (measure.text or "").strip():
            known.programs[profile].append(text)
    if found := _point(element.find("EntryEvent/Date")):
        known.listed_on.setdefault(profile, found)


def _point(element: Element | None) -> str:
    if element is None:
        return ""
    year, month, day = ((element.findtext(part) or "").strip() for part in ("Year", "Month", "Day"))
    return dates.single(
        "-".join(filter(None, (year, month and month.zfill(2), day and day.zfill(2))))
    )
