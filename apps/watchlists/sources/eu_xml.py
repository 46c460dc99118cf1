"""EU consolidated financial sanctions list (FSF), XML 1.1 (root export, records sanctionEntity)."""

from collections.abc import Iterator, Sequence
from typing import BinaryIO
from xml.etree.ElementTree import Element

from apps.watchlists.sources import dates
from apps.watchlists.sources.draft import Draft
from apps.watchlists.sources.eu_terms import document_kind, schema_of
from apps.watchlists.sources.options import Options
from apps.watchlists.sources.reading import FormatError, xml_records
from apps.watchlists.values import ListedEntity

ROOT = "export"
RECORD = "sanctionEntity"


def parse(files: Sequence[BinaryIO], options: Options) -> Iterator[ListedEntity]:
    """Yield the entities of the list."""
    if len(files) != 1:
        raise FormatError(f"expected one file, found {len(files)}")
    for tag, element in xml_records(files[0], root=ROOT, records=(RECORD,)):
        if tag == RECORD:
            yield from options.kept(_entity(element, options))
        else:
            options.stated(element.get("generationDate", ""))


def _entity(element: Element, options: Options) -> ListedEntity | None:
    subject = element.find("subjectType")
    codes = subject.attrib if subject is not None else {}
    code = codes.get("classificationCode") or codes.get("code", "")
    draft = Draft(element.get("logicalId", ""), schema_of(code, options))
    draft.listed_on = dates.single(element.get("designationDate", ""))
    for child in element:
        if take := _CHILDREN.get(child.tag):
            take(draft, child)
    draft.remark(element.get("euReferenceNumber"))
    return draft.finish()


def _name(draft: Draft, child: Element) -> None:
    parts = (child.get("firstName"), child.get("middleName"), child.get("lastName"))
    whole = child.get("wholeName") or " ".join(filter(None, parts))
    draft.name(whole, weak=child.get("strong", "").lower() == "false")
    draft.sex(child.get("gender"))
    draft.remark(child.get("function"))


def _birth(draft: Draft, child: Element) -> None:
    circa = "circa " if child.get("circa", "").lower() == "true" else ""
    if child.get("yearRangeFrom") and child.get("yearRangeTo"):
        draft.birth(f"{child.get('yearRangeFrom')} to {child.get('yearRangeTo')}")
    else:
        draft.birth(circa + (child.get("birthdate") or child.get("year") or ""))


def _country(draft: Draft, child: Element) -> None:
    draft.country(child.get("countryIso2Code") or child.get("countryDescription"))


def _address(draft: Draft, child: Element) -> None:
    _country(draft, child)
    draft.address(
        *(child.get(part) for part in ("street", "city", "zipCode", "countryDescription"))
    )


def _identification(draft: Draft, child: Element) -> None:
    number = child.get("number") or child.get("latinNumber") or ""
    if not number or child.get("knownFalse", "").lower() == "true":
        return
    code, description = (
        child.get("identificationTypeCode"),
        child.get("identificationTypeDescription"),
    )
    draft.identifier(
        document_kind(code, description, number), number, child.get("countryIso2Code", "")
    )


def _regulation(draft: Draft, child: Element) -> None:
    draft.program(child.get("programme"))


def _remark(draft: Draft, child: Element) -> None:
    draft.remark(child.text)


_CHILDREN = {
    "nameAlias": _name,
    "birthdate": _birth,
    "citizenship": _country,
    "address": _address,
    "identification": _identification,
    "regulation": _regulation,
    "remark": _remark,
}
