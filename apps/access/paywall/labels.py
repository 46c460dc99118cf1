"""Payments as the desk says them: sums, networks, what was bought, and what a state means."""

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Any

from django.urls import reverse
from django.utils.html import format_html

from apps.platform.api.routers import operations_of_service
from apps.platform.common.validators import format_amount
from config.prices import Unit
from config.services import SERVICES

NETWORKS = {"eip155:8453": "Base", "eip155:84532": "Base Sepolia (test)"}
STATES = {
    "CLAIMED": "Taken up, and not looked at yet. Nothing was taken.",
    "VERIFIED": "Found good; the money was not asked for yet. Nothing was taken.",
    "SETTLING": "The money is being asked for.",
    "FAILED": "The money did not come, and the call was not answered. Nothing is owed.",
    "UNKNOWN": "Whether the money came is not known yet: it is asked again by itself for two days. "
    "Then somebody looks for the signed payment's number on the chain.",
    "OWED": "The money came, and the call was not answered. It is to be paid back to the wallet: "
    "the platform sends no money itself, so somebody does so by hand.",
}
# how a receipt calls what it holds, and how people do
RECORDED = {
    "payer": "Wallet that paid",
    "payTo": "Paid to",
    "asset": "Token",
    "nonce": "Number of the signed payment",
    "chainId": "Chain",
    "fingerprint": "Digest of what was asked",
    "sessionId": "Session",
    "unanswered": "Why it is owed",
}


def format_usdc(amount: Decimal | None) -> str:
    """Return a sum with two decimals, or more where it has them, and thousands parted."""
    if amount is None:
        return ""
    whole, _, parts = format_amount(amount).partition(".")
    return f"{int(whole):,}.{parts}"


def render_amount(amount: Decimal) -> str:
    """Return a sum as a cell of a list, under which others stand."""
    return format_html('<span class="sum">{}</span>', format_usdc(amount))


def render_page_link(page: str, pk: int, words: str) -> str:
    """Return a link to a record of payments: `page` is its model's name in small letters."""
    return format_html(
        '<a class="lead" href="{}">{}</a>',
        reverse(f"admin:paywall_{page}_change", args=[pk]),
        words,
    )


def get_network_label(network: str) -> str:
    """Return a network by the name that people know; one that has none as it is written."""
    name = NETWORKS.get(network)
    return f"{name}, {network}" if name else network


@cache
def _load_price_titles() -> Mapping[str, str]:
    found = {}
    for service in SERVICES:
        for row in operations_of_service(service):
            price = row.access.price
            found[row.name] = price.title if isinstance(price, Unit) else row.summary
    return found


def get_resource_label(resource: str) -> str:
    """Return what a payment bought in words: the endpoint's price, or the endpoint itself."""
    return _load_price_titles().get(resource, resource)


def describe_payment_state(*, state: str, answered: bool) -> str:
    """Return what the state of a payment means, in sentences."""
    if state == "SETTLED":
        if answered:
            return "The money came, and the call was answered."
        return (
            "The money came, and the call is not answered yet: an answer, or that it is owed back, "
            "follows by itself."
        )
    return STATES.get(state, "")


def list_receipt_fields(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what a receipt holds as lines: a name for people, and the value."""
    lines = []
    for name, value in data.items():
        said = get_network_label(f"eip155:{value}") if name == "chainId" else str(value)
        if name == "unanswered":
            said = "The call was not answered"
        lines.append((RECORDED.get(name, name), said))
    return lines
