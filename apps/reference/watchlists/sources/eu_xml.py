"""EU consolidated financial sanctions list (FSF), XML 1.1 (root export, records sanctionEntity)."""

from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO
from xml.etree.ElementTree import Element

from apps.reference.watchlists.listed_entity import ListedEntity
from apps.reference.watchlists.sources import dates
from apps.reference.watchlists.sources.entity_draft import EntityDraft
from apps.reference.watchlists.sources.eu_terms import (
    Get,
    add_address,
    add_birth,
    add_country,
    add_identification,
    add_name,
    schema_of_subject_type,
)
from apps.reference.watchlists.sources.parse_options import ParseOptions
from apps.reference.watchlists.sources.stream_readers import FormatError, read_xml_records

ROOT = "export"
RECORD = "sanctionEntity"


def parse(files: Sequence[BinaryIO], options: ParseOptions) -> Iterator[ListedEntity]:
    """Yield the entities of the list."""
    if len(files) != 1:
        raise FormatError(f"expected one file, found {len(files)}")
    for tag, element in read_xml_records(files[0], root=ROOT, records=(RECORD,)):
        if tag == RECORD:
            yield from options.kept(_build_entity(element, options))
        else:
            options.stated(element.get("generationDate", ""))


def _build_entity(element: Element, options: ParseOptions) -> ListedEntity | None:
    subject = element.find("subjectType")
    codes = subject.attrib if subject is not None else {}
    code = codes.get("classificationCode") or codes.get("code", "")
    draft = EntityDraft(element.get("logicalId", ""), schema_of_subject_type(code, options))
    draft.listed_on = dates.parse_date(element.get("designationDate", ""))
    for child in element:
        if take := _CHILDREN.get(child.tag):
            take(draft, child)
    draft.remark(element.get("euReferenceNumber"))
    return draft.finish()


def _add_regulation(draft: EntityDraft, child: Element) -> None:
    draft.program(child.get("programme"))


def _add_remark(draft: EntityDraft, child: Element) -> None:
    draft.remark(child.text)


def _build_part_adder(
    add: Callable[[EntityDraft, Get], None],
) -> Callable[[EntityDraft, Element], None]:
    """Return what adds a part from the attributes of its element."""
    return lambda draft, child: add(draft, lambda attribute: child.get(attribute, "").strip())


_CHILDREN = {
    "nameAlias": _build_part_adder(add_name),
    "birthdate": _build_part_adder(add_birth),
    "citizenship": _build_part_adder(add_country),
    "address": _build_part_adder(add_address),
    "identification": _build_part_adder(add_identification),
    "regulation": _add_regulation,
    "remark": _add_remark,
}
