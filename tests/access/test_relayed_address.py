"""An address that a process of ours tells is believed; what others claim is not."""

from typing import Any

import pytest
from django.test import RequestFactory

from apps.access.keys import client_address

GOOD = "203.0.113.9"


@pytest.mark.parametrize(
    "claimed",
    ["", GOOD, f"{GOOD};", f"{GOOD};{'0' * 64}", f";{'0' * 64}", "x;y", f"{GOOD};é", "::1"],
)
def test_a_claim_without_a_proof_is_not_believed(claimed: str) -> None:
    assert client_address.verify_relayed_address(claimed) == ""


def test_what_is_told_is_believed_for_that_address_alone(settings: Any) -> None:
    told = client_address.sign_relayed_address(GOOD)
    assert client_address.verify_relayed_address(told) == GOOD
    assert client_address.verify_relayed_address(told.replace(GOOD, "203.0.113.8")) == ""
    settings.RELAY_KEY = "another one, of another installation"
    assert client_address.verify_relayed_address(told) == ""


def test_the_limits_count_who_is_called_for(settings: Any) -> None:
    def counted(**headers: str) -> str:
        return client_address.get_client_address(RequestFactory().get("/", headers=headers))

    assert counted() == "127.0.0.1"
    assert counted(**{client_address.HEADER: client_address.sign_relayed_address(GOOD)}) == GOOD
    assert counted(**{client_address.HEADER: f"{GOOD};{'1' * 64}"}) == "127.0.0.1"
    settings.TRUSTED_PROXIES = 1
    assert counted(**{"X-Forwarded-For": "198.51.100.1"}) == "198.51.100.1"
    both = {
        "X-Forwarded-For": "198.51.100.1",
        client_address.HEADER: client_address.sign_relayed_address("2001:db8::7"),
    }
    assert counted(**both) == "2001:db8::/64"
