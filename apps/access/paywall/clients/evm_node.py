"""Ask a node by JSON-RPC how an authorization (EIP-3009) ended; read-only."""

from datetime import datetime, timedelta

from apps.access.paywall.models import PaymentClaim
from apps.access.paywall.x402.facilitators import Settlement, SettlementOutcome
from apps.platform.common.money import to_micro
from apps.platform.upstreams.http import UpstreamError
from apps.platform.upstreams.jsonrpc import JsonRpc

# keccak256 of the signatures of events and of authorizationState(address,bytes32)
TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
USED = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5"
CANCELED = "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81"
AUTHORIZATION_STATE = "0xe94a0102"
# block time after an authorization's end at which it can no longer be mined
LATE = timedelta(minutes=2)
MARGIN = 300  # blocks before the claim, for clocks that differ
MOST_BLOCKS = 9_000  # nodes refuse to search more blocks at once


class EvmNode(JsonRpc):
    """One node; every method raises UpstreamError."""

    name = "evm-node"

    def __init__(self, url: str) -> None:
        self.base_url = url

    def fate(self, *, claim: PaymentClaim, now: datetime) -> Settlement:
        """Return how a payment ended according to the chain; UNKNOWN while that is open.

        SETTLED with the transaction that moved the exact amount to us, from any sender; FAILED if
        the authorization was cancelled, or expired unused.
        """
        unknown = Settlement(SettlementOutcome.UNKNOWN, claim.transaction)
        # a node of a test network would say that nothing was paid
        if int(self.call("eth_chainId"), 16) != claim.chain_id:
            raise UpstreamError(f"{self.name}: it is a node of another chain", permanent=True)
        # read before the state: if the authorization is unused afterwards, it was so at that
        # block's time
        latest = self.call("eth_getBlockByNumber", "latest", False)
        data = AUTHORIZATION_STATE + _pad_address(claim.payer) + claim.nonce[2:]
        # 1 for used and for cancelled alike (EIP-3009): the event tells which
        is_used = int(self.call("eth_call", {"to": claim.asset, "data": data}, "latest"), 16) == 1
        if is_used:
            return self._find_use(claim, int(latest["number"], 16), now) or unknown
        ended = int((claim.valid_before + LATE).timestamp())
        if int(latest["timestamp"], 16) > ended:
            return Settlement(SettlementOutcome.FAILED, reason="authorization_expired_unused")
        return unknown

    def _find_use(self, claim: PaymentClaim, height: int, now: datetime) -> Settlement | None:
        """Return what used the authorization, looking from about the claim's time on."""
        seconds = int((now - claim.claimed_at).total_seconds())
        # one block a second at most: Base has one in two seconds
        first = max(0, height - seconds - MARGIN)
        while first <= height:
            last = min(height, first + MOST_BLOCKS)
            parameters = {
                "address": claim.asset,
                "fromBlock": hex(first),
                "toBlock": hex(last),
                # both events index authorizer and nonce, so a node finds them without reading
                # blocks
                "topics": [[USED, CANCELED], "0x" + _pad_address(claim.payer), claim.nonce],
            }
            for event in self.call("eth_getLogs", parameters):
                if event["topics"][0].lower() == CANCELED:
                    return Settlement(SettlementOutcome.FAILED, reason="authorization_canceled")
                return self._check_transfer(claim, str(event["transactionHash"]))
            first = last + 1
        return None

    def _check_transfer(self, claim: PaymentClaim, transaction: str) -> Settlement:
        """Return SETTLED if the transaction moved the exact amount from the payer to us."""
        receipt = self.call("eth_getTransactionReceipt", transaction)
        # anybody may send an authorization to the chain, so the transaction's sender says nothing
        topics = [TRANSFER, "0x" + _pad_address(claim.payer), "0x" + _pad_address(claim.pay_to)]
        for log in receipt["logs"] if receipt and int(receipt["status"], 16) == 1 else ():
            same = [str(topic).lower() for topic in log["topics"]] == topics
            # any contract can emit a Transfer: only the token's own counts
            ours = same and log["address"].lower() == claim.asset
            if ours and int(log["data"], 16) == to_micro(claim.amount):
                return Settlement(SettlementOutcome.SETTLED, transaction)
        # used, but not for this payment: it stays UNKNOWN, for a person to look at
        return Settlement(SettlementOutcome.UNKNOWN, transaction)


def _pad_address(address: str) -> str:
    return address[2:].lower().rjust(64, "0")
