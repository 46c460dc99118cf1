"""A settlement request, and its validation before anything is looked up."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from rest_framework.exceptions import ValidationError

from apps.compliance.payees.wallets import Family, parse_wallet
from apps.payments.chain.burn_addresses import BURN_ADDRESS_MESSAGE, is_burn_address
from apps.payments.payments.rules.assets import amount_fault
from apps.payments.settlement.check_judgements import FlowRequest
from apps.payments.settlement.rules.payout_stablecoins import DESTINATIONS, SOURCES, Route, route_of
from apps.platform.crypto.canonical import canonical_digest


@dataclass(frozen=True, slots=True)
class SettlementRequest:
    """The request; `credential` as the header has it, `wallet` the one that pays."""

    flow: FlowRequest
    route: Route
    sandbox: bool
    quote_id: UUID | None = None
    reference: str = ""
    wallet: str = ""
    credential: str = ""

    def fingerprint(self, agent_id: str) -> str:
        """Return a digest of the settlement itself, without its quote and its credential."""
        flow = self.flow
        fingerprinted = [flow.amount, flow.source, flow.destination, flow.recipient, self.sandbox]
        return canonical_digest([*fingerprinted, self.wallet, agent_id])


def parse_settlement_request(**given: Any) -> SettlementRequest:
    """Parse a request; values of SettleIn.

    Raises 400 for a currency that is not settled, an amount that its currency does not have, and a
    wallet that the chain does not reach.
    """
    amount: Decimal = given["amount"]
    source, destination = given["source_currency"], given["destination_currency"]
    route, recipient = route_of(source, destination), given["recipient_address"]
    if route is None:
        if source not in SOURCES:
            raise ValidationError({"sourceCurrency": [f"We settle from {', '.join(SOURCES)}."]})
        if destination not in DESTINATIONS:
            raise ValidationError(
                {"destinationCurrency": [f"We settle in {', '.join(DESTINATIONS)}."]}
            )
        # every pair of settled currencies has a route
        raise AssertionError
    recipient_fault = _wallet_fault(recipient) or (
        BURN_ADDRESS_MESSAGE if is_burn_address(recipient) else ""
    )
    faults = {
        "amount": amount_fault(amount, source),
        "recipientAddress": recipient_fault,
    }
    wallet = given.get("settlement_wallet", "")
    faults["settlementWallet"] = _wallet_fault(wallet) if wallet else ""
    if wrong := {name: [fault] for name, fault in faults.items() if fault}:
        raise ValidationError(wrong)
    return SettlementRequest(
        FlowRequest(amount, source, destination, recipient),
        route,
        given["sandbox"],
        given.get("quote_id"),
        given.get("reference_id", ""),
        wallet,
        given.get("agent_credential", ""),
    )


def _wallet_fault(wallet: str) -> str:
    reached = parse_wallet(wallet).family is Family.EVM
    return "" if reached else "Settlements need an EVM wallet: 0x and 40 hexadecimal digits."
