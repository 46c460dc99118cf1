"""A payer, a registrar, and wallets that are registered."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.api.endpoint_walk import payer
from tests.payees.registration.conftest import register, rita, sample, wallet  # noqa: F401


@pytest.fixture
def verify(sample: Any) -> Callable[..., Any]:  # noqa: F811
    """Pay for a check of a wallet: `verify(1, "Name", lei="…")`; the answer's document."""
    client = payer("Alice Ltd")

    def call(number: int, name: str, lei: str = "", *, status: int = 200) -> dict[str, Any]:
        body = {"walletAddress": wallet(number), "submittedName": name}
        if lei:
            body["submittedLei"] = lei
        answer = client.post("/compliance/vop/verify", body, format="json")
        assert answer.status_code == status, answer.content
        return dict(answer.json())

    return call
