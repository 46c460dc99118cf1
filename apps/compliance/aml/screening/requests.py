"""The request of an AML screen."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from apps.compliance.aml.stablecoins import TOKENS
from apps.platform.common.amounts import format_amount

Direction = Literal["SEND", "RECEIVE"]
INSTITUTION_ITSELF = (
    "institution:"  # prefix of a caller that pays for a customer without an account
)


@dataclass(frozen=True, slots=True)
class AmlScreenRequest:
    """Which wallet is screened, against whom, and for which payment of the caller."""

    wallet: str
    counterparty: str
    amount: Decimal
    currency: str
    payment_id: str
    direction: Direction

    @property
    def out(self) -> int:
        """1 when the wallet sends, 0 when it receives."""
        return int(self.direction == "SEND")

    @property
    def sender(self) -> str:
        """The wallet that sends."""
        return self.wallet if self.out else self.counterparty

    @property
    def receiver(self) -> str:
        """The wallet that receives."""
        return self.counterparty if self.out else self.wallet

    @property
    def money(self) -> str:
        """The currency by which the amount is valued."""
        return TOKENS.get(self.currency, self.currency)

    def recorded(self) -> dict[str, Any]:
        """Return the request as its record keeps it."""
        return {
            "wallet": self.wallet,
            "counterparty": self.counterparty,
            "amount": format_amount(self.amount),
            "currency": self.currency,
            "paymentId": self.payment_id,
            "direction": self.direction,
        }
