"""An internal caller, wallets, and payments to screen."""

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.api.endpoint_walk import key_client
from tests.payees.registration.conftest import register, rita, sample, wallet  # noqa: F401

LISTED = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96"
SPLIT = (8000, 8500)  # a third of 8,200 is then flagged
PAYMENT = {"amount": 1500, "currency": "USDC", "direction": "SEND"}


@pytest.fixture(autouse=True)
def _no_low_score_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw none of the low scores: one in 500 would open a case that a test does not expect."""
    monkeypatch.setattr("apps.compliance.aml.screening.services.is_sampled", lambda mark: False)


@pytest.fixture
def ivan(sample: Any) -> APIClient:  # noqa: F811
    """An internal key: the payments service."""
    return key_client("Payments Ltd", "INTERNAL")


@pytest.fixture
def screen(ivan: APIClient) -> Callable[..., dict[str, Any]]:
    """Screen a payment of wallet 1 to wallet 2, or as told; each has an id of its own."""
    ids = count(1)

    def call(wallet_: int | str = 1, other: int | str = 2, **fields: Any) -> dict[str, Any]:
        ends = [one if isinstance(one, str) else wallet(one) for one in (wallet_, other)]
        body = {"wallet": ends[0], "counterparty": ends[1], "paymentId": f"P-{next(ids)}"}
        answer = ivan.post("/compliance/aml/screen", body | PAYMENT | fields, format="json")
        assert answer.status_code == 200, answer.content
        return dict(answer.json())

    return call
