"""A facilitator that does what a test tells it; it counts what it was asked."""

import threading
from collections.abc import Callable
from typing import Any

from apps.access.paywall.x402.facilitators import Settlement, SettlementOutcome

GOOD = Settlement(SettlementOutcome.SETTLED, "0x" + "ab" * 32)
OPEN = Settlement(SettlementOutcome.UNKNOWN, "0x" + "ab" * 32, "settlement_pending")
POOR = Settlement(SettlementOutcome.FAILED, reason="invalid_exact_evm_insufficient_balance")


class Scripted:
    """Answers each call with what stands in `verdicts` and `settlements`, the last one for good."""

    name = "http"

    def __init__(self) -> None:
        self.verdicts: list[Any] = [""]
        self.settlements: list[Any] = [GOOD]
        self.verified = self.settled = 0
        self.meanwhile: Callable[[], Any] = lambda: None
        self._lock = threading.Lock()

    def verify(self, **_: Any) -> str:
        with self._lock:
            self.verified += 1
        return str(_said(self.verdicts))

    def settle(self, **_: Any) -> Settlement:
        with self._lock:
            self.settled += 1
        self.meanwhile()
        found: Settlement = _said(self.settlements)
        return found


def _said(script: list[Any]) -> Any:
    found = script.pop(0) if len(script) > 1 else script[0]
    if isinstance(found, Exception):
        raise found
    return found
