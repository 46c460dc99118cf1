"""A list that is published in two forms gives the same parties from both."""

import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from apps.reference.watchlists.listed_entity import Identifier, ListedEntity
from apps.reference.watchlists.sources import FORMATS, ParseOptions
from tests.shared_data import folder
from tests.watchlists.test_source_ofac import ADVANCED

# what is said of each person of the EU list: attributes of the XML form by element
PERSONS: dict[str, list[tuple[str, dict[str, str]]]] = {
    "1": [("birthdate", {"circa": "false", "birthdate": "1937-04-28", "year": "1937"})],
    "2": [("birthdate", {"circa": "true", "year": "1961"})],
    "3": [("birthdate", {"circa": "false", "yearRangeFrom": "1953", "yearRangeTo": "1958"})],
    "4": [("birthdate", {"circa": "true", "yearRangeFrom": "1953", "yearRangeTo": "1958"})],
    "5": [("birthdate", {"circa": "false", "calendarType": "ISLAMIC", "year": "1343"})],
    "6": [("birthdate", {"circa": "false", "calendarType": "GREGORIAN", "year": "1964",
                         "monthOfYear": "3", "dayOfMonth": "7"})],
    "7": [("identification", {"identificationTypeCode": "passport", "number": "A-77",
                              "countryIso2Code": "IQ", "knownFalse": "false"}),
          ("identification", {"identificationTypeCode": "passport", "number": "X-1",
                              "countryIso2Code": "IQ", "knownFalse": "true"})],
    "8": [("identification", {"identificationTypeCode": "id", "latinNumber": "5430",
                              "identificationTypeDescription": "National card"})],
    "9": [("citizenship", {"countryIso2Code": "IR", "countryDescription": "IRAN"}),
          ("address", {"street": "1 High St", "city": "Minsk", "zipCode": "22",
                       "countryIso2Code": "BY", "countryDescription": "BELARUS"}),
          ("nameAlias", {"wholeName": "Abu Ali", "strong": "false"})],
    "10": [("birthdate", {"calendarType": "ISLAMIC", "circa": "true", "year": "1402",
                          "monthOfYear": "6", "dayOfMonth": "24"})],
    "11": [("birthdate", {"calendarType": "BUDDHIST", "circa": "false", "year": "2507"})],
}  # fmt: skip
PREFIXES = {"birthdate": "BirthDate", "identification": "Identification", "nameAlias": "NameAlias",
            "citizenship": "Citizenship", "address": "Address"}  # fmt: skip
RENAMED = {"dayOfMonth": "Day", "monthOfYear": "Month", "birthdate": "BirthDate",
           "identificationTypeCode": "TypeCode",
           "identificationTypeDescription": "TypeDescription"}  # fmt: skip


def column(element: str, attribute: str) -> str:
    name = RENAMED.get(attribute, attribute[0].upper() + attribute[1:])
    return f"{PREFIXES[element]}_{name}"


def eu_csv() -> str:
    rows: list[dict[str, str]] = []
    for key, parts in PERSONS.items():
        own = {"Entity_LogicalId": key, "Entity_DesignationDate": "2011-04-12",
               "Entity_SubjectType_ClassificationCode": "P", "Entity_SubjectType": "P",
               "Entity_Regulation_Programme": "IRN"}  # fmt: skip
        rows.append(own | {"NameAlias_WholeName": f"Person {key}", "NameAlias_Strong": "true"})
        for element, said in parts:
            rows.append(own | {column(element, name): text for name, text in said.items()})
    columns = list(dict.fromkeys(name for row in rows for name in row))
    lines = [";".join(row.get(name, "") for name in columns) for row in rows]
    return "\n".join([";".join(columns), *lines, ""])


def eu_xml() -> str:
    found = []
    for key, parts in PERSONS.items():
        parts_xml = []
        for element, said in parts:
            attributes = " ".join(f'{name}="{text}"' for name, text in said.items())
            parts_xml.append(f"<{element} {attributes}/>")
        found.append(
            f'<sanctionEntity logicalId="{key}" designationDate="2011-04-12">'
            '<regulation programme="IRN"/><subjectType code="person" classificationCode="P"/>'
            f'<nameAlias wholeName="Person {key}" strong="true"/>'
            + "".join(parts_xml)
            + "</sanctionEntity>"
        )
    return '<export xmlns="http://eu.europa.ec/fpi/fsd/export">' + "".join(found) + "</export>"


def parsed(form: str, files: Iterable[BinaryIO]) -> dict[str, ListedEntity]:
    return {one.entity_id: one for one in FORMATS[form].parse(list(files), ParseOptions())}


def read(form: str, *texts: str) -> dict[str, ListedEntity]:
    return parsed(form, [io.BytesIO(text.encode()) for text in texts])


def said_of(entity: ListedEntity) -> dict[str, Any]:
    """Return what both forms of a list hold, in any order; OFAC's CSV has Latin names alone."""
    return {
        "schema": entity.schema,
        "names": {
            (name.full, name.kind, name.weak) for name in entity.names if name.full.isascii()
        },
        "births": set(entity.birth_dates),
        "countries": set(entity.countries),
        "identifiers": set(entity.identifiers),
        "false": set(entity.false_identifiers),
        "programs": set(entity.programs),
        "gender": entity.gender,
    }


@pytest.mark.parametrize("key", PERSONS)
def test_both_forms_of_the_eu_list_give_the_same_party(key: str) -> None:
    one, other = read("eu-csv", eu_csv())[key], read("eu-xml", eu_xml())[key]
    assert said_of(one) == said_of(other)
    assert (one.addresses, one.birth_notes) == (other.addresses, other.birth_notes)


