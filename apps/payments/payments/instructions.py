"""A payment instruction: its shape on the wire, and the value that everything behind it works on.

Document 2 section 2.1. Instructions in ISO 20022 become the same value, with more data about the
parties and with their `source`.
"""

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from rest_framework import serializers

from apps.compliance.aml.screening.requests import INSTITUTION_ITSELF
from apps.compliance.payees.serializers import WalletAddress
from apps.payments.callbacks.models.endpoints import LONGEST_URL
from apps.payments.chain.burn_addresses import BURN_ADDRESS_MESSAGE, is_burn_address
from apps.payments.payments.postal_address import AddressIn
from apps.payments.payments.rules import assets
from apps.platform.api.shapes import Country, Lei, PartyName, Shape, Text
from apps.platform.common.days import start_of_day
from apps.platform.crypto.canonical import canonical_digest

LONGEST_REFERENCE = 140
LONGEST_ACCOUNT = 128
# Decimal alone would also take signs, exponents, NaN and digits of other scripts
_AMOUNT = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,18})?")


@dataclass(frozen=True, slots=True)
class Address:
    """A postal address in the fields of IVMS 101, which are those of ISO 20022."""

    street_name: str = ""
    building_number: str = ""
    building_name: str = ""
    floor: str = ""
    post_box: str = ""
    room: str = ""
    post_code: str = ""
    town_name: str = ""
    town_location_name: str = ""
    district_name: str = ""
    country_sub_division: str = ""
    country: str = ""
    address_lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Agent:
    """A financial institution of a payment."""

    name: str = ""
    lei: str = ""
    bic: str = ""


@dataclass(frozen=True, slots=True)
class PersonalNumber:
    """A number that a person is identified by; `type` is IVMS 101's (CCPT, SOCS, TXID …)."""

    type: str
    number: str
    issuer: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """Facts about a party that is a person; `birth_date` is a day (ISO 8601)."""

    birth_date: str = ""
    birth_city: str = ""
    birth_country: str = ""
    numbers: tuple[PersonalNumber, ...] = ()


@dataclass(frozen=True, slots=True)
class Party:
    """A party as the instruction has it; missing values are empty.

    `accounts` are account numbers beside the wallet, as IBANs. `country` is ISO 3166-1 alpha-2.
    """

    name: str = ""
    lei: str = ""
    wallet: str = ""
    country: str = ""
    accounts: tuple[str, ...] = ()
    address: Address | None = None
    agent: Agent | None = None
    person: Person | None = None


@dataclass(frozen=True, slots=True)
class InstructionSource:
    """The origin of an instruction that was not native JSON; ids as that message has them.

    `format` is such as pain.001, `version` such as pain.001.001.09, `sha256` of the original bytes,
    `unmapped` the paths that nothing here reads.
    """

    format: str
    version: str
    sha256: str
    message_id: str = ""
    payment_info_id: str = ""
    instruction_id: str = ""
    end_to_end_id: str = ""
    uetr: str = ""
    unmapped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Instruction:
    """A validated payment instruction. `execution_date` is a day (ISO 8601), empty for at once.

    `chain` is the one that the payment must settle on (CAIP-2), empty if none is named.
    """

    reference: str
    amount: Decimal
    currency: str
    asset: str
    creditor: Party
    debtor: Party
    callback_url: str = ""
    ultimate_creditor: Party | None = None
    ultimate_debtor: Party | None = None
    execution_date: str = ""
    purpose: str = ""
    remittance: tuple[str, ...] = ()
    charge_bearer: str = ""
    source: InstructionSource | None = None
    chain: str = ""

    def recorded(self) -> dict[str, Any]:
        """Return the instruction in canonical form, without what is empty; amounts as texts."""
        # without what is empty: a field that is added later does not change old fingerprints
        record: dict[str, Any] = _drop_empty(dataclasses.asdict(self))
        return record | {"amount": format_decimal(self.amount)}

    @property
    def fingerprint(self) -> str:
        """A digest (SHA-256) of the payment itself, without its source."""
        return canonical_digest(
            # the same payment sent as JSON and as pain.001 is one payment
            {name: value for name, value in self.recorded().items() if name != "source"}
        )

    @property
    def named(self) -> tuple[tuple[str, Party], ...]:
        """The parties that have a name, each with its side, the creditor first."""
        sides = ("creditor", "debtor", "ultimate_creditor", "ultimate_debtor")
        parties = ((side, getattr(self, side)) for side in sides)
        return tuple((side, party) for side, party in parties if party is not None and party.name)

    def sender_account(self, owner: str) -> str:
        """Return the account that the AML screen uses for the sender.

        It is the debtor's wallet; else the first account number, else the LEI, else the institution
        `owner` itself, which pays on behalf of a debtor without any of these.
        """
        # IVMS 101: the ultimate debtor, where there is one, is the originator
        debtor = self.ultimate_debtor or self.debtor
        known = (
            self.debtor.wallet,
            *(f"account-number:{number}" for number in self.debtor.accounts[:1]),
            f"lei:{debtor.lei}" if debtor.lei else "",
            f"{INSTITUTION_ITSELF}{owner}",
        )
        # the last is never empty
        return next(account for account in known if account)[:LONGEST_ACCOUNT]


def format_decimal(amount: Decimal) -> str:
    """Return an amount as a text without trailing zeros: 250.00 and 250 are the same."""
    # normalize alone writes 1E+3
    return f"{amount.normalize():f}"


def _drop_empty(value: Any) -> Any:
    if isinstance(value, dict):
        fields = {name: _drop_empty(value_of_field) for name, value_of_field in value.items()}
        return {name: field for name, field in fields.items() if field not in ("", None, [], {})}
    if isinstance(value, list | tuple):
        return [_drop_empty(item) for item in value]
    return value


