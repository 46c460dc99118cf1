"""The EU and the UK lists, from their published formats."""

import io

import pytest

from apps.reference.watchlists.listed_entity import Identifier, ListedEntity, ListedName
from apps.reference.watchlists.sources import FORMATS, FormatError, ParseOptions

COLUMNS = (
    "fileGenerationDate;Entity_LogicalId;Entity_EU_ReferenceNumber;Entity_DesignationDate;"
    "Entity_Remark;Entity_SubjectType;Entity_SubjectType_ClassificationCode;"
    "Entity_Regulation_Programme;NameAlias_LastName;NameAlias_FirstName;NameAlias_MiddleName;"
    "NameAlias_WholeName;NameAlias_Gender;NameAlias_Function;NameAlias_Strong;"
    "Address_City;Address_CountryIso2Code;Address_CountryDescription;BirthDate_BirthDate;"
    "BirthDate_Year;BirthDate_Circa;Identification_Number;Identification_TypeCode;"
    "Identification_TypeDescription;Identification_CountryIso2Code;Citizenship_CountryIso2Code"
)
SADDAM, LEI = "Saddam Hussein Al-Tikriti", "549300WE6TAF5EEWQS81"
EU_CSV = f"""\ufeff{COLUMNS}
27/02/2026;13;EU.27.28;2003-07-07;;P;person;IRQ;Al-Tikriti;S;;{SADDAM};M;President;true;;;;;;;;;;;
27/02/2026;13;EU.27.28;2003-07-07;;P;person;IRQ;;;;Abu Ali;;;false;;;;;;;;;;;
27/02/2026;13;EU.27.28;2003-07-07;;P;person;IRQ;;;;;;;;;;;1937-04-28;1937;false;;;;;
27/02/2026;99;EU.1.2;;;E;enterprise;UKR;;;;"Acme; Trading LLC";;;true;;;;;;;;;;;
27/02/2026;13;EU.27.28;2003-07-07;;P;person;IRQ;;;;;;;;;;;;;;A-77;passport;National passport;IQ;IQ
27/02/2026;99;EU.1.2;;;E;enterprise;UKR;;;;;;;;Minsk;BY;BELARUS;;;;{LEI};other;Other;;
"""
EU_XML = """<?xml version="1.0" encoding="UTF-8"?>
<export xmlns="http://eu.europa.ec/fpi/fsd/export" generationDate="2026-02-27T17:00:34+01:00">
 <sanctionEntity designationDate="2003-07-07" euReferenceNumber="EU.27.28" logicalId="13">
  <remark>UNSC RESOLUTION 1483</remark>
  <regulation programme="IRQ" logicalId="348"><publicationUrl>http://x.test/</publicationUrl>
  </regulation>
  <subjectType code="person" classificationCode="P"/>
  <nameAlias firstName="Saddam" lastName="Hussein Al-Tikriti" gender="M" function="President"
   wholeName="Saddam Hussein Al-Tikriti" strong="true"/>
  <nameAlias wholeName="Abu Ali" strong="false"/>
  <citizenship countryIso2Code="IQ" countryDescription="IRAQ"/>
  <birthdate circa="false" birthdate="1937-04-28" year="1937"/>
  <identification identificationTypeCode="passport" number="A-77" countryIso2Code="IQ"/>
  <identification identificationTypeCode="id" number="FALSE-1" knownFalse="true"/>
 </sanctionEntity>
 <sanctionEntity logicalId="99">
  <subjectType code="enterprise" classificationCode="E"/>
  <nameAlias firstName="Acme;" lastName="Trading LLC" strong="true"/>
  <address city="Minsk" countryIso2Code="BY" countryDescription="BELARUS"/>
  <identification identificationTypeCode="other" number="549300WE6TAF5EEWQS81"/>
 </sanctionEntity>
</export>
"""
UK_HEADER = (
    "Last Updated,Unique ID,OFSI Group ID,UN Reference Number,Name 6,Name 1,Name 2,Name 3,Name 4,"
    "Name 5,Name type,Alias strength,Title,Name non-latin script,Non-latin script type,"
    "Non-latin script language,Regime Name,Designation Type,Address Line 1,Address Line 2,"
    "Address Line 3,Address Line 4,Address Line 5,Address Line 6,Address Postal Code,"
    "Address Country,Date Designated,D.O.B,Nationality(/ies),National Identifier number,"
    "Passport number,Position,Gender,Business registration number (s),IMO number,"
    "Current believed flag of ship"
)


def uk_row(**values: str) -> str:
    columns = UK_HEADER.split(",")
    assert set(values) <= set(columns)
    return ",".join(values.get(column, "") for column in columns)


UK_CSV = "\n".join(
    (
        "Report Date: 27-Feb-2026",
        UK_HEADER,
        uk_row(**{
            "Unique ID": "RUS0251", "OFSI Group ID": "13000",
            "Name 6": "PUTIN", "Name 1": "Vladimir",
            "Name 2": "Vladimirovich", "Name type": "Primary Name", "Regime Name": "Russia",
            "Designation Type": "Individual", "D.O.B": "07/10/1952", "Nationality(/ies)": "Russia",
            "Date Designated": "25/02/2022", "Gender": "Male", "Passport number": "(1) 11 (2) 22",
            "Name non-latin script": "Владимир Путин",
        }),
        uk_row(**{
            "Unique ID": "RUS9001", "Name 6": "SS OCEAN STAR", "Name type": "Primary Name",
            "Regime Name": "Russia", "Designation Type": "Ship", "IMO number": "9187629",
            "Current believed flag of ship": "Panama",
        }),
        uk_row(**{
            "Unique ID": "RUS0251", "Name 6": "Volodya", "Name type": "Alias",
            "Alias strength": "Low quality a.k.a", "Regime Name": "Russia",
            "Designation Type": "Individual", "D.O.B": "dd/mm/1952", "Address Country": "Belarus",
        }),
    )
)  # fmt: skip


