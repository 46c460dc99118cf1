"""Columns of the tables of an export: all of a record's, or those of FFIEC Appendix O.

FFIEC BSA/AML Examination Manual, Appendix O (funds transfers): what an examiner sorts by. A risk
rating is no part of a record and has no column.
"""

from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Any

from apps.payments.travelrule.export.lines import ExportLine
from apps.payments.travelrule.message_readers import format_address, names_of
from apps.payments.travelrule.rules.record_status import OUTBOUND
from apps.payments.travelrule.selectors.serialized_records import describe_record, executed_at_of
from apps.platform.common.clock import format_utc
from apps.platform.common.spreadsheets import Cells

# IVMS 101 NationalIdentifierTypeCode: a taxpayer's number is the one of the tax authority and, for
# natural persons in the United States, the social security number; no number of a register is one
TAX_IDENTIFIERS = ("TXID", "SOCS")
LEI_IDENTIFIERS = ("LEIX",)
ROLES = {"originator": "originating", "beneficiary": "beneficiary"}
WITHHELD = "WITHHELD"
GEOGRAPHIC = "geographicAddress"
NATIONAL = "nationalIdentification"
SIDE_COLUMNS = ("names", "address", "country", "lei", "tin", "accounts", "institution")
EMPTY_SIDE = ("",) * len(SIDE_COLUMNS)
DIRECTION_LABELS = {True: ("Outgoing", "Originating"), False: ("Incoming", "Beneficiary")}
Column = tuple[str, str]

FULL_COLUMNS: tuple[Column, ...] = (
    ("id", "id"),
    ("paymentId", "payment_id"),
    ("tmsReference", "tms_reference"),
    ("direction", "direction"),
    ("status", "status"),
    ("applies", "applies"),
    ("createdAt", "created_at"),
    ("executedAt", "executed_at"),
    ("retainUntil", "retain_until"),
    ("amountUsd", "amount_usd"),
    ("thresholdUsd", "threshold_usd"),
    ("amount", "amount"),
    ("currency", "currency"),
    ("exchangeRate", "exchange_rate"),
    ("rateOn", "rate_on"),
    *(
        (f"{side} {title}", f"{side} {name}")
        for side in ROLES
        for title, name in (
            ("name", "names"), ("address", "address"), ("country", "country"), ("LEI", "lei"),
            ("tax number", "tin"), ("accounts", "accounts"), ("VASP", "institution"),
        )
    ),
    ("network", "network"),
    ("txHash", "tx_hash"),
    ("reason", "reason"),
    ("rule", "rule"),
    ("rules", "rules"),
    ("notes", "notes"),
)  # fmt: skip
FFIEC_COLUMNS: tuple[Column, ...] = (
    ("Date", "date"),
    ("Direction", "way"),
    ("Role of this institution", "role"),
    *(
        (f"{side.capitalize()} {title}", f"{side} {name}")
        for side in ROLES
        for title, name in (
            ("full name", "names"), ("address", "address"), ("country", "country"),
            ("TIN", "tin"), ("account", "accounts"), ("institution", "institution"),
        )
    ),
    ("Amount", "amount"),
    ("Currency", "currency"),
    ("Amount USD", "amount_usd"),
    ("Type", "network"),
    ("Status", "status"),
    ("Recorded", "created_at"),
    ("Reference", "payment_id"),
    ("Originator reference", "tms_reference"),
    ("Record", "id"),
    ("Notes", "notes"),
)  # fmt: skip
PRESETS: dict[str, tuple[Column, ...]] = {"full": FULL_COLUMNS, "ffiec": FFIEC_COLUMNS}
_KEYS = tuple(f"{side} {name}" for side in ROLES for name in SIDE_COLUMNS)
_EMPTY = dict.fromkeys((name for preset in PRESETS.values() for _, name in preset), "")
_WITHHELD = _EMPTY | {"status": WITHHELD}


def build_heading(preset: str) -> Cells:
    """Return the heading of a table."""
    return tuple(title for title, _ in PRESETS[preset])


def make_row_builder(preset: str) -> Callable[[ExportLine], Cells]:
    """Return the function that makes a table's row of a record; a withheld one has WITHHELD."""
    # built once for a table: it runs for each of perhaps millions of records
    chosen = itemgetter(*(name for _, name in PRESETS[preset]))

    def cells(line: ExportLine) -> Cells:
        cells_of_line: Cells = chosen(
            _WITHHELD | {"id": str(line.record.record_id), "notes": line.why}
            if line.why
            else _collect_texts(line)
        )
        return cells_of_line

    return cells


