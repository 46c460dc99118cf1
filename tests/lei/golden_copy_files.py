"""Builds GLEIF files from the published formats; no file of GLEIF's own is at hand."""

import csv
import io
import zipfile
from pathlib import Path

from stdnum.iso7064.mod_97_10 import calc_check_digits as check_digits

RECORD_COLUMNS = (
    "LEI",
    "Entity.LegalName",
    "Entity.LegalName.xmllang",
    "Entity.OtherEntityNames.OtherEntityName.1",
    "Entity.OtherEntityNames.OtherEntityName.1.xmllang",
    "Entity.OtherEntityNames.OtherEntityName.1.type",
    "Entity.LegalAddress.City",
    "Entity.LegalAddress.Country",
    "Entity.HeadquartersAddress.Country",
    "Entity.RegistrationAuthority.RegistrationAuthorityEntityID",
    "Entity.LegalJurisdiction",
    "Entity.EntityCategory",
    "Entity.LegalForm.EntityLegalFormCode",
    "Entity.EntityStatus",
    "Entity.SuccessorEntity.1.SuccessorLEI",
    "Registration.RegistrationStatus",
    "Registration.NextRenewalDate",
    "Registration.ManagingLOU",
)
RELATION_COLUMNS = (
    "Relationship.StartNode.NodeID",
    "Relationship.StartNode.NodeIDType",
    "Relationship.EndNode.NodeID",
    "Relationship.EndNode.NodeIDType",
    "Relationship.RelationshipType",
    "Relationship.RelationshipStatus",
    "Relationship.Period.1.startDate",
    "Relationship.Period.1.endDate",
    "Relationship.Period.1.periodType",
    "Relationship.Quantifiers.1.MeasurementMethod",
    "Relationship.Quantifiers.1.QuantifierAmount",
    "Relationship.Quantifiers.1.QuantifierUnits",
)
EXCEPTION_COLUMNS = ("LEI", "Exception.Category", "Exception.Reason.1", "Exception.Reference.1")

DIRECT, ULTIMATE = "IS_DIRECTLY_CONSOLIDATED_BY", "IS_ULTIMATELY_CONSOLIDATED_BY"
NO_DIRECT = "DIRECT_ACCOUNTING_CONSOLIDATION_PARENT"
NO_ULTIMATE = "ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT"


def lei(number: int, prefix: str = "TEST") -> str:
    """Return a made-up LEI with right check digits."""
    stem = f"{prefix}{number:0{18 - len(prefix)}d}"
    return stem + check_digits(stem)


def record(code: str, name: str = "Acme Limited", **columns: str) -> dict[str, str]:
    """Return a level 1 row; give further columns by their last part, such as LegalJurisdiction."""
    row = {
        "LEI": code,
        "Entity.LegalName": name,
        "Entity.LegalAddress.Country": "DE",
        "Entity.LegalJurisdiction": "DE",
        "Entity.EntityStatus": "ACTIVE",
        "Registration.RegistrationStatus": "ISSUED",
        "Registration.NextRenewalDate": "2027-01-31T00:00:00Z",
        "Registration.ManagingLOU": "5493001KJTIIGC8Y1R12",
    }
    for last, value in columns.items():
        row[next(name for name in RECORD_COLUMNS if name.endswith(f".{last}"))] = value
    return row


def relation(
    child: str, parent: str, kind: str = DIRECT, status: str = "ACTIVE", share: str = ""
) -> dict[str, str]:
    """Return a relationship row; `share` as GLEIF writes a percentage (`60.00`, `0.60`)."""
    shares = {"QuantifierAmount": share, "QuantifierUnits": "PERCENTAGE"} if share else {}
    return {f"Relationship.Quantifiers.1.{name}": text for name, text in shares.items()} | {
        "Relationship.StartNode.NodeID": child,
        "Relationship.StartNode.NodeIDType": "LEI",
        "Relationship.EndNode.NodeID": parent,
        "Relationship.EndNode.NodeIDType": "LEI",
        "Relationship.RelationshipType": kind,
        "Relationship.RelationshipStatus": status,
        "Relationship.Period.1.startDate": "2020-01-01T00:00:00Z",
        "Relationship.Period.1.periodType": "RELATIONSHIP_PERIOD",
    }


def exception(code: str, category: str, reason: str) -> dict[str, str]:
    """Return a reporting exception row."""
    return {"LEI": code, "Exception.Category": category, "Exception.Reason.1": reason}


def csv_text(columns: tuple[str, ...], rows: list[dict[str, str]]) -> str:
    """Return rows as GLEIF quotes them."""
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, restval="", quoting=csv.QUOTE_ALL)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def write(folder: Path, rows: list[dict[str, str]], name: str, extra: tuple[str, ...] = ()) -> Path:
    """Write a CSV file; its columns follow from the first row."""
    first = rows[0] if rows else {"Entity.LegalName": ""}
    columns = (
        RELATION_COLUMNS
        if "Relationship.StartNode.NodeID" in first
        else EXCEPTION_COLUMNS
        if "Exception.Category" in first
        else RECORD_COLUMNS
    )
    path = folder / name
    path.write_text(csv_text(columns + extra, rows), encoding="utf-8")
    return path


def zipped(path: Path) -> Path:
    """Put a file into a zip of its own, as GLEIF publishes them."""
    target = path.with_name(path.name + ".zip")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(path, path.name)
    return target


