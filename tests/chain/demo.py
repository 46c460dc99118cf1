"""Pays on a local chain, for docs/chain.md: `python -m tests.chain.demo URL fund|pay|mine …`.

fund WALLET            put the token where it is on the real chain, and give a wallet a million
pay FROM TO AMOUNT     transfer that much, as the wallet FROM (a local chain lets anybody)
mine BLOCKS            make so many blocks
"""

import sys
from decimal import Decimal

from tests.chain.conftest import USDC, Local, amount
from tests.paywall.local_chain import Chain, word

MILLION = 10**12


def main(url: str, what: str, *given: str) -> None:
    """Do one thing on the chain at an address, and print what came of it."""
    chain = Chain(url)
    local = Local(chain)
    if what == "fund":
        chain.set_up([])
        print(local.send(USDC, "0x40c10f19" + word(given[0]) + amount(MILLION), by=chain.gas))
    elif what == "pay":
        by, to, sum_ = given
        print(local.pay(str(Decimal(sum_)), to=to, by=by))
    elif what == "mine":
        local.mine(int(given[0]))
        print(local.now().isoformat())
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
