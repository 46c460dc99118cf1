"""UN Security Council consolidated list, XML (root CONSOLIDATED_LIST, schema sc-sanctions.xsd)."""

import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO, cast
from xml.etree.ElementTree import Element

from apps.reference.watchlists.listed_entity import ListedEntity
from apps.reference.watchlists.sources import dates
from apps.reference.watchlists.sources.entity_draft import EntityDraft
from apps.reference.watchlists.sources.identifier_kinds import is_false_document
from apps.reference.watchlists.sources.parse_options import ParseOptions
from apps.reference.watchlists.sources.stream_readers import FormatError, read_xml_records
from apps.reference.watchlists.sources.xml_repair import LOST, RepairedXmlStream

ROOT = "CONSOLIDATED_LIST"
NAME_PARTS = ("FIRST_NAME", "SECOND_NAME", "THIRD_NAME", "FOURTH_NAME")
ADDRESS_PARTS = ("STREET", "CITY", "STATE_PROVINCE", "ZIP_CODE", "COUNTRY")
WEAK = "low"
_HIJRI = re.compile(r"([\d/.-]+) \(Hijri", re.IGNORECASE)
LATIN_ENDS = "\u02ff"  # no letter of another script comes before it
BROKEN = (
    "The file is not well-formed XML. Its text was repaired as far as markup goes; names in "
    "original script that are no longer whole were left out."
)
TAGS = {
    *(ROOT, "INDIVIDUALS", "INDIVIDUAL", "ENTITIES", "ENTITY"),
    *(f"{tag}_{part}" for tag in ("INDIVIDUAL", "ENTITY") for part in ("ALIAS", "ADDRESS")),
    *("INDIVIDUAL_DATE_OF_BIRTH", "INDIVIDUAL_PLACE_OF_BIRTH", "INDIVIDUAL_DOCUMENT"),
    *NAME_PARTS,
    *ADDRESS_PARTS,
    *("DATAID", "VERSIONNUM", "NAME_ORIGINAL_SCRIPT", "UN_LIST_TYPE", "REFERENCE_NUMBER"),
    *("LISTED_ON", "SUBMITTED_BY", "GENDER", "COMMENTS1", "TITLE", "DESIGNATION", "NATIONALITY"),
    *("NATIONALITY2", "LIST_TYPE", "LAST_DAY_UPDATED", "VALUE", "QUALITY", "ALIAS_NAME", "NOTE"),
    *("DATE_OF_BIRTH", "CITY_OF_BIRTH", "COUNTRY_OF_BIRTH", "TYPE_OF_DATE", "DATE", "YEAR"),
    *("FROM_YEAR", "TO_YEAR", "TYPE_OF_DOCUMENT", "TYPE_OF_DOCUMENT2", "NUMBER", "DATE_OF_ISSUE"),
    *("ISSUING_COUNTRY", "COUNTRY_OF_ISSUE", "CITY_OF_ISSUE", "SORT_KEY", "SORT_KEY_LAST_MOD"),
}


def parse(files: Sequence[BinaryIO], options: ParseOptions) -> Iterator[ListedEntity]:
    """Yield the individuals and entities of the list.

    A file that is not well-formed is repaired as far as its markup goes; names in original
    script that cannot be trusted then are left out, and counted as losses.
    """
    if len(files) != 1:
        raise FormatError(f"expected one file, found {len(files)}")
    # read to the end first: repairing a sound file could only do harm
    whole = _is_well_formed(files[0])
    if not whole:
        options.notes.append(BROKEN)
    files[0].seek(0)
    stream = files[0] if whole else cast("BinaryIO", RepairedXmlStream(files[0], tags=TAGS))
    for tag, element in read_xml_records(stream, root=ROOT, records=("INDIVIDUAL", "ENTITY")):
        if tag == ROOT:
            options.stated(element.get("dateGenerated", ""))
        else:
            original = _read_child_text(element, "NAME_ORIGINAL_SCRIPT")
            if not whole and original and not _has_intact_letters(original):
                options.reading.losses["unreadable"] += 1
                original = ""
            yield from options.kept(_build_party(tag, element, original=original))