def records_xml(bodies: list[str], header: str = "", count: int | None = None) -> str:
    """Return an LEI-CDF document."""
    said = len(bodies) if count is None else count
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<lei:LEIData xmlns:lei="http://www.gleif.org/data/schema/leidata/2016" '
        'xmlns:gleif="http://www.gleif.org/data/schema/golden-copy/extensions/1.0">'
        "<lei:LEIHeader><lei:ContentDate>2026-11-19T08:00:00+00:00</lei:ContentDate>"
        f"<lei:FileContent>GLEIF_FULL_PUBLISHED</lei:FileContent>{header}"
        f"<lei:RecordCount>{said}</lei:RecordCount></lei:LEIHeader>"
        f"<lei:LEIRecords>{''.join(bodies)}</lei:LEIRecords></lei:LEIData>"
    )


def record_xml(code: str, name: str, extension: str = "") -> str:
    """Return one LEI record as XML."""
    return (
        f"<lei:LEIRecord><lei:LEI>{code}</lei:LEI><lei:Entity>"
        f'<lei:LegalName xml:lang="de">{name}</lei:LegalName>'
        "<lei:OtherEntityNames>"
        '<lei:OtherEntityName xml:lang="en" type="PREVIOUS_LEGAL_NAME">Old</lei:OtherEntityName>'
        "</lei:OtherEntityNames>"
        "<lei:LegalAddress><lei:City>Bonn</lei:City><lei:Country>DE</lei:Country>"
        "</lei:LegalAddress><lei:HeadquartersAddress><lei:Country>FR</lei:Country>"
        "</lei:HeadquartersAddress>"
        "<lei:RegistrationAuthority><lei:RegistrationAuthorityEntityID>HRB 1"
        "</lei:RegistrationAuthorityEntityID></lei:RegistrationAuthority>"
        "<lei:LegalJurisdiction>DE</lei:LegalJurisdiction>"
        "<lei:EntityCategory>GENERAL</lei:EntityCategory>"
        "<lei:LegalForm><lei:EntityLegalFormCode>6QQB</lei:EntityLegalFormCode></lei:LegalForm>"
        "<lei:EntityStatus>ACTIVE</lei:EntityStatus></lei:Entity>"
        "<lei:Registration><lei:RegistrationStatus>ISSUED</lei:RegistrationStatus>"
        "<lei:NextRenewalDate>2027-01-31T00:00:00Z</lei:NextRenewalDate>"
        "<lei:ManagingLOU>5493001KJTIIGC8Y1R12</lei:ManagingLOU></lei:Registration>"
        f"{extension}</lei:LEIRecord>"
    )


def relation_xml(child: str, parent: str, kind: str = DIRECT, share: str = "") -> str:
    """Return one relationship record as XML."""
    quantifier = (
        "<rr:RelationshipQuantifiers><rr:RelationshipQuantifier>"
        "<rr:MeasurementMethod>ACCOUNTING_CONSOLIDATION</rr:MeasurementMethod>"
        f"<rr:QuantifierAmount>{share}</rr:QuantifierAmount>"
        "<rr:QuantifierUnits>PERCENTAGE</rr:QuantifierUnits>"
        "</rr:RelationshipQuantifier></rr:RelationshipQuantifiers>"
    )
    return (
        "<rr:RelationshipRecord><rr:Relationship>"
        f"<rr:StartNode><rr:NodeID>{child}</rr:NodeID><rr:NodeIDType>LEI</rr:NodeIDType>"
        f"</rr:StartNode><rr:EndNode><rr:NodeID>{parent}</rr:NodeID>"
        "<rr:NodeIDType>LEI</rr:NodeIDType></rr:EndNode>"
        f"<rr:RelationshipType>{kind}</rr:RelationshipType><rr:RelationshipPeriods>"
        "<rr:RelationshipPeriod><rr:StartDate>2016-01-01T00:00:00Z</rr:StartDate>"
        "<rr:PeriodType>ACCOUNTING_PERIOD</rr:PeriodType></rr:RelationshipPeriod>"
        "<rr:RelationshipPeriod><rr:StartDate>2007-06-05T00:00:00Z</rr:StartDate>"
        "<rr:PeriodType>RELATIONSHIP_PERIOD</rr:PeriodType></rr:RelationshipPeriod>"
        "</rr:RelationshipPeriods><rr:RelationshipStatus>ACTIVE</rr:RelationshipStatus>"
        f"{quantifier if share else ''}</rr:Relationship></rr:RelationshipRecord>"
    )


def relations_xml(bodies: list[str]) -> str:
    """Return an RR-CDF document."""
    return (
        '<rr:RelationshipData xmlns:rr="http://www.gleif.org/data/schema/rr/2016"><rr:Header>'
        "<rr:ContentDate>2026-11-19T08:00:00Z</rr:ContentDate>"
        f"<rr:RecordCount>{len(bodies)}</rr:RecordCount></rr:Header>"
        f"<rr:RelationshipRecords>{''.join(bodies)}</rr:RelationshipRecords></rr:RelationshipData>"
    )


def exceptions_xml(rows: list[tuple[str, str, str]]) -> str:
    """Return a Reporting Exceptions document."""
    bodies = "".join(
        f"<repex:Exception><repex:LEI>{code}</repex:LEI>"
        f"<repex:ExceptionCategory>{category}</repex:ExceptionCategory>"
        f"<repex:ExceptionReason>{reason}</repex:ExceptionReason></repex:Exception>"
        for code, category, reason in rows
    )
    return (
        "<repex:ReportingExceptionData "
        'xmlns:repex="http://www.gleif.org/data/schema/repex/2016"><repex:Header>'
        "<repex:ContentDate>2026-11-19T08:00:00Z</repex:ContentDate>"
        f"<repex:RecordCount>{len(rows)}</repex:RecordCount></repex:Header>"
        f"<repex:ReportingExceptions>{bodies}</repex:ReportingExceptions>"
        "</repex:ReportingExceptionData>"
    )
