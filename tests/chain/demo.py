"""Pays on a local chain, for docs/chain.md: `python -m tests.chain.demo URL WHAT …`.

fund WALLET            put the token where it is on the real chain, and give a wallet a million
pay FROM TO AMOUNT [BLOCKS]  transfer that much, as the wallet FROM (a local chain lets anybody),
                       and make so many blocks after it
settle KEY [BLOCKS]    execute what the payment on the standard input asks in `execution`, bound to
                       it by its reference, from the wallet of a key, and make so many blocks after
mine BLOCKS            make so many blocks
"""

import json
import sys
from decimal import Decimal
from types import SimpleNamespace

from eth_account import Account

from tests.chain.local_chain import USDC, Local, amount
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
        by, to, sum_, *blocks = given
        print(local.pay(str(Decimal(sum_)), to=to, by=by))
        local.mine(int(blocks[0]) if blocks else 0)
    elif what == "settle":
        key, *blocks = given
        asked = json.load(sys.stdin)["execution"]
        execution = SimpleNamespace(
            recipient=asked["recipient"],
            amount_minor=int(asked["amountMinor"]),
            reference=asked["reference"],
        )
        print(local.authorized(execution, key=Account.from_key(key)))
        local.mine(int(blocks[0]) if blocks else 0)
    elif what == "mine":
        local.mine(int(given[0]))
        print(local.now().isoformat())
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
