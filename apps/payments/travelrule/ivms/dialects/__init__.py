"""Dialects of IVMS 101 as implementations write them: read into one canonical form, and written."""

from typing import Any

from apps.payments.travelrule.ivms.dialects.reader import Change, Reading, read_message
from apps.payments.travelrule.ivms.dialects.writer import (
    DialectFormat,
    WrittenMessage,
    write_in_format,
)
from apps.payments.travelrule.ivms.input_limits import MessageRefused

# (component, canonical key) -> the dialect's key, where it differs. Issue 1 itself calls the number
# of a legal person both `customerNumber` and `customerIdentification`.
_LEGAL_NUMBER = {("LegalPerson", "customerIdentification"): "customerNumber"}
_PROTO = _LEGAL_NUMBER | {
    ("NaturalPerson", "geographicAddress"): "geographicAddresses",
    ("LegalPerson", "geographicAddress"): "geographicAddresses",
    ("Originator", "accountNumber"): "accountNumbers",
    ("Beneficiary", "accountNumber"): "accountNumbers",
} | {
    (f"{kind}PersonName", key): f"{key}s"
    for kind in ("Natural", "Legal")
    for key in ("nameIdentifier", "localNameIdentifier", "phoneticNameIdentifier")
}  # fmt: skip
_NUMBERS = _LEGAL_NUMBER | {("NaturalPerson", "customerIdentification"): "customerNumber"}
_2023 = {
    ("Originator", "originatorPersons"): "originatorPerson",
    ("Beneficiary", "beneficiaryPersons"): "beneficiaryPerson",
    ("NaturalPersonNameID", "nameIdentifierType"): "naturalPersonNameIdentifierType",
}

DIALECT_FORMATS = (
    DialectFormat(
        name="trisa-protojson",
        title="TRISA, protocol buffers as JSON",
        read="snake_case keys, long names of codes",
        keys=_PROTO,
        snake=True,
    ),
    DialectFormat(
        name="trisa-json",
        title="TRISA JSON: issue 1 of the standard in camelCase",
        read="nothing of the others",
        keys=_LEGAL_NUMBER,
    ),
    DialectFormat(
        name="code",
        title="CODE",
        read="`Originator`, `Beneficiary`, … in PascalCase",
        keys={},
        capitals=True,
    ),
    DialectFormat(
        name="npm",
        title="The npm package `ivms101`; GTR with names as objects",
        read="VASPs without their double key, or names as a list",
        keys=_NUMBERS,
        flat=True,
        names_as_list=True,
    ),
    DialectFormat(
        name="ivms101-2023",
        title="IVMS 101.2023",
        read="`payloadVersion` 101.2023, `originatorPerson`, `naturalPersonNameIdentifierType`",
        keys=_2023,
        accounts_of_persons=True,
        version="101.2023",
    ),
    DialectFormat(
        name="platform",
        title="This platform's API",
        read="`originatorVASP`, `vasp`, `transferAmount`",
        keys={("IdentityPayload", "originatingVASP"): "originatorVASP"},
        accounts_of_persons=True,
        amount=True,
        vasp="vasp",
    ),
)
DIALECTS = {dialect.name: dialect for dialect in DIALECT_FORMATS}


def write_message(message: dict[str, Any], dialect: str) -> WrittenMessage:
    """Return a canonical message (as `read_message` gives it) in a dialect; KeyError: no such
    dialect.
    """
    return write_in_format(message, DIALECTS[dialect])


def format_dialects_table() -> str:
    """Return the dialects as a Markdown table."""
    rows = [
        f"| `{dialect.name}` | {dialect.title} | {dialect.read} | {_list_missing_places(dialect)} |"
        for dialect in DIALECT_FORMATS
    ]
    head = [
        "| dialect | who speaks it | known by | has no place for |",
        "| --- | --- | --- | --- |",
    ]
    return "\n".join([*head, *rows])


def _list_missing_places(dialect_format: DialectFormat) -> str:
    missing = {
        "accounts of persons": dialect_format.accounts_of_persons,
        "`transferAmount`": dialect_format.amount,
        "another `payloadVersion`": not dialect_format.version,
    }
    return ", ".join(what for what, has in missing.items() if not has) or "–"


__all__ = [
    "DIALECTS",
    "Change",
    "MessageRefused",
    "Reading",
    "WrittenMessage",
    "format_dialects_table",
    "read_message",
    "write_message",
]
