"""OFAC's list in both of its forms."""

import io
from typing import Any

import pytest

from apps.reference.watchlists.listed_entity import Identifier, ListedEntity, ListedName
from apps.reference.watchlists.sources import FORMATS, FormatError, ParseOptions
from apps.reference.watchlists.sources.entity_draft import EntityDraft
from apps.reference.watchlists.sources.ofac_csv import read_remarks
from tests.shared_data import shared

NONE = ",".join(["-0- "] * 8)
SDN = (
    '2674,"ABBAS, Abu",individual,SDGT] [NPWMD,Director of PLF,'
    + ",".join(["-0- "] * 6)
    + ',"DOB 10 Dec 1948; nationality Egypt; Gender Male; Passport 1084010 (Egypt) issued 01 Jan'
    " 1990; alt. Digital Currency Address - XBT 12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h; "
    "a.k.a. 'ZAYDAN'.\"\n"
    "36,AEROCARIBBEAN AIRLINES,-0- ,CUBA,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \n"
    "15036,ARTAVIL,vessel,IRAN,-0- ,T2EU4,Tanker,-0- ,-0- ,Iran,-0- ,"
    "\"Vessel Registration Identification IMO 9187629; f.k.a. 'ALPHA'.\"\n\x1a"
)
ALT = '2674,1,aka,"ZAYDAN, Muhammad",-0- \n36,12,fka,AERO-CARIBBEAN,-0- \n'
ADD = '36,25,-0- ,"Havana","Cuba",-0- \n'


def read(*texts: str, form: str = "ofac-csv") -> dict[str, ListedEntity]:
    files = [io.BytesIO(text.encode()) for text in texts]
    return {entity.entity_id: entity for entity in FORMATS[form].parse(files, ParseOptions())}


def test_a_person_has_natural_name_order_and_what_the_remarks_say() -> None:
    person = read(SDN, ALT, ADD)["2674"]
    assert person.schema == "Person"
    assert person.names[0] == ListedName("Abu ABBAS", "primary")
    assert ListedName("Muhammad ZAYDAN") in person.names
    assert ListedName("ZAYDAN", weak=True) in person.names
    assert person.birth_dates == ("1948-12-10",)
    assert person.countries == ("EG",)
    assert person.gender == "male"
    assert person.programs == ("SDGT", "NPWMD")
    assert Identifier("passport", "1084010", "EG") in person.identifiers
    wallet = Identifier("wallet", "12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h", asset="XBT")
    assert wallet in person.identifiers


def test_missing_values_and_the_end_mark_are_nothing() -> None:
    company = read(ADD, SDN, ALT)["36"]
    assert company.schema == "Organization"
    assert [(name.full, name.kind) for name in company.names] == [
        ("AEROCARIBBEAN AIRLINES", "primary"),
        ("AERO-CARIBBEAN", "former"),
    ]
    assert company.countries == ("CU",)
    assert company.addresses == ("Havana, Cuba",)
    assert company.remarks == ""


def test_a_vessel_has_its_imo_number_and_former_names() -> None:
    vessel = read(SDN)["15036"]
    assert vessel.schema == "Vessel"
    assert vessel.countries == ("IR",)
    assert [identifier.kind for identifier in vessel.identifiers] == ["imo"]
    assert ListedName("ALPHA", "former", weak=True) in vessel.names


LABELLED = [
    ("Travel Document Number", "A0020375 (Germany)", Identifier("passport", "A0020375", "DE")),
    ("British National Overseas Passport", "750200421", Identifier("passport", "750200421")),
    ("Iraqi passport number:", "M0887925", Identifier("passport", "M0887925")),
    ("Turkish Identification Number", "10298480866", Identifier("national_id", "10298480866")),
    ("Kenyan ID No.", "12773667", Identifier("national_id", "12773667")),
    ("Birth Certificate Number", "365", Identifier("national_id", "365")),
    ("Tazkira National ID Card", "932995", Identifier("national_id", "932995")),
    ("Tazkira", "932995 (Afghanistan)", Identifier("national_id", "932995", "AF")),
    ("LE Number", "07552116 (Peru)", Identifier("national_id", "07552116", "PE")),
    ("Credencial electoral", "101924629544", Identifier("national_id", "101924629544")),
    ("Syrian Personal ID Card No.", "04010", Identifier("national_id", "04010")),
    ("RFC", "CAVP-590612-AD1 (Mexico)", Identifier("tax_id", "CAVP-590612-AD1", "MX")),
    ("C.I.F.", "B84214477 (Spain)", Identifier("tax_id", "B84214477", "ES")),
    ("UK Company Number", "01126618", Identifier("registration", "01126618")),
    ("Registered Charity No.", "1040094", Identifier("registration", "1040094")),
    ("Public Registration Number", "467323, Doc. 694710",
     Identifier("registration", "467323, Doc. 694710")),
    ("Certificate of Incorporation Number", "784702", Identifier("registration", "784702")),
    ("United Social Credit Code Certificate (USCCC)", "91420112711981060J",
     Identifier("registration", "91420112711981060J")),
    ("BIK (RU)", "044525607", Identifier("other", "044525607")),
    ("Chinese Commercial Code", "1728 4320", Identifier("other", "1728 4320")),
]  # fmt: skip


