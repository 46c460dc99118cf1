"""Chains and tokens in which orders settle: one table.

Addresses as Circle publishes them (developers.circle.com, "USDC contract addresses" and "EURC
contract addresses"). Those of USDC on Base are declared where payments by x402 need them too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from apps.access.paywall.x402.networks import NETWORKS

# of USDC and EURC on every chain of the table
DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain: `seconds` are those from block to block, `assets` token addresses by symbol."""

    chain_id: int
    network: str
    title: str
    seconds: int
    assets: Mapping[str, str]

    @property
    def caip2(self) -> str:
        """Its name by CAIP-2."""
        return f"eip155:{self.chain_id}"


_ALL = (
    Chain(
        8453,
        "base",
        "Base",
        2,
        {
            "USDC": NETWORKS["base"].asset,
            "EURC": "0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42",
        },
    ),
    Chain(
        1,
        "ethereum",
        "Ethereum",
        12,
        {
            "USDC": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
            "EURC": "0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c",
        },
    ),
    Chain(
        84532,
        "base-sepolia",
        "Base Sepolia",
        2,
        {
            "USDC": NETWORKS["base-sepolia"].asset,
            "EURC": "0x808456652fdb597867f38412077A9182bf77359F",
        },
    ),
)
CHAINS: Mapping[str, Chain] = {chain.caip2: chain for chain in _ALL}


class AssetNotSettled(ValueError):
    """The asset does not settle there; the text may be shown to callers."""


def get_chain(name: str) -> Chain:
    """Return a chain by its CAIP-2 name; AssetNotSettled for one that is not in the table."""
    chain = CHAINS.get(name)
    if chain is None:
        raise AssetNotSettled(f"Nothing settles on {name}.")
    return chain


def token_address(chain: str, asset: str) -> str:
    """Return the token's address (EIP-55) on a chain; AssetNotSettled if it has none."""
    address = get_chain(chain).assets.get(asset)
    if address is None:
        raise AssetNotSettled(f"{asset} does not settle on {chain}.")
    return address


def to_minor_units(amount: Decimal) -> int:
    """Return an amount in the tokens' smallest units; ValueError unless positive and whole."""
    # exact: a Decimal only moves its point; rounding would expect another sum than was agreed
    units = amount.scaleb(DECIMALS)
    if not amount.is_finite() or amount <= 0 or units != units.to_integral_value():
        raise ValueError(f"{amount} is not an amount of at most {DECIMALS} decimals above zero")
    return int(units)
