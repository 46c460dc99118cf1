"""OFAC SDN list as CSV: SDN.CSV, ALT.CSV, ADD.CSV and, where given, SDN_COMMENTS.CSV.

Format: OFAC's "Specially Designated Nationals data specification". No header row, `-0-` means
missing, a control-Z may end a file. Files are recognised by their number of columns.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import BinaryIO

from apps.reference.watchlists.listed_entity import ListedEntity, Schema
from apps.reference.watchlists.sources.entity_draft import EntityDraft
from apps.reference.watchlists.sources.identifier_kinds import is_false_document, parse_imo_number
from apps.reference.watchlists.sources.parse_options import ParseOptions
from apps.reference.watchlists.sources.stream_readers import (
    FormatError,
    detect_encoding,
    read_csv_rows,
)

COLUMNS = {12: "SDN.CSV", 6: "ADD.CSV", 5: "ALT.CSV", 2: "SDN_COMMENTS.CSV"}
SCHEMAS: dict[str, Schema] = {
    "": "Organization",
    "individual": "Person",
    "vessel": "Vessel",
    "aircraft": "Aircraft",
}
ALIAS_KINDS = {"aka": "alias", "fka": "former", "nka": "alias"}

# What an identifying remark begins with, by the kind of identifier; first match wins.
LABELS = {
    "lei": ("LEI", "Legal Entity Number", "Legal Entity Identifier"),
    "bic": ("SWIFT/BIC", "SWIFT", "BIC"),
    "passport": (
        *("Passport", "Diplomatic Passport", "Stateless Person Passport", "Travel Document"),
        "British National Overseas Passport",
    ),
    "national_id": (
        *("Birth Certificate", "Tazkira National ID Card"),
        *("Tazkira", "Credencial electoral", "Cartilla de Servicio Militar Nacional", "LE"),
        *("ID", "Personal ID", "Stateless Person ID Card"),
        *("Refugee ID Card", "CNP (Personal Numerical Code)", "C.U.I.", "N.I.E.", "VisaNumberID"),
        *("Public Security and Immigration", "Immigration", "Seafarer's Identification Document"),
        *("National ID", "National Foreign ID", "Cedula", "Identification", "Personal ID Card"),
        *("Citizen's Card", "C.U.R.P.", "D.N.I.", "SSN", "Electoral Registry"),
        *("Driver's License", "I.F.E.", "Residency"),
    ),
    "tax_id": (
        *("Tax ID", "NIT", "R.F.C.", "RUC", "V.A.T.", "US FEIN", "Italian Fiscal Code", "RIF"),
        *("RTN", "C.U.I.T.", "C.U.I.P.", "Numero de Identidad", "RFC", "C.I.F.", "Fiscal Code"),
        *("Numero Unico de Identificacao Tributaria (NUIT)", "Romanian Tax Registration", "RSIN"),
        "Paraguayan tax identification",
    ),
    "registration": (
        *("Registration ID", "Registration Number", "Company", "Business Registration Document"),
        *("Business Registration", "Business Number", "Commercial Registry", "Trade License"),
        *("Folio Mercantil", "Matricula Mercantil", "C.R.", "Government Gazette"),
        *("Unified Social Credit Code (USCC)", "Chamber of Commerce", "Enterprise", "UK Company"),
        *("United Social Credit Code Certificate (USCCC)", "Registered Charity", "Romanian C.R."),
        *("Public Registration", "Certificate of Incorporation", "Branch Unit", "File", "License"),
        *("Dubai Chamber of Commerce Membership", "Istanbul Chamber of Comm.", "MSB Registration"),
        *("Afghan Money Service Provider License", "Central Registration System", "Pilot License"),
        *("Tourism License", "SRE Permit"),
    ),
    "other": (
        *("MMSI", "D-U-N-S", "Aircraft Manufacturer's Serial Number (MSN)", "BIK (RU)", "Serial"),
        *("Chinese Commercial Code", "Aircraft Mode S Transponder Code"),
        *("Aircraft Serial Identification", "Other Vessel Call Sign"),
        *("Aircraft Construction Number (also called L/N or S/N or F/N)", "UAE Identification"),
    ),
}
# a document may start with its country: `Kenyan ID`, `Iraqi passport`
_NATION_BEFORE = r"(?:[a-z]+(?:an|ish|ese|i|ek|ch)\s+)?"
_OF = {"passport": _NATION_BEFORE, "national_id": _NATION_BEFORE}
IDENTIFIERS = tuple(
    (
        re.compile(
            rf"{_OF.get(kind, '')}(?:{'|'.join(map(re.escape, labels))})[\s:]+(.*)", re.IGNORECASE
        ),
        kind,
    )
    for kind, labels in LABELS.items()
)
_TAIL = re.compile(r"(?:Previous\s+)?Aircraft Tail[\s:]+(.*)", re.IGNORECASE)
_MARK = re.compile(r"\w+(?:-\w+)*")  # `EP-MMH`, `N315P`: it need not have a digit
_NUMBER_SIGN = re.compile(r"(?:(?:Card|No\.?|Number|#)[\s:]+)*", re.IGNORECASE)
_ALTERNATE = re.compile(r"alt\.\s+", re.IGNORECASE)
_WALLET = re.compile(r"Digital Currency Address\s*-\s*(\w+)\s+(\S+)", re.IGNORECASE)
_QUOTED = re.compile(r"([afn])\.k\.a\.,?\s+['\"](.+?)['\"]?", re.IGNORECASE)
_VALUE = re.compile(r"(.*?)(?:\s*\(([^()]*)\))?(?:\s+(?:issued|expires)\b.*|\s*;.*)?")
_FALSE_REMARK = re.compile(r"\s*\([^()]*\b(?:fals|forge|counterfeit|fake)[^()]*\)", re.IGNORECASE)
_NATION = re.compile(r"(?:nationality|citizen)\s+(.+)", re.IGNORECASE)


def parse(files: Sequence[BinaryIO], options: ParseOptions) -> Iterator[ListedEntity]:
    """Yield the parties of the SDN list; ALT and ADD rows are held in memory (about 10 MB)."""
    tables = dict(_open_table(stream, options) for stream in files)
    options.reading.parts |= set(tables)
    if "SDN.CSV" not in tables:
        raise FormatError(
            f"expected SDN.CSV (12 columns), found only {', '.join(tables) or 'nothing'}"
        )
    aliases = _group_by_party(tables.get("ALT.CSV", iter(())))
    addresses = _group_by_party(tables.get("ADD.CSV", iter(())))
    comments = _group_by_party(tables.get("SDN_COMMENTS.CSV", iter(())))
    for row in tables["SDN.CSV"]:
        kind = row[2].lower()
        if kind not in SCHEMAS:
            raise FormatError(
                f"expected one of {sorted(SCHEMAS)} as SDN_Type, found {row[2][:40]!r}"
            )
        draft = EntityDraft(row[0], SCHEMAS[kind])
        draft.name(_put_given_names_first(row[1], draft.schema), "primary")
        for program in row[3].split("] ["):
            draft.program(program.strip("[] "))
        # columns of SDN.CSV: title 4, flag of a vessel 9, remarks 11; of ALT.CSV: kind 2, name 3;
        # of ADD.CSV: address, city and country 2 to 4
        draft.remark(row[4])
        draft.country(row[9])
        # Taken, not looked up: a number printed twice must not lend them to both parties.
        for alias in aliases.pop(row[0], ()):
            draft.name(
                _put_given_names_first(alias[3], draft.schema),
                ALIAS_KINDS.get(alias[2].lower(), "alias"),
            )
        for address in addresses.pop(row[0], ()):
            draft.address(*address[2:5])
            draft.country(address[4])
        read_remarks(draft, "; ".join([row[11], *(more[1] for more in comments.get(row[0], ()))]))
        yield from options.kept(draft.finish())
    left = (*aliases.values(), *addresses.values())
    options.reading.losses["orphans"] += sum(map(len, left))


def read_remarks(draft: EntityDraft, remarks: str) -> None:
    """Take birth dates, nationalities, identifiers, wallets and weak aliases out of remarks."""
    draft.remark(remarks)
    for item in remarks.split(";"):
        # further values of one kind begin with `alt.`
        text = _ALTERNATE.sub("", item.strip().rstrip("."), count=1).strip()
        if text.startswith("DOB "):
            draft.birth(text[4:])
        elif text.startswith("Gender "):
            draft.sex(text[7:])
        elif match := _NATION.fullmatch(text):
            draft.country(match[1])
        elif match := _WALLET.match(text):
            draft.identifier("wallet", match[2], asset=match[1].upper())
        elif match := _QUOTED.fullmatch(text):
            kind = "former" if match[1].lower() == "f" else "alias"
            draft.name(_put_given_names_first(match[2], draft.schema), kind, weak=True)
        # usually an IMO number, but registers of other kinds are printed under this label too
        elif text.startswith("Vessel Registration Identification"):
            number = text.split("Identification", 1)[1]
            draft.identifier("imo" if parse_imo_number(number) else "other", number)
        elif match := _TAIL.fullmatch(text):
            number, _ = _parse_number(match[1])
            draft.identifier("other", number if _MARK.fullmatch(number) else "")
        else:
            _add_identifier(draft, text)


def _add_identifier(draft: EntityDraft, text: str) -> None:
    false = is_false_document(text)
    if false:
        # the number is read without the remark, and kept as that of a false document
        text = _FALSE_REMARK.sub("", text)
    for pattern, kind in IDENTIFIERS:
        if not (match := pattern.fullmatch(text)):
            continue
        value, country = _parse_number(match[1])
        if kind == "bic" or any(char.isdigit() for char in value):
            draft.identifier(kind, value, country, known_false=false)
        return


def classify_document_label(label: str) -> str:
    """Return the kind of identifier for a document's name in OFAC's lists, or ""."""
    return next((kind for pattern, kind in IDENTIFIERS if pattern.fullmatch(f"{label} 0")), "")


def _parse_number(text: str) -> tuple[str, str]:
    """Return the number that follows a label, and the country in brackets after it."""
    match = _VALUE.fullmatch(_NUMBER_SIGN.sub("", text, count=1))
    return (match[1], match[2] or "") if match else ("", "")


def _put_given_names_first(name: str, schema: Schema) -> str:
    """Return a person's name given names first; the list prints `LAST, First`."""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if schema == "Person" and comma else name