def read(form: str, text: str) -> dict[str, ListedEntity]:
    found = FORMATS[form].parse([io.BytesIO(text.encode())], ParseOptions())
    return {entity.entity_id: entity for entity in found}


@pytest.mark.parametrize(("form", "text"), [("eu-csv", EU_CSV), ("eu-xml", EU_XML)])
def test_both_forms_of_the_eu_list_say_the_same(form: str, text: str) -> None:
    found = read(form, text)
    person, company = found["13"], found["99"]
    assert person.schema == "Person"
    assert person.names == (
        ListedName("Saddam Hussein Al-Tikriti", "primary"),
        ListedName("Abu Ali", weak=True),
    )
    assert person.birth_dates == ("1937-04-28",)
    assert person.countries == ("IQ",)
    assert person.programs == ("IRQ",)
    assert person.gender == "male"
    assert person.listed_on == "2003-07-07"
    assert person.identifiers == (Identifier("passport", "A-77", "IQ"),)
    assert company.schema == "Organization"
    assert company.names[0].full == "Acme; Trading LLC"
    assert company.countries == ("BY",)
    assert company.identifiers == (Identifier("lei", "549300WE6TAF5EEWQS81"),)


@pytest.mark.parametrize(
    ("form", "text", "said"),
    [
        ("eu-csv", EU_CSV.replace("NameAlias_WholeName", "Name"), "NameAlias_WholeName"),
        ("eu-csv", EU_CSV.replace(";", ","), "expected the columns"),
        ("eu-csv", "", "expected the columns"),
        ("eu-csv", EU_CSV + "1;2\n", "fields at line"),
        ("eu-xml", EU_XML.replace("export", "sanctions"), "root element export"),
        ("uk-csv", UK_CSV.replace("Unique ID", "Group ID"), "'Unique ID'"),
        ("uk-csv", UK_CSV.replace("Name type", "Kind"), "Name type"),
        ("uk-csv", UK_CSV.replace("Designation Type", "Class"), "Designation Type"),
    ],
)
def test_a_changed_header_is_refused_with_what_was_expected(
    form: str, text: str, said: str
) -> None:
    with pytest.raises(FormatError, match=said):
        read(form, text)


def test_uk_rows_of_a_party_are_gathered_wherever_they_stand() -> None:
    person = read("uk-csv", UK_CSV)["RUS0251"]
    assert person.schema == "Person"
    assert person.names == (
        ListedName("Vladimir Vladimirovich PUTIN", "primary"),
        ListedName("Владимир Путин"),
        ListedName("Volodya", weak=True),
    )
    assert person.birth_dates == ("1952-10-07", "1952")
    assert person.countries == ("RU", "BY")
    assert [identifier.value for identifier in person.identifiers] == ["11", "22"]
    assert person.listed_on == "2022-02-25"


def test_uk_ships_have_imo_number_and_flag() -> None:
    ship = read("uk-csv", UK_CSV)["RUS9001"]
    assert ship.schema == "Vessel"
    assert ship.countries == ("PA",)
    assert ship.identifiers == (Identifier("imo", "9187629"),)


def test_the_uk_header_may_name_the_type_column_as_it_once_did() -> None:
    older = UK_CSV.replace("Designation Type", '"Individual, Entity, Ship"')
    assert read("uk-csv", older)["RUS9001"].schema == "Vessel"


@pytest.mark.parametrize(
    ("printed", "measures"),
    [
        ("Travel Ban", ("Travel Ban",)),
        ("Asset freeze|Travel Ban", ("Asset freeze", "Travel Ban")),
        ("", ()),
    ],
)
def test_uk_measures_are_read(printed: str, measures: tuple[str, ...]) -> None:
    head, columns, *rows = UK_CSV.split("\n")
    text = "\n".join([head, f"{columns},Sanctions Imposed", *(f"{row},{printed}" for row in rows)])
    assert read("uk-csv", text)["RUS0251"].measures == measures


@pytest.mark.parametrize(
    ("said", "held", "apart"),
    [
        ("(1) Forged (2) Expired", ["22"], ["11"]),
        ("(1) Expired (2) False passport", ["11"], ["22"]),
        ("Forged", ["11", "22"], []),  # of which of the two is not said
        ("", ["11", "22"], []),
    ],
)
def test_a_uk_passport_that_is_called_false_is_kept_apart(
    said: str, held: list[str], apart: list[str]
) -> None:
    head, columns, *rows = UK_CSV.split("\n")
    name = "Passport additional information"
    cells = [said if "(1) 11" in row else "" for row in rows]
    lines = [f"{row},{cell}" for row, cell in zip(rows, cells, strict=True)]
    person = read("uk-csv", "\n".join([head, f"{columns},{name}", *lines]))["RUS0251"]
    assert [identifier.value for identifier in person.identifiers] == held
    assert [false_identifier.value for false_identifier in person.false_identifiers] == apart
