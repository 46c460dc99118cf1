"""A local chain with both tokens, and what is done to it; nothing here needs Django, but `look`."""

import time
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from eth_account import Account

from apps.payments.chain.assets import CHAINS, to_minor_units
from tests.paywall.local_chain import Chain, word

BASE = "eip155:8453"
PAYEE = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
ALICE, BOB = (Account.from_key("0x" + byte * 32) for byte in ("11", "22"))
USDC, EURC = (CHAINS[BASE].assets[one] for one in ("USDC", "EURC"))
RICH = 10_000_000_000_000


class Local:
    """A chain of tests: tokens move, blocks are made and taken back."""

    def __init__(self, chain: Chain) -> None:
        self.chain, self.rpc, self.url = chain, chain.rpc, chain.url

    def set_up(self) -> None:
        """Put the second token beside the first, and make payers rich in both."""
        self.rpc("anvil_setCode", EURC, self.rpc("eth_getCode", USDC, "latest"))
        for token in (USDC, EURC):
            for payer in (ALICE.address, BOB.address):
                self.send(token, "0x40c10f19" + word(payer) + amount(RICH), by=payer)

    def send(self, to: str, data: str, *, by: str, waits: bool = True, **more: Any) -> str:
        """Send a transaction of any address; return its hash once it is in a block."""
        self.rpc("anvil_setBalance", by, hex(10**18))
        self.rpc("anvil_impersonateAccount", by)
        asked = {"from": by, "to": to, "data": data, "gas": hex(200_000)} | more
        sent = str(self.rpc("eth_sendTransaction", asked))
        while waits and self.rpc("eth_getTransactionReceipt", sent) is None:
            time.sleep(0.01)
        return sent

    def pay(
        self, sum_: str = "250", *, to: str = PAYEE, by: str = ALICE.address, token: str = USDC,
        **more: Any,
    ) -> str:  # fmt: skip
        """Transfer tokens; return the transaction's hash."""
        data = "0xa9059cbb" + word(to) + amount(to_minor_units(Decimal(sum_)))
        return self.send(token, data, by=by, **more)

    def authorized(self, execution: Any, *, key: Any = ALICE, **changes: Any) -> str:
        """Transfer by an authorization whose nonce is the order's reference (EIP-3009)."""
        message = {
            "from": key.address,
            "to": execution.recipient,
            "value": execution.amount_minor,
            "validAfter": 0,
            "validBefore": 2**40,
            "nonce": execution.reference,
        } | changes
        return self.send(USDC, authorization(key, message), by=BOB.address)

    def mine(self, blocks: int) -> None:
        """Make empty blocks."""
        self.rpc("anvil_mine", hex(blocks))

    def now(self) -> datetime:
        """Return the time of the newest block."""
        said = self.rpc("eth_getBlockByNumber", "latest", False)
        return datetime.fromtimestamp(int(said["timestamp"], 16), UTC)

    def look(self) -> None:
        """Let the watcher look once, at the time of the chain."""
        from apps.payments.chain import tasks
        from apps.platform.jobs.job_queue import RetryLater

        with suppress(RetryLater):
            tasks.watch_chain(BASE, self.now())


def amount(units: int) -> str:
    """Return a number as an argument of a contract."""
    return f"{units:064x}"


def authorization(key: Any, message: dict[str, Any]) -> str:
    """Return the call of transferWithAuthorization, signed."""
    kinds = ("address", "address", "uint256", "uint256", "uint256", "bytes32")
    fields = [{"name": name, "type": kind} for name, kind in zip(message, kinds, strict=True)]
    domain = {"name": "USD Coin", "version": "2", "chainId": 8453, "verifyingContract": USDC}
    signed = Account.sign_typed_data(
        key.key, domain, {"TransferWithAuthorization": fields}, message
    )
    words = [word(message["from"]), word(message["to"])]
    words += [amount(message[one]) for one in ("value", "validAfter", "validBefore")]
    words += [message["nonce"][2:], amount(signed.v), amount(signed.r), amount(signed.s)]
    return "0xe3ee160e" + "".join(words)
