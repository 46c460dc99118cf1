"""Wallets that nobody controls: payments to them are lost."""

from apps.payments.chain.assets import CHAINS

TOKENS = frozenset(asset.lower() for chain in CHAINS.values() for asset in chain.assets.values())
# customary burn addresses; 0xeeee… denotes a chain's own coin instead of a token
BURN_ADDRESSES = frozenset(
    {
        "0xdead000000000000000042069420694206942069",
        "0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead",
        f"0x{'dead':0>40}",
        f"0x{'dead':0<40}",
        f"0x{'e' * 40}",
        f"0x{'f' * 40}",
    }
)
BURN_ADDRESS_MESSAGE = "Nobody controls this wallet: it is a token contract or a burn address."


def is_burn_address(wallet: str) -> bool:
    """Tell whether an address is a token's contract or a sink."""
    low = wallet.lower()
    return low in TOKENS or low in BURN_ADDRESSES
