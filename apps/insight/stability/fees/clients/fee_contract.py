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
DEADLINE = 5.0  # seconds that a caller waits for each answer of the node
_WORD = 64  # hex digits of an argument, and of what is returned
_RETURNED = 6


@dataclass(frozen=True, slots=True)
class ContractPreview:
    """What the contract previews, and at which block."""

    preview: FeePreview
    block: int


class FeeContract(JsonRpc):
    """The fee contract behind one node; every method raises UpstreamError."""

    name = "fee-contract"
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
        block = self._number(self._call("eth_blockNumber"))
        call = {"to": self.address, "data": encode_preview_call(payment)}
        return ContractPreview(self._read(self._call("eth_call", call, hex(block))), block)

    def _call(self, method: str, *params: Any) -> Any:
        return self.call(method, *params, deadline=DEADLINE)

    def _number(self, said: Any) -> int:
        try:
            return int(said, 16)
        except (TypeError, ValueError):
            raise UpstreamError(f"{self.name}: {str(said)[:40]!r} is not a number") from None

    def _read(self, said: Any) -> FeePreview:
        hex_digits = said[2:] if isinstance(said, str) and said.startswith("0x") else ""
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
