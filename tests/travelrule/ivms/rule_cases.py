"""Cases of rules: the rule, a message in which it holds, one in which it does not, and where."""

from typing import Any

from tests.travelrule.ivms.messages import (
    ADDRESS,
    LEGAL,
    NATURAL,
    OTHER_LEI,
    VASP,
    changed,
    company,
    message,
)

NAME = f"{NATURAL}/name/nameIdentifier/0"
FIRM = f"{LEGAL}/name/nameIdentifier/0"
HOME = f"{NATURAL}/geographicAddress/0"
BIRTH = f"{NATURAL}/dateAndPlaceOfBirth"
IDENTITY = f"{NATURAL}/nationalIdentification"
REGISTERED = f"{LEGAL}/nationalIdentification"
RAID = {"nationalIdentifier": "1", "nationalIdentifierType": "RAID"}


def without(where: str, *names: str, also: dict[str, Any] | None = None) -> dict[str, Any]:
    found = message()
    for name in names:
        found = changed(f"{where}/{name}", base=found)
    for name, value in (also or {}).items():
        found = changed(f"{where}/{name}", value, base=found)
    return found


def lines(count: int) -> dict[str, Any]:
    return changed(f"{HOME}/addressLine", ["Potential Street 24"] * count)


def steps(*sequence: int) -> dict[str, Any]:
    path = [{"intermediaryVASP": company("VASP E"), "sequence": one} for one in sequence]
    return changed("/transferPath/transferPath", path)


IDENTIFIED = ("geographicAddress", "customerIdentification", "nationalIdentification")
BORN = (*IDENTIFIED, "dateAndPlaceOfBirth")
BIZZ = [ADDRESS | {"addressType": "BIZZ"}]