def earliest_execution_time(record: Mapping[str, Any]) -> datetime | None:
    """Return the first moment (UTC) at which a recorded instruction is executed; None: at once."""
    day = record.get("execution_date")
    return start_of_day(date.fromisoformat(day)) if day else None


def instruction_from_record(record: Mapping[str, Any]) -> Instruction:
    """Rebuild an instruction from `Instruction.recorded`; KeyError or TypeError for other input."""
    parties = ("creditor", "debtor", "ultimate_creditor", "ultimate_debtor")
    rest = {
        name: value for name, value in record.items() if name not in (*parties, "source", "amount")
    }
    parsed_parties: dict[str, Any] = {
        n: _party_from_record(record[n]) for n in parties if n in record
    }
    rest["remittance"] = tuple(record.get("remittance", ()))
    if "source" in record:
        unmapped = tuple(record["source"].get("unmapped", ()))
        rest["source"] = InstructionSource(**(dict(record["source"]) | {"unmapped": unmapped}))
    return Instruction(amount=Decimal(record["amount"]), **parsed_parties, **rest)


def _party_from_record(record: Mapping[str, Any]) -> Party:
    fields = dict(record) | {"accounts": tuple(record.get("accounts", ()))}
    if "address" in record:
        lines = tuple(record["address"].get("address_lines", ()))
        fields["address"] = Address(**(dict(record["address"]) | {"address_lines": lines}))
    if "agent" in record:
        fields["agent"] = Agent(**record["agent"])
    if "person" in record:
        numbers = tuple(PersonalNumber(**number) for number in record["person"].get("numbers", ()))
        fields["person"] = Person(**(dict(record["person"]) | {"numbers": numbers}))
    return Party(**fields)


class Amount(Text):
    """A decimal number as text: only digits and a point."""

    format, pattern = "decimal", r"^[0-9]{1,18}(\.[0-9]{1,18})?$"
    longest = 40

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not _AMOUNT.fullmatch(text):
            raise serializers.ValidationError("This must be a decimal number as text: 250.00")
        return text


class PayableWallet(WalletAddress):
    """A wallet that can be paid: money sent to a token contract or a burn address is lost."""

    def to_internal_value(self, data: Any) -> str:
        wallet = super().to_internal_value(data)
        if is_burn_address(wallet):
            raise serializers.ValidationError(BURN_ADDRESS_MESSAGE)
        return wallet


class CreditorIn(Shape):
    """The payee. The name is screened and compared with the wallet, to which the payment goes."""

    name = PartyName(
        help_text="Required: it is verified, screened and sent in the travel-rule message."
    )
    lei = Lei(
        required=False, help_text="If the wallet is registered to it, the result is LEI_MATCH."
    )
    wallet_address = PayableWallet(help_text="Required: the payment settles to it.")
    country = Country(required=False, help_text="Of the party; checked against the country lists.")
    address = AddressIn(required=False, help_text="Sent in the travel-rule message.")


class DebtorIn(Shape):
    """The payer. Without a wallet the LEI, or else the institution itself, is the account."""

    name = PartyName(help_text="Required: it is screened and sent in the travel-rule message.")
    lei = Lei(required=False)
    wallet_address = WalletAddress(required=False, help_text="The originator's account.")
    country = Country(required=False, help_text="Of the party; checked against the country lists.")
    address = AddressIn(
        required=False,
        help_text="The travel rule requires it from 3,000 USD: without it the message to the "
        "creditor's VASP is incomplete, and an officer decides.",
    )


class InstructionIn(Shape):
    """A payment instruction (document 2 section 2.1). Other fields are refused."""

    tms_reference = Text(
        min_length=1,
        max_length=LONGEST_REFERENCE,
        help_text="Your own, unique within your institution: a repeated instruction returns "
        "the same payment, a different one with this reference is refused.",
    )
    amount = Amount(help_text="At most two decimals, greater than zero.")
    currency = Text(max_length=40, help_text="USD, EUR or GBP.")
    settlement_asset = Text(
        required=False,
        max_length=40,
        help_text="USDC or EURC. If omitted, EURC for EUR, otherwise USDC.",
    )
    creditor = CreditorIn()
    debtor = DebtorIn()
    callback_url = Text(required=False, max_length=LONGEST_URL, help_text="Called at the end.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse what is no pair of currency and asset, and amounts that the currency has not."""
        currency = attrs["currency"]
        asset = attrs.setdefault("settlement_asset", assets.default_asset(currency))
        faults: dict[str, list[str]] = {}
        if fault := assets.pair_fault(currency, asset):
            faults[fault[0]] = [fault[1]]
        if why := assets.amount_fault(Decimal(attrs["amount"]), currency):
            faults["amount"] = [why]
        if faults:
            raise serializers.ValidationError(faults)
        return attrs


def build_instruction(**given: Any) -> Instruction:
    """Return what validated values of InstructionIn instruct."""
    return Instruction(
        reference=given["tms_reference"],
        amount=Decimal(given["amount"]),
        currency=given["currency"],
        asset=given["settlement_asset"],
        creditor=_build_party(given["creditor"]),
        debtor=_build_party(given["debtor"]),
        callback_url=given.get("callback_url", ""),
    )


def _build_party(party_fields: Mapping[str, Any]) -> Party:
    return Party(
        name=party_fields["name"],
        lei=party_fields.get("lei", ""),
        wallet=party_fields.get("wallet_address", ""),
        country=party_fields.get("country", ""),
        address=Address(**party_fields["address"]) if "address" in party_fields else None,
    )
