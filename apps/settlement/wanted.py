"""A settlement as it is asked for, and what is refused before anything is looked up."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from rest_framework.exceptions import ValidationError

from apps.core.canonical import digest
from apps.payments.rules.assets import amount_fault
from apps.registry.wallets import Family, read
from apps.settlement.checks import Asked
from apps.settlement.nobodys import SAID, is_nobodys
from apps.settlement.rules.routes import DESTINATIONS, SOURCES, Route, route_of


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for; `credential` as the header has it, `wallet` the one that pays."""

    flow: Asked
    route: Route
    sandbox: bool
    quote_id: UUID | None = None
    reference: str = ""
    wallet: str = ""
    credential: str = ""

    def fingerprint(self, agent_id: str) -> str:
        """Return a digest of what makes a settlement another one: not its quote, nor its proof."""
        one = self.flow
        said = [one.amount, one.source, one.destination, one.recipient, self.sandbox]
        return digest([*said, self.wallet, agent_id])


def wanted(**given: Any) -> Wanted:
    """Return what a request asks for; values of SettleIn.

    400 for a currency that is not settled, an amount that its currency does not have, and a wallet
    that the chain does not reach.
    """
    amount: Decimal = given["amount"]
    source, destination = given["source_currency"], given["destination_currency"]
    route, recipient = route_of(source, destination), given["recipient_address"]
    if route is None:
        _refuse(source, destination)
        raise AssertionError  # one of the two is none that settles
    faults = {"amount": amount_fault(amount, source), "recipientAddress": _payable(recipient)}
    wallet = given.get("settlement_wallet", "")
    faults["settlementWallet"] = _reached(wallet) if wallet else ""
    if wrong := {name: [said] for name, said in faults.items() if said}:
        raise ValidationError(wrong)
    return Wanted(
        Asked(amount, source, destination, recipient),
        route,
        given["sandbox"],
        given.get("quote_id"),
        given.get("reference_id", ""),
        wallet,
        given.get("agent_credential", ""),
    )


def _refuse(source: str, destination: str) -> None:
    if source not in SOURCES:
        raise ValidationError({"sourceCurrency": [f"We settle from {', '.join(SOURCES)}."]})
    if destination not in DESTINATIONS:
        raise ValidationError({"destinationCurrency": [f"We settle in {', '.join(DESTINATIONS)}."]})


def _payable(wallet: str) -> str:
    return _reached(wallet) or (SAID if is_nobodys(wallet) else "")


def _reached(wallet: str) -> str:
    reached = read(wallet).family is Family.EVM
    return "" if reached else "Settlements reach EVM wallets: 0x and 40 hexadecimal digits."