# rule, holds, does not, where
CASES = [
    ("S1", message(), changed("/originator"), ""),
    ("S1", message(), changed("/beneficiary"), ""),
    ("S2", message(), changed("/originator/originatorPersons"), "/originator"),
    ("S2", message(), changed("/beneficiary/beneficiaryPersons", []), "/beneficiary"),
    ("S3", message(), changed("/originator/originatorPersons/0", {}),
     "/originator/originatorPersons/0"),
    ("S3", message(), changed("/originator/originatorPersons/0/legalPerson",
                              company("Both")["legalPerson"]), "/originator/originatorPersons/0"),
    ("S3", message(), changed("/originatingVASP/originatingVASP", {"accountNumber": ["1"]}),
     "/originatingVASP/originatingVASP"),
    ("S8", changed(f"{NAME}/secondaryIdentifier"), changed(f"{NAME}/primaryIdentifier"), NAME),
    ("S8", message(), changed(f"{FIRM}/legalPersonName", ""), FIRM),
    ("S8", message(), changed(f"{IDENTITY}/nationalIdentifierType"), IDENTITY),
    ("S8", message(), changed("/transferPath/transferPath/0/sequence"),
     "/transferPath/transferPath/0"),
    ("S8b", changed(f"{HOME}/postCode"), changed(f"{HOME}/townName"), HOME),
    ("S8b", message(), changed(f"{HOME}/country"), HOME),
    *[("C1", without(NATURAL, *(one for one in BORN if one != kept)), without(NATURAL, *BORN),
       NATURAL) for kept in BORN],
    ("C1", without(NATURAL, *BORN, also={"geographicAddress": BIZZ}), without(
        NATURAL, *BORN, also={"geographicAddress": [ADDRESS | {"addressType": "MISC"}]}), NATURAL),
    ("C2", changed(f"{BIRTH}/dateOfBirth", "2026-11-19"),
     changed(f"{BIRTH}/dateOfBirth", "2026-11-20"), f"{BIRTH}/dateOfBirth"),
    ("C2", message(), changed(f"{BIRTH}/dateOfBirth", "2999-01-01"), f"{BIRTH}/dateOfBirth"),
    ("C3", changed(f"{HOME}/country", "XX"), changed(f"{HOME}/country", "USA"), f"{HOME}/country"),
    ("C3", message(), changed(f"{LEGAL}/countryOfRegistration", "ZZ"),
     f"{LEGAL}/countryOfRegistration"),
    ("C3", message(), changed(f"{IDENTITY}/countryOfIssue", "United Kingdom"),
     f"{IDENTITY}/countryOfIssue"),
    ("C3", message(), changed(f"{NATURAL}/countryOfResidence", "EU"),
     f"{NATURAL}/countryOfResidence"),
    *[("C4", without(LEGAL, *(one for one in IDENTIFIED if one != kept)),
       without(LEGAL, *IDENTIFIED), LEGAL) for kept in IDENTIFIED],
    ("C4", message(), without(LEGAL, *IDENTIFIED, also={"geographicAddress": BIZZ}), LEGAL),
    ("C5", message(), changed(f"{FIRM}/legalPersonNameIdentifierType", "TRAD"),
     f"{LEGAL}/name/nameIdentifier"),
    ("C5", message(), changed(f"{VASP}/name"), VASP),
    ("C6", changed(f"{NATURAL}/name/nameIdentifier/1",
                   {"primaryIdentifier": "Old", "nameIdentifierType": "MAID"}),
     changed(f"{NAME}/nameIdentifierType", "MAID"), f"{NATURAL}/name/nameIdentifier"),
    *[("C7", changed(REGISTERED, RAID | {"nationalIdentifierType": kind,
                                         "registrationAuthority": "RA000001"}),
       changed(REGISTERED, RAID | {"nationalIdentifierType": "CCPT"}),
       f"{REGISTERED}/nationalIdentifierType") for kind in ("RAID", "MISC", "TXID")],
    ("C8", changed(f"{HOME}/buildingNumber", "1"), changed(f"{HOME}/buildingNumber"), HOME),
    ("C8", without(HOME, "buildingNumber", also={"buildingName": "Views"}),
     changed(f"{HOME}/streetName"), HOME),
    ("C8", without(HOME, "streetName", "buildingNumber", also={"addressLine": ["Here 1"]}),
     without(HOME, "streetName", "buildingNumber"), HOME),
    ("C9", message(), changed(f"{REGISTERED}/countryOfIssue", "US"),
     f"{REGISTERED}/countryOfIssue"),
    ("C9", message(), changed(f"{REGISTERED}/registrationAuthority", "RA000001"),
     f"{REGISTERED}/registrationAuthority"),
    ("C9", changed(REGISTERED, RAID | {"registrationAuthority": "RA000001"}),
     changed(REGISTERED, RAID), REGISTERED),
    ("C10", changed(f"{IDENTITY}/registrationAuthority", "RA000001"),
     changed(f"{IDENTITY}/registrationAuthority", "RA00001"), f"{IDENTITY}/registrationAuthority"),
    ("C10", message(), changed(f"{IDENTITY}/registrationAuthority", "RA0000001"),
     f"{IDENTITY}/registrationAuthority"),
    ("C10b", message(), changed(f"{IDENTITY}/registrationAuthority", "RA000002"),
     f"{IDENTITY}/registrationAuthority"),
    ("C11", message(), changed(f"{REGISTERED}/nationalIdentifier", OTHER_LEI[:-1]),
     f"{REGISTERED}/nationalIdentifier"),
    ("C11", message(), changed(f"{REGISTERED}/nationalIdentifier", "X" * 20),
     f"{REGISTERED}/nationalIdentifier"),
    ("C11b", message(), changed(f"{REGISTERED}/nationalIdentifier", "3M5E1GQKGL17HI8CPN20"),
     f"{REGISTERED}/nationalIdentifier"),
    ("C12", steps(0), steps(1), "/transferPath/transferPath"),
    ("C12", steps(0, 1, 2), steps(0, 2), "/transferPath/transferPath"),
    ("C12", steps(1, 0), steps(0, 0), "/transferPath/transferPath"),
    ("D1", changed(f"{NAME}/primaryIdentifier", "a" * 100),
     changed(f"{NAME}/primaryIdentifier", "a" * 101), f"{NAME}/primaryIdentifier"),
    ("D1", changed(f"{NATURAL}/name/localNameIdentifier/0/primaryIdentifier", "吴" * 100),
     changed(f"{NATURAL}/name/localNameIdentifier/0/primaryIdentifier", "吴" * 101),
     f"{NATURAL}/name/localNameIdentifier/0/primaryIdentifier"),
    ("D1", message(), changed(f"{NAME}/primaryIdentifier", "  "), f"{NAME}/primaryIdentifier"),
    *[("D1", changed(f"{where}/{name}", "a" * most), changed(f"{where}/{name}", "a" * (most + 1)),
       f"{where}/{name}")
      for where, name, most in (
          (NATURAL, "customerIdentification", 50), (HOME, "department", 50),
          (HOME, "subDepartment", 70), (HOME, "streetName", 70), (HOME, "floor", 70),
          (HOME, "room", 70), (BIRTH, "placeOfBirth", 70), (IDENTITY, "nationalIdentifier", 35),
          (HOME, "buildingName", 35), (HOME, "townName", 35), (HOME, "townLocationName", 35),
          (HOME, "districtName", 35), (HOME, "countrySubDivision", 35),
          (HOME, "buildingNumber", 16), (HOME, "postBox", 16), (HOME, "postCode", 16))],
    ("D1", changed(f"{HOME}/addressLine", ["a" * 70]), changed(f"{HOME}/addressLine", ["a" * 71]),
     f"{HOME}/addressLine/0"),
    ("D2", changed(f"{FIRM}/legalPersonName", "Bob's 2"),
     changed(f"{FIRM}/legalPersonName", "Bob's 2, PLC"), f"{FIRM}/legalPersonName"),
    ("D2", message(), changed("/originator/accountNumber/0", "rJ:tag"),
     "/originator/accountNumber/0"),
    ("D2b", changed(f"{FIRM}/legalPersonName", "A~ B"),
     changed(f"{FIRM}/legalPersonName", "Müller"), f"{FIRM}/legalPersonName"),
    ("D3", lines(7), lines(8), f"{HOME}/addressLine"),
    ("D4", changed("/originator/accountNumber/0", "a" * 100),
     changed("/originator/accountNumber/0", "a" * 101), "/originator/accountNumber/0"),
    ("D4", changed("/originator/originatorPersons/0/accountNumber", ["a" * 512]),
     changed("/originator/originatorPersons/0/accountNumber", ["a" * 513]),
     "/originator/originatorPersons/0/accountNumber/0"),
    ("D4", message(), changed("/originator/accountNumber/0", 5), "/originator/accountNumber/0"),
    *[("D5", changed(where, good), changed(where, "NONE"), where)
      for where, good in (
          (f"{NAME}/nameIdentifierType", "LEGL"),
          (f"{FIRM}/legalPersonNameIdentifierType", "LEGL"), (f"{HOME}/addressType", "GEOG"),
          (f"{IDENTITY}/nationalIdentifierType", "ARNU"),
          ("/payloadMetadata/transliterationMethod/0", "othr"))],
    ("D5", message(), changed(f"{FIRM}/legalPersonNameIdentifierType", "MISC"),
     f"{FIRM}/legalPersonNameIdentifierType"),
    ("D5", message(), changed(f"{HOME}/addressType", "MISC"), f"{HOME}/addressType"),
    ("D8b", changed("/payloadMetadata/payloadVersion", "101"),
     changed("/payloadMetadata/payloadVersion", "102"), "/payloadMetadata/payloadVersion"),
    ("D9", changed(f"{BIRTH}/dateOfBirth", "2024-02-29"),
     changed(f"{BIRTH}/dateOfBirth", "2023-02-29"), f"{BIRTH}/dateOfBirth"),
    *[("D9", message(), changed(f"{BIRTH}/dateOfBirth", text), f"{BIRTH}/dateOfBirth")
      for text in ("19900225", "1990-2-25", "1990-W08-1", "25.02.1990", "1990-02-25T00:00")],
    ("D9b", message(), changed(f"{BIRTH}/placeOfBirth"), BIRTH),
    ("X2", changed(f"{FIRM}/legalPersonName", "Ab"),
     changed(f"{FIRM}/legalPersonName", "A\x00b"), f"{FIRM}/legalPersonName"),
    ("X2", message(), changed("/originator/accountNumber/0", "a\u202eb"),
     "/originator/accountNumber/0"),
    ("X2", message(), changed(f"{NATURAL}/name/localNameIdentifier/0/primaryIdentifier", "a\u2066"),
     f"{NATURAL}/name/localNameIdentifier/0/primaryIdentifier"),
    ("X2", message(), changed(f"{HOME}/country", "U\u202e"), f"{HOME}/country"),
]  # fmt: skip