@pytest.mark.parametrize(
    ("key", "dates", "note"),
    [
        ("1", ["1937-04-28"], ""),
        ("2", ["1960", "1961", "1962"], "circa 1961"),
        ("3", ["1953", "1954", "1955", "1956", "1957", "1958"], "1953 to 1958"),
        ("4", ["1952", "1953", "1954", "1955", "1956", "1957", "1958", "1959"],
         "circa 1953 to 1958"),
        ("5", ["1924", "1925", "1964", "1965"],
         "1343 of the Hijri calendar; in the Gregorian calendar 1924 or 1925 if lunar, "
         "1964 or 1965 if solar"),
        ("6", ["1964-03-07"], ""),
        ("10", ["1981", "1982", "1983"],
         "circa 1402-06-24 of the Hijri calendar; in the Gregorian calendar "
         "1982-04-18 or 1982-04-19"),
        ("11", [], "2507 of the calendar BUDDHIST"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("form", ["eu-csv", "eu-xml"])
def test_eu_birth_dates_stand_for_all_that_they_may_mean(
    form: str, key: str, dates: list[str], note: str
) -> None:
    person = read(form, eu_csv() if form == "eu-csv" else eu_xml())[key]
    assert sorted(person.birth_dates) == dates
    assert " ".join(person.birth_notes) == note


@pytest.mark.parametrize("form", ["eu-csv", "eu-xml"])
def test_a_document_that_the_eu_list_knows_to_be_false_is_kept_apart(form: str) -> None:
    person = read(form, eu_csv() if form == "eu-csv" else eu_xml())["7"]
    assert person.identifiers == (Identifier("passport", "A-77", "IQ"),)
    assert person.false_identifiers == (Identifier("passport", "X-1", "IQ"),)


NONE = ",".join(["-0- "] * 6)
REMARKS = (
    "DOB circa 1948; nationality Iraq; Gender Male; Passport 040070827 (Iraq); "
    "C.U.R.P. AB12 (Iraq); Passport F-9 (Iraq) (falsified); "
    "Digital Currency Address - ETH 0x098B716B8Aaf21512996dC57EB0615e2383E2f96; "
    "f.k.a. 'ZAYDAN'."
)
SDN = f'2674,"ABBAS, Abu",individual,SDGT,-0- ,{NONE},"{REMARKS}"\n'
CURP = """<IDRegDocument ID="3" IDRegDocTypeID="1600" IdentityID="6746" IssuedBy-CountryID="1">
  <IDRegistrationNo>AB12</IDRegistrationNo></IDRegDocument>
 <IDRegDocument ID="4" IDRegDocTypeID="1571" IdentityID="6746" IssuedBy-CountryID="1"
  ValidityID="2"><IDRegistrationNo>F-9</IDRegistrationNo></IDRegDocument>
 <IDRegDocument ID="9\""""


def advanced() -> str:
    """Return the advanced form of the party that SDN has."""
    text = ADVANCED.replace(' <IDRegDocument ID="9"', CURP, 1)
    text = text.replace(
        "</IDRegDocTypeValues>",
        '<IDRegDocType ID="1600">C.U.R.P.</IDRegDocType></IDRegDocTypeValues><ValidityValues>'
        '<Validity ID="1">Valid</Validity><Validity ID="2">Fraudulent</Validity></ValidityValues>',
    )
    exact = "<Year>1948</Year><Month>12</Month><Day>10</Day>"
    first = "<Year>1948</Year><Month>1</Month><Day>1</Day>"
    last = "<Year>1948</Year><Month>12</Month><Day>31</Day>"
    text = text.replace(f"<Start><From>{exact}", f'<Start Approximate="true"><From>{first}')
    return text.replace(f"<End><To>{exact}", f'<End Approximate="true"><To>{last}')


def test_both_forms_of_ofacs_list_give_the_same_party() -> None:
    one, other = read("ofac-csv", SDN)["2674"], read("ofac-xml", advanced())["2674"]
    assert said_of(one) == said_of(other)
    assert sorted(one.birth_dates) == ["1947", "1948", "1949"]
    assert Identifier("national_id", "AB12", "IQ") in one.identifiers
    assert one.false_identifiers == (Identifier("passport", "F-9", "IQ"),)


# both forms of one day, where the folder of real lists has them
REAL = {
    "ofac": ("ofac-csv", ("sdn.csv", "add.csv", "alt.csv"), "ofac-xml", ("sdn_advanced.xml",)),
    "eu": ("eu-csv", ("csvFullSanctionsList_1_1.csv",),
           "eu-xml", ("xmlFullSanctionsList_1_1.xml",)),
}  # fmt: skip


def _beside(names: tuple[str, ...]) -> set[Path]:
    """Return the folders of real lists in which all of these files stand."""
    places = (folder() / "lists").rglob(names[0])
    return {
        place.parent for place in places if all((place.parent / name).exists() for name in names)
    }


@pytest.mark.parametrize("name", REAL)
def test_both_forms_of_a_real_list_give_the_same_parties(name: str) -> None:
    first, csv_files, second, xml_files = REAL[name]
    places = _beside(csv_files) & _beside(xml_files)
    if not places:
        pytest.skip(f"the shared lists have no {' and '.join(xml_files)} beside {csv_files[0]}")
    for place in places:
        one = parsed(first, [(place / file).open("rb") for file in csv_files])
        other = parsed(second, [(place / file).open("rb") for file in xml_files])
        assert one.keys() == other.keys()
        wrong = [key for key in one if said_of(one[key]) != said_of(other[key])]
        assert not wrong, wrong[:20]
