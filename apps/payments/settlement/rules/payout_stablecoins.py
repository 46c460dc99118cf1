"""The stablecoin that a settlement is paid in. Pure.

Document 2 sections 2.1 and 4: USDC, and EURC for a destination in euro.
"""

from dataclasses import dataclass

from apps.payments.payments.rules.assets import DECIMALS, pair_fault

DESTINATIONS = {"USD": "USDC", "EUR": "EURC"}
SOURCES = tuple(DECIMALS)
CHAIN, NETWORK = "eip155:8453", "base-mainnet"


@dataclass(frozen=True, slots=True)
class Route:
    """What is paid, and whether currencies are crossed."""

    asset: str
    fx: bool


def route_of(source: str, destination: str) -> Route | None:
    """Return the route from a currency to another (ISO 4217), None where there is none."""
    asset = DESTINATIONS.get(destination, "")
    if not asset or pair_fault(source, asset) is not None:
        return None
    return Route(asset, source != destination)
