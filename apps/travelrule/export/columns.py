"""Columns of the tables of an export: all of a record's, or those of FFIEC Appendix O.

FFIEC BSA/AML Examination Manual, Appendix O (funds transfers): what an examiner sorts by. A risk
rating is no part of a record and has no column.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.core.shapes import iso
from apps.travelrule.export.reading import Line
from apps.travelrule.messages import names_of, written
from apps.travelrule.rules.recording import OUTBOUND

# IVMS 101 NationalIdentifierTypeCode: the number of a taxpayer is that of the tax authority, and
# of a natural person in the United States the social security number; no number of a register is
TAX = ("TXID", "SOCS")
ROLES = {"originator": "originating", "beneficiary": "beneficiary"}
WITHHELD = "WITHHELD"
GEOGRAPHIC = "geographicAddress"


@dataclass(frozen=True, slots=True)
class Side:
    """A party of a message as tables have it; several are parted by `; `."""

    names: str = ""
    address: str = ""
    country: str = ""
    lei: str = ""
    tin: str = ""
    accounts: str = ""
    institution: str = ""


@dataclass(frozen=True, slots=True)
class Flat:
    """A record as tables read it."""

    told: Mapping[str, Any]
    originator: Side = field(default_factory=Side)
    beneficiary: Side = field(default_factory=Side)

    def get(self, name: str) -> Any:
        """Return a field of RecordOut, empty where the record has none."""
        return self.told.get(name, "")


Column = tuple[str, Callable[[Flat], Any]]


def flat(line: Line) -> Flat:
    """Return a record for tables; a withheld one says so in place of its status."""
    if line.why:
        return Flat({"id": str(line.record.record_id), "status": WITHHELD, "notes": line.why})
    message = line.told.get("ivms101") or {}
    return Flat(line.told, _side(message, "originator"), _side(message, "beneficiary"))


def _side(message: Mapping[str, Any], side: str) -> Side:
    held = message.get(side, {})
    persons = held.get(f"{side}Persons", [])
    bodies = [body for one in persons for body in one.values() if isinstance(body, dict)]
    accounts = [*held.get("accountNumber", [])]
    for one in persons:
        accounts += one.get("accountNumber", [])
    return Side(
        names=_joined(next(iter(names_of(one)), "") for one in persons),
        address=_joined(written(one) for body in bodies for one in body.get(GEOGRAPHIC, [])),
        country=_joined(map(_country, bodies)),
        lei=_joined(_national(one, ("LEIX",)) for one in bodies),
        tin=_joined(_national(one, TAX) for one in bodies),
        accounts=_joined(accounts),
        institution=_institution(message, side),
    )


def _joined(parts: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(str(one) for one in parts if one))


def _country(body: Mapping[str, Any]) -> str:
    """Return where a person is: residence or registration, else the first address."""
    address: Mapping[str, Any] = next(iter(body.get(GEOGRAPHIC, [])), {})
    own = body.get("countryOfResidence") or body.get("countryOfRegistration")
    return str(own or address.get("country", ""))


def _national(body: Mapping[str, Any], kinds: tuple[str, ...]) -> str:
    held = body.get("nationalIdentification", {})
    return str(held.get("nationalIdentifier", "")) if _kind(held) in kinds else ""


def _kind(held: Mapping[str, Any]) -> str:
    return str(held.get("nationalIdentifierType", ""))


def _institution(message: Mapping[str, Any], side: str) -> str:
    """Return the name of a side's VASP, of a message of ours or of a canonical one."""
    ours = message.get(f"{side}VASP", {}).get("vasp")
    role = f"{ROLES[side]}VASP"
    person = {"legalPerson": ours} if ours else message.get(role, {}).get(role, {})
    return next(iter(names_of(person)), "")


def _of(name: str) -> Callable[[Flat], Any]:
    return lambda row: row.get(name)


def _moment(name: str) -> Callable[[Flat], Any]:
    return lambda row: iso(row.told[name]) if name in row.told else ""


def _party(side: str, name: str) -> Callable[[Flat], Any]:
    return lambda row: getattr(getattr(row, side), name)


def _way(row: Flat, out: str, into: str) -> str:
    direction = row.get("direction")
    return (out if direction == OUTBOUND else into) if direction else ""


FULL: tuple[Column, ...] = (
    ("id", _of("id")),
    ("paymentId", _of("payment_id")),
    ("tmsReference", _of("tms_reference")),
    ("direction", _of("direction")),
    ("status", _of("status")),
    ("applies", lambda row: str(row.get("applies")).lower()),
    ("createdAt", _moment("created_at")),
    ("executedAt", _moment("executed_at")),
    ("retainUntil", _moment("retain_until")),
    ("amountUsd", _of("amount_usd")),
    ("thresholdUsd", _of("threshold_usd")),
    ("amount", _of("amount")),
    ("currency", _of("currency")),
    ("exchangeRate", _of("exchange_rate")),
    ("rateOn", _of("rate_on")),
    *(
        (f"{side} {title}", _party(side, name))
        for side in ROLES
        for title, name in (
            ("name", "names"), ("address", "address"), ("country", "country"), ("LEI", "lei"),
            ("tax number", "tin"), ("accounts", "accounts"), ("VASP", "institution"),
        )
    ),
    ("network", _of("network")),
    ("txHash", _of("tx_hash")),
    ("reason", _of("reason")),
    ("rule", _of("rule")),
    ("rules", _of("rules")),
    ("notes", _of("notes")),
)  # fmt: skip
FFIEC: tuple[Column, ...] = (
    ("Date", lambda row: _moment("executed_at")(row) or _moment("created_at")(row)),
    ("Direction", lambda row: _way(row, "Outgoing", "Incoming")),
    ("Role of this institution", lambda row: _way(row, "Originating", "Beneficiary")),
    *(
        (f"{side.capitalize()} {title}", _party(side, name))
        for side in ROLES
        for title, name in (
            ("full name", "names"), ("address", "address"), ("country", "country"),
            ("TIN", "tin"), ("account", "accounts"), ("institution", "institution"),
        )
    ),
    ("Amount", _of("amount")),
    ("Currency", _of("currency")),
    ("Amount USD", _of("amount_usd")),
    ("Type", _of("network")),
    ("Status", _of("status")),
    ("Recorded", _moment("created_at")),
    ("Reference", _of("payment_id")),
    ("Originator reference", _of("tms_reference")),
    ("Record", _of("id")),
    ("Notes", _of("notes")),
)  # fmt: skip
PRESETS: dict[str, tuple[Column, ...]] = {"full": FULL, "ffiec": FFIEC}
