"""The terms of payment for one call, in versions 1 and 2: body and header of one 402."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.access.paywall.x402.headers import encode_header
from apps.access.paywall.x402.networks import Network

SCHEME = "exact"
MIME = "application/json"


@dataclass(frozen=True, slots=True)
class Terms:
    """The price of one resource: `amount` in the token's smallest units, `seconds` to pay within.

    `network_name` is the network's name in the body of version 1; `more` are further members of
    that body, which the protocol does not define.
    """

    amount: int
    network: Network
    network_name: str
    pay_to: str
    resource: str
    about: str
    seconds: int
    more: Mapping[str, Any] = field(default_factory=dict)

    def offer_v1(self) -> dict[str, Any]:
        """Return the requirement of version 1."""
        # clients in use refuse an offer without `description`, `mimeType` or `extra`, and one with
        # `outputSchema: null`, as the protocol's own example has it
        return self._common() | {
            "network": self.network_name,
            "maxAmountRequired": str(self.amount),
            "resource": self.resource,
            "description": self.about,
            "mimeType": MIME,
        }

    def offer_v2(self) -> dict[str, Any]:
        """Return the requirement of version 2."""
        return self._common() | {"network": self.network.caip2, "amount": str(self.amount)}

    def body(self, error: str) -> dict[str, Any]:
        """Return the body of a 402, for clients of version 1; `error` is a reason.

        `paymentRequirements` is the same list, under its name in document 3 section 7.
        """
        offers = [self.offer_v1()]
        body_fields = {"x402Version": 1, "error": error}
        return body_fields | {"accepts": offers, "paymentRequirements": offers} | dict(self.more)

    def header(self, error: str) -> str:
        """Return the value of PAYMENT-REQUIRED, for clients of version 2."""
        described = {"url": self.resource, "description": self.about, "mimeType": MIME}
        return encode_header(
            {"x402Version": 2, "error": error, "resource": described, "accepts": [self.offer_v2()]}
        )

    def _common(self) -> dict[str, Any]:
        network = self.network
        return {
            "scheme": SCHEME,
            "payTo": self.pay_to,
            "maxTimeoutSeconds": self.seconds,
            "asset": network.asset,
            "extra": {"name": network.token, "version": network.edition},
        }
