"""Chains on which USDC is accepted, under every name that payers use.

Version 1 names a network by a word, version 2 by CAIP-2.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Network:
    """One chain: its id, its names in both versions, and its USDC."""

    chain_id: int
    names: tuple[str, ...]
    asset: str
    # name and version of the token are part of what a payer signs (EIP-712 domain)
    token: str
    edition: str = "2"
    decimals: int = 6

    @property
    def caip2(self) -> str:
        """The name of version 2."""
        return f"eip155:{self.chain_id}"

    def is_named(self, name: str) -> bool:
        """Tell whether a payer means this chain, by the name of either version."""
        return name == self.caip2 or name in self.names


# a wrong token name fails every signature: it is `USD Coin` on Base and `USDC` on Base Sepolia
NETWORKS: dict[str, Network] = {
    "base": Network(
        8453,
        # the specification's name, and the one that real clients of version 1 know
        ("base-mainnet", "base"),
        "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
        "USD Coin",
    ),
    "base-sepolia": Network(
        84532,
        ("base-sepolia",),
        "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
        "USDC",
    ),
}