@pytest.mark.parametrize(
    "remark",
    [
        "Passport issued in Sarajevo, Bosnia-Herzegovina",
        "Aircraft Tail Number is not known",
        "Aircraft Model A340-642",
        "License is revoked",
        "Telephone No. 009613679153",
        "Individual's height is 5 feet 9 inches",
    ],
)
def test_what_no_number_follows_is_no_identifier(remark: str) -> None:
    draft = EntityDraft("1", "Organization")
    draft.name("Somebody")
    read_remarks(draft, remark + ".")
    entity = draft.finish()
    assert entity and entity.identifiers == ()


@pytest.mark.parametrize(
    ("remark", "identifier"),
    [
        ("LEI 549300WE6TAF5EEWQS81", Identifier("lei", "549300WE6TAF5EEWQS81")),
        ("SWIFT/BIC SABRRUMM", Identifier("bic", "SABRRUMM")),
        ("alt. SWIFT/BIC SABRRUMM123", Identifier("bic", "SABRRUMM123")),
        ("Tax ID No. 7707083893 (Russia)", Identifier("tax_id", "7707083893", "RU")),
        ("National ID No. 216040 (Yemen)", Identifier("national_id", "216040", "YE")),
        ("Cedula No. 6068015 (Colombia)", Identifier("national_id", "6068015", "CO")),
        (
            "Registration Number 02696754 (United Kingdom)",
            Identifier("registration", "02696754", "GB"),
        ),
        (
            "Digital Currency Address - ETH 0x098B716B8Aaf21512996dC57EB0615e2383E2f96",
            Identifier("wallet", "0x098B716B8Aaf21512996dC57EB0615e2383E2f96", asset="ETH"),
        ),
        ("V.A.T. Number BE 454,419,759", Identifier("tax_id", "BE 454,419,759")),
        ("NIT # 890115794-3 (Colombia)", Identifier("tax_id", "890115794-3", "CO")),
        (
            "Matricula Mercantil No 48131-1 (Mexico) issued 08 May 2009",
            Identifier("registration", "48131-1", "MX"),
        ),
        ("MMSI 572469210", Identifier("other", "572469210")),
        ("Aircraft Tail Number EP-MMH", Identifier("other", "EP-MMH")),
        ("Previous Aircraft Tail Number 2-WGLP", Identifier("other", "2-WGLP")),
        ("alt. Aircraft Tail Number N315P", Identifier("other", "N315P")),
        *((f"{label} {value}", found) for label, value, found in LABELLED),
    ],
)
def test_remarks_hold_identifiers(remark: str, identifier: Identifier) -> None:
    draft = EntityDraft("1", "Organization")
    draft.name("Somebody")
    read_remarks(draft, remark + ".")
    entity = draft.finish()
    assert entity and entity.identifiers == (identifier,)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ((ALT, ADD), "expected SDN.CSV"),
        (("a,b,c\n",), "found 3"),
        (("",), "found 0"),
        ((SDN + "1,2\n",), "expected 12 fields"),
        (("x" + SDN,), "expected a number first"),
        ((SDN.replace("individual", "robot"),), "'robot'"),
        ((SDN.replace("AEROCARIBBEAN", '"AERO"CARIBBEAN'),), "expected CSV"),
    ],
)
def test_a_changed_format_is_refused_with_what_was_expected(files: Any, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read(*files)


def test_a_number_printed_twice_lends_its_aliases_to_the_first_party_only() -> None:
    twice = SDN.replace("36,AEROC", "2674,AEROC")
    files = [io.BytesIO(text.encode()) for text in (twice, ALT)]
    found = list(FORMATS["ofac-csv"].parse(files, ParseOptions()))
    assert [entity.entity_id for entity in found] == ["2674", "2674", "15036"]
    assert len(found[1].names) == 1


def test_the_real_files_are_read_whole() -> None:
    names = [f"lists/ofac_2022_01/{name}.csv" for name in ("sdn", "add", "alt")]
    streams = [shared(name).open("rb") for name in names]
    found = list(FORMATS["ofac-csv"].parse(streams, ParseOptions()))
    for stream in streams:
        stream.close()
    assert len(found) == 9044
    kinds = [identifier.kind for entity in found for identifier in entity.identifiers]
    assert kinds.count("wallet") == 126
    assert kinds.count("imo") == 417
    assert sum(1 for entity in found if entity.birth_dates) > 4500
    chemist = next(entity for entity in found if entity.entity_id == "25308")
    assert chemist.names[0].full == "Xiaobing YAN"


ADVANCED = """<?xml version="1.0" encoding="utf-8"?>
<Sanctions xmlns="https://example.test/ADVANCED_XML" Version="3">
<ReferenceValueSets>
 <AliasTypeValues><AliasType ID="1400">A.K.A.</AliasType><AliasType ID="1401">F.K.A.</AliasType>
  <AliasType ID="1403">Name</AliasType></AliasTypeValues>
 <PartyTypeValues><PartyType ID="1">Individual</PartyType><PartyType ID="2">Entity</PartyType>
  <PartyType ID="4">Transport</PartyType></PartyTypeValues>
 <PartySubTypeValues><PartySubType ID="1" PartyTypeID="4">Vessel</PartySubType>
  <PartySubType ID="3" PartyTypeID="2">Unknown</PartySubType>
  <PartySubType ID="4" PartyTypeID="1">Unknown</PartySubType></PartySubTypeValues>
 <NamePartTypeValues><NamePartType ID="1520">Last Name</NamePartType>
  <NamePartType ID="1521">First Name</NamePartType>
  <NamePartType ID="1526">Vessel Name</NamePartType></NamePartTypeValues>
 <FeatureTypeValues><FeatureType ID="8">Birthdate</FeatureType>
  <FeatureType ID="10">Nationality Country</FeatureType><FeatureType ID="25">Location</FeatureType>
  <FeatureType ID="26">Title</FeatureType><FeatureType ID="224">Gender</FeatureType>
  <FeatureType ID="345">Digital Currency Address - ETH</FeatureType></FeatureTypeValues>
 <DetailReferenceValues><DetailReference ID="91526">Male</DetailReference></DetailReferenceValues>
 <IDRegDocTypeValues><IDRegDocType ID="1571">Passport</IDRegDocType>
  <IDRegDocType ID="1626">Vessel Registration Identification</IDRegDocType></IDRegDocTypeValues>
 <CountryValues><Country ID="1">Iraq</Country><Country ID="2">Cuba</Country></CountryValues>
</ReferenceValueSets>
<Locations>
 <Location ID="25"><LocationPart LocPartTypeID="1454"><LocationPartValue Primary="true">
  <Value>Havana</Value></LocationPartValue></LocationPart>
  <LocationCountry CountryID="2" CountryRelevanceID="1413"/></Location>
 <Location ID="26"><LocationCountry CountryID="1"/></Location>
</Locations>
<IDRegDocuments>
 <IDRegDocument ID="2" IDRegDocTypeID="1571" IdentityID="6746" IssuedBy-CountryID="1">
  <IDRegistrationNo>040070827</IDRegistrationNo></IDRegDocument>
 <IDRegDocument ID="9" IDRegDocTypeID="1626" IdentityID="1663">
  <IDRegistrationNo>IMO 9187629</IDRegistrationNo></IDRegDocument>
</IDRegDocuments>
<DistinctParties>
<DistinctParty FixedRef="2674"><Comment/><Profile ID="2674" PartySubTypeID="4">
 <Identity ID="6746" FixedRef="2674" Primary="true" False="false">
  <Alias FixedRef="2674" AliasTypeID="1403" Primary="true" LowQuality="false">
   <DocumentedName ID="1"><DocumentedNamePart>
     <NamePartValue NamePartGroupID="71642">ABBAS</NamePartValue></DocumentedNamePart>
    <DocumentedNamePart>
     <NamePartValue NamePartGroupID="71643">Abu</NamePartValue></DocumentedNamePart>
   </DocumentedName>
   <DocumentedName ID="2"><DocumentedNamePart>
     <NamePartValue NamePartGroupID="71644">عباس</NamePartValue></DocumentedNamePart>
   </DocumentedName>
  </Alias>
  <Alias FixedRef="2674" AliasTypeID="1401" Primary="false" LowQuality="true">
   <DocumentedName ID="3"><DocumentedNamePart>
     <NamePartValue NamePartGroupID="71645">ZAYDAN</NamePartValue></DocumentedNamePart>
   </DocumentedName>
  </Alias>
  <NamePartGroups>
   <MasterNamePartGroup><NamePartGroup ID="71642" NamePartTypeID="1520"/></MasterNamePartGroup>
   <MasterNamePartGroup><NamePartGroup ID="71643" NamePartTypeID="1521"/></MasterNamePartGroup>
  </NamePartGroups>
 </Identity>
 <Feature ID="1" FeatureTypeID="8"><FeatureVersion ID="1"><DatePeriod CalendarTypeID="1">
  <Start><From><Year>1948</Year><Month>12</Month><Day>10</Day></From></Start>
  <End><To><Year>1948</Year><Month>12</Month><Day>10</Day></To></End>
 </DatePeriod></FeatureVersion></Feature>
 <Feature ID="2" FeatureTypeID="10"><FeatureVersion ID="2">
  <VersionLocation LocationID="26"/></FeatureVersion></Feature>
 <Feature ID="3" FeatureTypeID="224"><FeatureVersion ID="3">
  <VersionDetail DetailTypeID="1431" DetailReferenceID="91526"/></FeatureVersion></Feature>
 <Feature ID="4" FeatureTypeID="345"><FeatureVersion ID="4">
  <VersionDetail DetailTypeID="1432">0x098B716B8Aaf21512996dC57EB0615e2383E2f96</VersionDetail>
 </FeatureVersion></Feature>
</Profile></DistinctParty>
<DistinctParty FixedRef="4238"><Profile ID="4238" PartySubTypeID="1">
 <Identity ID="1663" Primary="true" False="false">
  <Alias AliasTypeID="1403" Primary="true" LowQuality="false"><DocumentedName ID="1663">
   <DocumentedNamePart><NamePartValue NamePartGroupID="2489">MAR AZUL</NamePartValue>
   </DocumentedNamePart></DocumentedName></Alias>
  <NamePartGroups><MasterNamePartGroup><NamePartGroup ID="2489" NamePartTypeID="1526"/>
  </MasterNamePartGroup></NamePartGroups>
 </Identity>
 <Feature ID="5" FeatureTypeID="25"><FeatureVersion ID="5">
  <VersionLocation LocationID="25"/></FeatureVersion></Feature>
</Profile></DistinctParty>
</DistinctParties>
<SanctionsEntries>
 <SanctionsEntry ID="1" ProfileID="2674" ListID="1550">
  <EntryEvent ID="1"><Date><Year>2001</Year><Month>12</Month><Day>4</Day></Date></EntryEvent>
  <SanctionsMeasure ID="11"><Comment>SDGT</Comment></SanctionsMeasure>
  <SanctionsMeasure ID="12"><Comment/></SanctionsMeasure>
 </SanctionsEntry>
</SanctionsEntries>
</Sanctions>
"""


def test_the_advanced_xml_joins_parties_with_what_they_point_at() -> None:
    person = read(ADVANCED, form="ofac-xml")["2674"]
    assert person.schema == "Person"
    assert person.names == (
        ListedName("Abu ABBAS", "primary"),
        ListedName("عباس"),
        ListedName("ZAYDAN", "former", weak=True),
    )
    assert person.birth_dates == ("1948-12-10",)
    assert person.countries == ("IQ",)
    assert person.gender == "male"
    assert person.programs == ("SDGT",)
    assert person.listed_on == "2001-12-04"
    assert {identifier.kind for identifier in person.identifiers} == {"passport", "wallet"}


def test_the_advanced_xml_knows_vessels_and_places() -> None:
    vessel = read(ADVANCED, form="ofac-xml")["4238"]
    assert vessel.schema == "Vessel"
    assert vessel.countries == ("CU",)
    assert vessel.addresses == ("Havana, Cuba",)
    assert [identifier.kind for identifier in vessel.identifiers] == ["imo"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Sanctions ", "sdnList ", "mismatched|expected the root"),
        ("AliasType ID", "Alias2 ID", "mismatched|AliasType"),
        ('PartyTypeID="1"', 'PartyTypeID="9"', "party type"),
    ],
)
def test_a_changed_advanced_xml_is_refused(old: str, new: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read(ADVANCED.replace(old, new), form="ofac-xml")


def test_birth_spans_in_the_advanced_xml_give_their_years() -> None:
    span = ADVANCED.replace(
        "<To><Year>1948</Year><Month>12</Month><Day>10</Day></To>",
        "<To><Year>1950</Year><Month>12</Month><Day>31</Day></To>",
    )
    assert read(span, form="ofac-xml")["2674"].birth_dates == ("1948", "1949", "1950")
