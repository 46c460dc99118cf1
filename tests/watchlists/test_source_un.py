"""The UN consolidated list."""

import io

import pytest

from apps.reference.watchlists.listed_entity import Identifier, ListedEntity, ListedName
from apps.reference.watchlists.sources import FORMATS, FormatError, ParseOptions
from tests.shared_data import shared

LIST = """<?xml version="1.0" encoding="UTF-8"?>
<CONSOLIDATED_LIST dateGenerated="2026-02-27T00:00:09.554Z">
 <INDIVIDUALS><INDIVIDUAL>
  <DATAID>6907995</DATAID><FIRST_NAME>GASTON</FIRST_NAME><SECOND_NAME>IYAMUREMYE</SECOND_NAME>
  <NAME_ORIGINAL_SCRIPT>غاستون</NAME_ORIGINAL_SCRIPT>
  <UN_LIST_TYPE>DRC</UN_LIST_TYPE><REFERENCE_NUMBER>CDi.003</REFERENCE_NUMBER>
  <LISTED_ON>2010-12-01</LISTED_ON><GENDER>Male</GENDER>
  <DESIGNATION><VALUE>FDLR Interim President</VALUE></DESIGNATION>
  <NATIONALITY><VALUE>Rwanda</VALUE></NATIONALITY>
  <INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME>Rumuli</ALIAS_NAME></INDIVIDUAL_ALIAS>
  <INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>Michel B; Victor B</ALIAS_NAME>
  </INDIVIDUAL_ALIAS>
  <INDIVIDUAL_ALIAS><QUALITY/><ALIAS_NAME/></INDIVIDUAL_ALIAS>
  <INDIVIDUAL_ADDRESS><CITY>Goma</CITY><COUNTRY>Democratic Republic of the Congo</COUNTRY>
  </INDIVIDUAL_ADDRESS>
  {births}
  <INDIVIDUAL_DOCUMENT><TYPE_OF_DOCUMENT>Passport</TYPE_OF_DOCUMENT><NUMBER>A1</NUMBER>
   <ISSUING_COUNTRY>Rwanda</ISSUING_COUNTRY></INDIVIDUAL_DOCUMENT>
 </INDIVIDUAL></INDIVIDUALS>
 <ENTITIES><ENTITY>
  <DATAID>6908402</DATAID><FIRST_NAME>ADF</FIRST_NAME><UN_LIST_TYPE>DRC</UN_LIST_TYPE>
  <ENTITY_ALIAS><QUALITY>f.k.a.</QUALITY><ALIAS_NAME>NALU</ALIAS_NAME></ENTITY_ALIAS>
  <ENTITY_ADDRESS><COUNTRY>Uganda</COUNTRY></ENTITY_ADDRESS>
 </ENTITY></ENTITIES>
</CONSOLIDATED_LIST>"""


def birth(kind: str, **parts: str) -> str:
    inner = "".join(f"<{tag}>{text}</{tag}>" for tag, text in parts.items())
    return (
        f"<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>{kind}</TYPE_OF_DATE>{inner}"
        "</INDIVIDUAL_DATE_OF_BIRTH>"
    )


def read(text: str) -> list[ListedEntity]:
    return list(FORMATS["un-xml"].parse([io.BytesIO(text.encode())], ParseOptions()))


def test_an_individual_has_names_of_each_quality_and_script() -> None:
    person = read(LIST.format(births=""))[0]
    assert person.names == (
        ListedName("GASTON IYAMUREMYE", "primary"),
        ListedName("غاستون"),
        ListedName("Rumuli", weak=True),
        ListedName("Michel B"),
        ListedName("Victor B"),
    )
    assert person.countries == ("RW", "CD")
    assert person.gender == "male"
    assert person.listed_on == "2010-12-01"
    assert person.programs == ("DRC",)
    assert person.identifiers == (Identifier("passport", "A1", "RW"),)
    assert "FDLR Interim President" in person.remarks
    assert person.positions == ()


@pytest.mark.parametrize(
    ("births", "meant"),
    [
        (birth("EXACT", DATE="1962-03-17"), ("1962-03-17",)),
        (birth("EXACT", YEAR="1948"), ("1948",)),
        (birth("APPROXIMATELY", YEAR="1966"), ("1965", "1966", "1967")),
        (birth("BETWEEN", FROM_YEAR="1973", TO_YEAR="1974"), ("1973", "1974")),
        (birth(""), ()),
        (birth("EXACT", DATE="1962-03-17") + birth("EXACT", YEAR="1964"), ("1962-03-17", "1964")),
    ],
)
def test_birth_dates_are_exact_approximate_or_between(births: str, meant: tuple[str, ...]) -> None:
    assert read(LIST.format(births=births))[0].birth_dates == meant