def _is_well_formed(stream: BinaryIO) -> bool:
    try:
        for _ in read_xml_records(stream, root=ROOT, records=("INDIVIDUAL", "ENTITY")):
            pass
    except FormatError:
        return False
    return True


def _has_intact_letters(name: str) -> bool:
    """Return whether a name of another script came through: what is left of a lost one is Latin.

    Letters that were cut to their low bytes are controls, signs and Latin letters.
    """
    letters = [character for character in name if character.isalpha()]
    return LOST not in name and bool(letters) and min(letters) > LATIN_ENDS


def _build_party(tag: str, element: Element, *, original: str) -> ListedEntity | None:
    draft = EntityDraft(
        _read_child_text(element, "DATAID"), "Person" if tag == "INDIVIDUAL" else "Organization"
    )
    draft.name(
        " ".join(filter(None, (_read_child_text(element, part) for part in NAME_PARTS))), "primary"
    )
    draft.name(original)
    for alias in element.iterfind(f"{tag}_ALIAS"):
        quality = _read_child_text(alias, "QUALITY").casefold()
        kind = "former" if quality.startswith("f.k.a") else "alias"
        # The list packs several names into one element, parted by semicolons.
        for name in _read_child_text(alias, "ALIAS_NAME").split(";"):
            draft.name(name, kind, weak=quality == WEAK)
    draft.program(_read_child_text(element, "UN_LIST_TYPE"))
    draft.listed_on = dates.parse_date(_read_child_text(element, "LISTED_ON"))
    draft.sex(_read_child_text(element, "GENDER"))
    _add_places(draft, tag, element)
    for birth in element.iterfind("INDIVIDUAL_DATE_OF_BIRTH"):
        _add_birth_date(draft, birth)
    for document in element.iterfind("INDIVIDUAL_DOCUMENT"):
        _add_document(draft, document)
    for value in element.iterfind("DESIGNATION/VALUE"):
        draft.remark(value.text)
    draft.remark(_read_child_text(element, "REFERENCE_NUMBER"))
    draft.remark(_read_child_text(element, "COMMENTS1"))
    return draft.finish()


def _add_places(draft: EntityDraft, tag: str, element: Element) -> None:
    for value in element.iterfind("NATIONALITY/VALUE"):
        draft.country(value.text)
    for address in element.iterfind(f"{tag}_ADDRESS"):
        draft.address(*(_read_child_text(address, part) for part in ADDRESS_PARTS))
        draft.country(_read_child_text(address, "COUNTRY"))


def _add_birth_date(draft: EntityDraft, birth: Element) -> None:
    printed = _read_child_text(birth, "DATE") or _read_child_text(birth, "YEAR")
    kind = _read_child_text(birth, "TYPE_OF_DATE").upper()
    if kind == "BETWEEN":
        draft.birth(
            f"{_read_child_text(birth, 'FROM_YEAR')} to {_read_child_text(birth, 'TO_YEAR')}"
        )
    elif kind == "APPROXIMATELY":
        draft.birth(f"circa {printed}")
    elif not printed and (match := _HIJRI.search(_read_child_text(birth, "NOTE"))):
        draft.hijri_birth(match[1])
    else:
        draft.birth(printed)


def _add_document(draft: EntityDraft, document: Element) -> None:
    kind = " ".join(
        (
            _read_child_text(document, "TYPE_OF_DOCUMENT"),
            _read_child_text(document, "TYPE_OF_DOCUMENT2"),
        )
    )
    country = _read_child_text(document, "ISSUING_COUNTRY") or _read_child_text(
        document, "COUNTRY_OF_ISSUE"
    )
    passport = "pas" in kind.casefold()
    draft.identifier(
        "passport" if passport else "national_id",
        _read_child_text(document, "NUMBER"),
        country,
        known_false=is_false_document(_read_child_text(document, "NOTE")),
    )


def _read_child_text(element: Element, tag: str) -> str:
    return (element.findtext(tag) or "").strip()