def _open_table(stream: BinaryIO, options: ParseOptions) -> tuple[str, Iterator[list[str]]]:
    rows = read_csv_rows(stream, encoding=detect_encoding(stream, options))
    first = next(rows, None)
    width = len(first[1]) if first else 0
    if width not in COLUMNS:
        raise FormatError(
            f"expected an OFAC file of {sorted(COLUMNS)} columns, found {width} in its first row"
        )
    assert first is not None
    return COLUMNS[width], _iter_checked_rows(chain([first], rows), width)


def _iter_checked_rows(rows: Iterator[tuple[int, list[str]]], width: int) -> Iterator[list[str]]:
    name = COLUMNS[width]
    for line, row in rows:
        # the control-Z at the end of the file is a row of its own
        if len(row) == 1 and not row[0].strip("\x1a \t"):
            continue
        if len(row) != width:
            raise FormatError(f"expected {width} fields at line {line} of {name}, found {len(row)}")
        cells = [_read_cell(cell) for cell in row]
        if not (cells[0].isascii() and cells[0].isdigit()):
            raise FormatError(
                f"expected a number first at line {line} of {name}, found {row[0][:40]!r}"
            )
        yield cells


def _read_cell(cell: str) -> str:
    cell = cell.strip()
    return "" if cell == "-0-" else cell


def _group_by_party(rows: Iterator[list[str]]) -> dict[str, list[list[str]]]:
    parties: dict[str, list[list[str]]] = defaultdict(list)
    for row in rows:
        parties[row[0]].append(row)
    return parties