def test_an_entity_has_former_names_and_the_country_of_its_address() -> None:
    entity = read(LIST.format(births=""))[1]
    assert entity.schema == "Organization"
    assert entity.names == (ListedName("ADF", "primary"), ListedName("NALU", "former"))
    assert entity.countries == ("UG",)


def test_a_broken_text_encoding_is_repaired_without_its_original_script() -> None:
    text = LIST.format(births="").replace("غاستون", "'D4 & <0@>2\x19")
    broken = text.replace("FDLR Interim", "FDLR\x19s \x03 Interim")
    person, entity = read(broken)
    assert [name.full for name in person.names] == [
        "GASTON IYAMUREMYE", "Rumuli", "Michel B", "Victor B",
    ]  # fmt: skip
    assert entity.names[0].full == "ADF"


@pytest.mark.parametrize(
    ("original", "lost"),
    [
        ("غاستون", False),
        ("Гастон", False),
        ("加斯顿", False),
        ("'D4 E-E/", True),  # letters of Arabic cut to their low bytes
        ("غاس\x03تون", True),
        ("غاستون A", True),
        ("12 '/", True),
        ("", False),
    ],
)
def test_a_broken_file_keeps_names_in_original_script_that_came_through_and_counts_the_lost(
    original: str, lost: bool
) -> None:
    broken = LIST.format(births="").replace("غاستون", original).replace("Goma", "Goma & Bukavu")
    options = ParseOptions()
    person = next(FORMATS["un-xml"].parse([io.BytesIO(broken.encode())], options))
    assert (original in [name.full for name in person.names]) is bool(original and not lost)
    assert options.reading.losses["unreadable"] == lost
    assert "not well-formed" in options.notes[0]


def test_a_file_that_is_well_formed_loses_no_name_in_original_script() -> None:
    options = ParseOptions()
    text = LIST.format(births="").replace("غاستون", "Gastón")
    person = next(FORMATS["un-xml"].parse([io.BytesIO(text.encode())], options))
    assert ListedName("Gastón") in person.names
    assert options.reading.losses.total() == 0


def test_quotation_marks_that_lost_their_high_byte_come_back() -> None:
    broken = LIST.format(births="").replace("ADF", "LORD\x19S RESISTANCE ARMY")
    assert read(broken)[1].names[0].full == "LORD’S RESISTANCE ARMY"


@pytest.mark.parametrize(
    "text",
    [
        "<html/>",
        "",
        LIST[:400],
        '<!DOCTYPE x [<!ENTITY a "b">]><CONSOLIDATED_LIST>&a;</CONSOLIDATED_LIST>',
        LIST.replace("CONSOLIDATED_LIST", "LIST"),
        LIST.format(births="").replace("<DATAID>6907995</DATAID>", ""),
    ],
)
def test_another_format_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="expected"):
        read(text)


@pytest.mark.parametrize(
    ("name", "parties"),
    [("un_consolidated_2025-08-16.xml", 879), ("un_consolidated_2026-02-27.xml", 1003)],
)
def test_the_real_lists_are_read_whole(name: str, parties: int) -> None:
    with shared(f"lists/un/{name}").open("rb") as stream:
        found = list(FORMATS["un-xml"].parse([stream], ParseOptions()))
    assert shared(f"lists/un/{name}").read_bytes().count(b"<DATAID>") == parties
    assert len(found) == parties
    weak = sum(1 for entity in found for one in entity.names if one.weak)
    assert weak > 500


def test_a_hijri_date_that_a_note_tells_is_read() -> None:
    birth = (
        "<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE>"
        "<NOTE>24/06/1402 (Hijri Calendar)</NOTE></INDIVIDUAL_DATE_OF_BIRTH>"
    )
    file = io.BytesIO(LIST.replace("{births}", birth).encode())
    person = next(FORMATS["un-xml"].parse([file], ParseOptions()))
    assert person.birth_dates == ("1982-04-18", "1982-04-19")


@pytest.mark.parametrize(
    ("note", "false"),
    [
        ("forged, seized in 2011", True),
        ("false passport", True),
        ("fraudulently obtained and since cancelled", False),
        ("falls due in 2012", False),
        ("", False),
    ],
)
def test_a_document_that_a_note_calls_false_is_kept_apart(note: str, false: bool) -> None:
    noted = LIST.replace("{births}", "").replace(
        "<NUMBER>A1</NUMBER>", f"<NUMBER>A1</NUMBER><NOTE>{note}</NOTE>"
    )
    person = next(FORMATS["un-xml"].parse([io.BytesIO(noted.encode())], ParseOptions()))
    passport = (Identifier("passport", "A1", "RW"),)
    held, apart = ((), passport) if false else (passport, ())
    assert (person.identifiers, person.false_identifiers) == (held, apart)
