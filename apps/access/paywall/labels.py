"""Labels of payments at the desk: amounts, networks, what was bought, and states."""

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Any

from django.urls import reverse
from django.utils.html import format_html

from apps.platform.api.routers import operations_of_service
from apps.platform.common.amounts import format_amount
from config.prices import Unit
from config.services import SERVICES

NETWORKS = {"eip155:8453": "Base", "eip155:84532": "Base Sepolia (test)"}
STATES = {
    "CLAIMED": "Received and not verified yet. No money was taken.",
    "VERIFIED": "Verified; settlement has not been requested yet. No money was taken.",
    "SETTLING": "Settlement has been requested.",
    "FAILED": "The money did not arrive, and the call was not answered. Nothing is owed.",
    "UNKNOWN": "It is not known yet whether the money arrived: the platform keeps checking for "
    "two days. After that, look for the signed payment's number on the chain.",
    "OWED": "The money arrived, but the call was not answered. It must be refunded to the "
    "wallet manually, because the platform sends no money itself.",
}
# names of a receipt's fields, and their labels
RECORDED = {
    "payer": "Wallet that paid",
    "payTo": "Paid to",
    "asset": "Token",
    "nonce": "Number of the signed payment",
    "chainId": "Chain",
    "fingerprint": "Digest of the request",
    "sessionId": "Session",
    "unanswered": "Why it is owed",
}


def format_usdc(amount: Decimal | None) -> str:
    """Format an amount with two decimals, or more if it has them, and thousands separators."""
    if amount is None:
        return ""
    whole, _, parts = format_amount(amount).partition(".")
    return f"{int(whole):,}.{parts}"


def render_amount(amount: Decimal) -> str:
    """Render an amount as a right-aligned cell of a list."""
    return format_html('<span class="sum">{}</span>', format_usdc(amount))


def render_page_link(page: str, pk: int, words: str) -> str:
    """Render a link to a payment record: `page` is its model's name in lower case."""
    return format_html(
        '<a class="lead" href="{}">{}</a>',
        reverse(f"admin:paywall_{page}_change", args=[pk]),
        words,
    )


def get_network_label(network: str) -> str:
    """Return the usual name of a network; one without a name is returned unchanged."""
    name = NETWORKS.get(network)
    return f"{name}, {network}" if name else network


@cache
# cached: declarations do not change while a process runs
def _load_price_titles() -> Mapping[str, str]:
    price_titles = {}
    for service in SERVICES:
        for row in operations_of_service(service):
            price = row.access.price
            price_titles[row.name] = price.title if isinstance(price, Unit) else row.summary
    return price_titles


def get_resource_label(resource: str) -> str:
    """Return a label of what a payment bought: the endpoint's price, or the endpoint itself."""
    return _load_price_titles().get(resource, resource)


def describe_payment_state(*, state: str, answered: bool) -> str:
    """Return what the state of a payment means, in sentences."""
    if state == "SETTLED":
        if answered:
            return "The money arrived, and the call was answered."
        return (
            "The money arrived, and the call is not answered yet: the platform will answer it, or "
            "record the money as owed back."
        )
    return STATES.get(state, "")


def list_receipt_fields(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the fields of a receipt as rows: a label, and the value."""
    lines = []
    for name, value in data.items():
        text = get_network_label(f"eip155:{value}") if name == "chainId" else str(value)
        if name == "unanswered":
            text = "The call was not answered"
        lines.append((RECORDED.get(name, name), text))
    return lines
