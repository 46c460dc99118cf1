"""A registrar with a signing key, wallets to register, and the bundled sample."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.compliance.payees.wallets import parse_wallet
from tests.api.endpoint_walk import key_client
from tests.screening.conftest import sample  # noqa: F401

MICROSOFT = {"legalName": "Microsoft Corporation", "lei": "INR2EJN1ERAN0W5ZP974", "country": "US"}
LAPSED = {"legalName": "UK EQUITY FUND (OFFSHORE)", "lei": "549300LBI3LRIZ2V8V66", "country": "IE"}
NORTHWIND = {"legalName": "Northwind Traders International GmbH", "country": "DE"}


def wallet(number: int) -> str:
    """Return the address of a number, in its checksum form."""
    return parse_wallet(f"0x{number:040x}").address


@pytest.fixture
def rita(sample: Any) -> APIClient:  # noqa: F811
    """A registrar's signing key."""
    return key_client("Registrar Ltd", "SIGNING")


@pytest.fixture
def register(rita: APIClient) -> Callable[..., Any]:
    """Submit a registration as Rita; `status` is what it must come to."""

    def call(number: int = 1, *, status: int = 201, **fields: Any) -> dict[str, Any]:
        body = {"walletAddress": wallet(number), **NORTHWIND, **fields}
        answer = rita.post("/compliance/register", body, format="json")
        assert answer.status_code == status, answer.content
        return dict(answer.json())

    return call


@pytest.fixture
def lookup(api: APIClient) -> Callable[..., Any]:
    """Look a wallet up without a key; None when it is not registered."""

    def call(address: str | int) -> dict[str, Any] | None:
        text = wallet(address) if isinstance(address, int) else address
        answer = api.get(f"/compliance/vop/lookup/{text}")
        assert answer.status_code in (200, 404), answer.content
        return dict(answer.json()) if answer.status_code == 200 else None

    return call