def _collect_texts(line: ExportLine) -> dict[str, str]:
    """Return every text that a table may have of a record."""
    record, text = line.record, line.text
    message = text["message"] if text else None
    created, executed = format_utc(record.created_at), executed_at_of(line.events[0])
    settled = format_utc(executed) if executed else ""
    way, role = DIRECTION_LABELS[record.direction == OUTBOUND]
    sides = (
        _collect_side_texts(message, "originator") + _collect_side_texts(message, "beneficiary")
        if message
        else EMPTY_SIDE * 2
    )
    texts = {
        "id": str(record.record_id),
        "payment_id": str(record.payment_id) if record.payment_id else "",
        "tms_reference": text.get("reference", "") if text else "",
        "direction": record.direction,
        "status": record.status,
        "applies": "true" if record.applies else "false",
        "created_at": created,
        "executed_at": settled,
        "retain_until": format_utc(record.retain_until),
        "amount_usd": f"{record.amount_usd:f}" if record.amount_usd is not None else "",
        "threshold_usd": str(int(record.threshold_usd)),
        "amount": record.amount,
        "currency": record.currency,
        "exchange_rate": record.rate,
        "rate_on": record.rate_on.isoformat() if record.rate_on else "",
        "network": record.network,
        "tx_hash": record.tx_hash,
        "reason": record.reason,
        "rule": record.rule,
        "rules": record.rules,
        "notes": describe_record(record, line.events, gone=message is None),
        # FFIEC's date is that of the transfer; for an inbound message only its arrival is known
        "date": settled or created,
        "way": way,
        "role": role,
    }
    texts.update(zip(_KEYS, sides, strict=True))
    return texts


def _collect_side_texts(message: Mapping[str, Any], side: str) -> tuple[str, ...]:
    """Return the SIDE_COLUMNS of a party of a message; several values are joined by `; `."""
    side_fields = message.get(side, {})
    persons = side_fields.get(f"{side}Persons", [])
    bodies = [body for person in persons for body in person.values() if isinstance(body, dict)]
    numbered = [body[NATIONAL] for body in bodies if body.get(NATIONAL)]
    accounts = [*side_fields.get("accountNumber", [])]
    for person in persons:
        accounts += person.get("accountNumber", [])
    return (
        _join_texts([next(iter(names_of(person)), "") for person in persons]),
        _join_texts(
            [format_address(address) for body in bodies for address in body.get(GEOGRAPHIC, [])]
        ),
        _join_texts([_country_of(body) for body in bodies]),
        _join_texts(
            [
                _national_identifier_of(numbered_person, LEI_IDENTIFIERS)
                for numbered_person in numbered
            ]
        ),
        _join_texts(
            [
                _national_identifier_of(numbered_person, TAX_IDENTIFIERS)
                for numbered_person in numbered
            ]
        ),
        _join_texts(accounts),
        _vasp_name_of(message, side),
    )


def _join_texts(parts: list[Any]) -> str:
    if not parts:
        return ""
    if len(parts) == 1:  # nearly every party is one person, with one of each
        return str(parts[0] or "")
    return "; ".join(dict.fromkeys(str(part) for part in parts if part))


def _country_of(body: Mapping[str, Any]) -> str:
    """Return where a person is: residence or registration, else the first address."""
    own = body.get("countryOfResidence") or body.get("countryOfRegistration")
    if own:
        return str(own)
    address: Mapping[str, Any] = next(iter(body.get(GEOGRAPHIC, [])), {})
    return str(address.get("country", ""))


def _national_identifier_of(person: Mapping[str, Any], kinds: tuple[str, ...]) -> str:
    kind = str(person.get("nationalIdentifierType", ""))
    return str(person.get("nationalIdentifier", "")) if kind in kinds else ""


def _vasp_name_of(message: Mapping[str, Any], side: str) -> str:
    """Return the name of a side's VASP, of a message of ours or of a canonical one."""
    ours = message.get(f"{side}VASP", {}).get("vasp")
    role = f"{ROLES[side]}VASP"
    person = {"legalPerson": ours} if ours else message.get(role, {}).get(role, {})
    return next(iter(names_of(person)), "")
