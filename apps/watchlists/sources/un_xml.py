"""UN Security Council consolidated list, XML (root CONSOLIDATED_LIST, schema sc-sanctions.xsd)."""

from collections.abc import Iterator, Sequence
from typing import BinaryIO, cast
from xml.etree.ElementTree import Element

from apps.watchlists.sources import dates
from apps.watchlists.sources.draft import Draft
from apps.watchlists.sources.options import Options
from apps.watchlists.sources.reading import FormatError, xml_records
from apps.watchlists.sources.repair import LOST, Repaired
from apps.watchlists.values import ListedEntity

ROOT = "CONSOLIDATED_LIST"
NAME_PARTS = ("FIRST_NAME", "SECOND_NAME", "THIRD_NAME", "FOURTH_NAME")
ADDRESS_PARTS = ("STREET", "CITY", "STATE_PROVINCE", "ZIP_CODE", "COUNTRY")
WEAK = "low"
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


def parse(files: Sequence[BinaryIO], options: Options) -> Iterator[ListedEntity]:
    """Yield the individuals and entities of the list.

    A file that is not well-formed is repaired as far as its markup goes; names in original
    script that cannot be trusted then are left out, and counted as losses.
    """
    if len(files) != 1:
        raise FormatError(f"expected one file, found {len(files)}")
    whole = _is_well_formed(files[0])
    if not whole:
        options.notes.append(BROKEN)
    files[0].seek(0)
    stream = files[0] if whole else cast("BinaryIO", Repaired(files[0], tags=TAGS))
    for tag, element in xml_records(stream, root=ROOT, records=("INDIVIDUAL", "ENTITY")):
        if tag == ROOT:
            options.stated(element.get("dateGenerated", ""))
        else:
            original = _text(element, "NAME_ORIGINAL_SCRIPT")
            if not whole and original and not _has_its_letters(original):
                options.reading.losses["unreadable"] += 1
                original = ""
            yield from options.kept(_party(tag, element, original=original))


def _is_well_formed(stream: BinaryIO) -> bool:
    try:
        for _ in xml_records(stream, root=ROOT, records=("INDIVIDUAL", "ENTITY")):
            pass
    except FormatError:
        return False
    return True


def _has_its_letters(name: str) -> bool:
    """Return whether a name of another script came through: what is left of a lost one is Latin.

    Letters that were cut to their low bytes are controls, signs and Latin letters.
    """
    letters = [one for one in name if one.isalpha()]
    return LOST not in name and bool(letters) and min(letters) > LATIN_ENDS


def _party(tag: str, element: Element, *, original: str) -> ListedEntity | None:
    draft = Draft(_text(element, "DATAID"), "Person" if tag == "INDIVIDUAL" else "Organization")
    draft.name(" ".join(filter(None, (_text(element, part) for part in NAME_PARTS))), "primary")
    draft.name(original)
    for alias in element.iterfind(f"{tag}_ALIAS"):
        _alias(draft, alias)
    draft.program(_text(element, "UN_LIST_TYPE"))
    draft.listed_on = dates.single(_text(element, "LISTED_ON"))
    draft.sex(_text(element, "GENDER"))
    _places(draft, tag, element)
    for birth in element.iterfind("INDIVIDUAL_DATE_OF_BIRTH"):
        _birth(draft, birth)
    for document in element.iterfind("INDIVIDUAL_DOCUMENT"):
        _document(draft, document)
    for value in element.iterfind("DESIGNATION/VALUE"):
        draft.remark(value.text)
    draft.remark(_text(element, "REFERENCE_NUMBER"))
    draft.remark(_text(element, "COMMENTS1"))
    return draft.finish()


def _places(draft: Draft, tag: str, element: Element) -> None:
    for value in element.iterfind("NATIONALITY/VALUE"):
        draft.country(value.text)
    for address in element.iterfind(f"{tag}_ADDRESS"):
        draft.address(*(_text(address, part) for part in ADDRESS_PARTS))
        draft.country(_text(address, "COUNTRY"))


def _alias(draft: Draft, alias: Element) -> None:
    quality = _text(alias, "QUALITY").casefold()
    kind = "former" if quality.startswith("f.k.a") else "alias"
    # The list packs several names into one element, parted by semicolons.
    for name in _text(alias, "ALIAS_NAME").split(";"):
        draft.name(name, kind, weak=quality == WEAK)


def _birth(draft: Draft, birth: Element) -> None:
    printed = _text(birth, "DATE") or _text(birth, "YEAR")
    kind = _text(birth, "TYPE_OF_DATE").upper()
    if kind == "BETWEEN":
        draft.birth(f"{_text(birth, 'FROM_YEAR')} to {_text(birth, 'TO_YEAR')}")
    elif kind == "APPROXIMATELY":
        draft.birth(f"circa {printed}")
    else:
        draft.birth(printed)


def _document(draft: Draft, document: Element) -> None:
    kind = " ".join((_text(document, "TYPE_OF_DOCUMENT"), _text(document, "TYPE_OF_DOCUMENT2")))
    country = _text(document, "ISSUING_COUNTRY") or _text(document, "COUNTRY_OF_ISSUE")
    passport = "pas" in kind.casefold()
    draft.identifier("passport" if passport else "national_id", _text(document, "NUMBER"), country)


def _text(element: Element, tag: str) -> str:
    return (element.findtext(tag) or "").strip()
