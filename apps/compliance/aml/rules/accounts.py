"""One canonical form for each account, however its address is written. Pure."""

import re

# CAIP-10 (`eip155:1:0x...`), and the shorter `eth:0x...` that wallets and block explorers write
_PREFIX = re.compile(r"(?:[A-Za-z0-9-]{2,16}:)(?:[A-Za-z0-9_-]{1,32}:)?(?=[A-Za-z0-9])")
# bare digits, XDC's own letters, and the 32 bytes of a log or a bridge, whose first 12 are zeros
_EVM = re.compile(r"(?:0[xX]|xdc|XDC)?(?:0{24})?([0-9a-fA-F]{40})")


def normalize_account(text: str) -> str:
    """Return an address without what says only where it is used, as the registry reads it."""
    # a wallet in two forms would have two profiles and be judged in parts; EVM chains share
    # accounts, so the chain before the address is dropped (`eip155:1:` is matched as a whole)
    plain = _PREFIX.sub("", text, count=1) if _PREFIX.match(text) else text
    match = _EVM.fullmatch(plain)
    return f"0x{match[1]}" if match else plain
