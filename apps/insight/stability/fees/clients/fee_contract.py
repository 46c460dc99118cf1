"""Query the fee contract's preview of a payment by JSON-RPC; read-only.

The contract is stability/chain/FeeRouter.sol, or one that answers `previewFees` as it does.
"""

from dataclasses import dataclass
from typing import Any

from apps.insight.stability.fees.rules.fee_contract_preview import FeePreview
from apps.insight.stability.fees.rules.fees import PricedPayment
from apps.platform.upstreams.http import UpstreamError
from apps.platform.upstreams.jsonrpc import JsonRpc

# the first four bytes of keccak256 of `previewFees(uint256,bool,uint256,uint256)`
PREVIEW_FEES = "0xb0e65aea"
# seconds that a caller waits for each of the three answers of the node
DEADLINE = 5.0
# hex digits of a 32-byte word, in which the ABI encodes each argument and return value
_WORD = 64
# words that previewFees returns: core, fx, esg, license, total, net
_RETURNED = 6


@dataclass(frozen=True, slots=True)
class ContractPreview:
    """What the contract previews, and at which block."""

    preview: FeePreview
    block: int


class FeeContract(JsonRpc):
    """The fee contract behind one node; every method raises UpstreamError."""

    name = "fee-contract"
    # bytes of an answer; a preview has some 400
    largest = 64 * 1024

    def __init__(self, *, url: str, address: str) -> None:
        self.base_url = url
        self.address = address

    def preview(self, *, payment: PricedPayment, chain_id: int) -> ContractPreview:
        """Return what the contract previews of a payment; UpstreamError for another chain's node.

        An address without a contract, and one that refuses or returns something else, are errors
        too: none of them is a preview.
        """
        if self._number(self._call("eth_chainId")) != chain_id:
            raise UpstreamError(f"{self.name}: the node belongs to another chain", permanent=True)
        # the preview is pinned to a block, so that the answer can name it and others can repeat the
        # call
        block = self._number(self._call("eth_blockNumber"))
        call = {"to": self.address, "data": encode_preview_call(payment)}
        return ContractPreview(self._read(self._call("eth_call", call, hex(block))), block)

    def _call(self, method: str, *params: Any) -> Any:
        return self.call(method, *params, deadline=DEADLINE)

    def _number(self, answer: Any) -> int:
        try:
            return int(answer, 16)
        except (TypeError, ValueError):
            raise UpstreamError(f"{self.name}: {str(answer)[:40]!r} is not a number") from None

    def _read(self, answer: Any) -> FeePreview:
        hex_digits = answer[2:] if isinstance(answer, str) and answer.startswith("0x") else ""
        # a call of an address without code succeeds and returns nothing
        if len(hex_digits) != _RETURNED * _WORD:
            raise UpstreamError(
                f"{self.name}: there is no fee preview at the contract address", permanent=True
            )
        words = [hex_digits[at : at + _WORD] for at in range(0, len(hex_digits), _WORD)]
        return FeePreview(*(self._number(word) for word in words))


def encode_preview_call(payment: PricedPayment) -> str:
    """Return the call of `previewFees` for a payment, as the contract takes it."""
    arguments = (payment.amount, int(payment.fx), payment.score, payment.monthly_volume)
    return PREVIEW_FEES + "".join(f"{argument:0{_WORD}x}" for argument in arguments)
