"""An address that a process of ours tells is believed; what others claim is not."""

from typing import Any

import pytest
from django.test import RequestFactory

from apps.access import limits, relaying

GOOD = "203.0.113.9"


@pytest.mark.parametrize(
    "claimed",
    ["", GOOD, f"{GOOD};", f"{GOOD};{'0' * 64}", f";{'0' * 64}", "x;y", f"{GOOD};é", "::1"],
)
def test_a_claim_without_a_proof_is_not_believed(claimed: str) -> None:
    assert relaying.believed(claimed) == ""


def test_what_is_told_is_believed_for_that_address_alone(settings: Any) -> None:
    told = relaying.told(GOOD)
    assert relaying.believed(told) == GOOD
    assert relaying.believed(told.replace(GOOD, "203.0.113.8")) == ""
    settings.SECRET_KEY = "another one, of another installation"
    assert relaying.believed(told) == ""


def test_the_limits_count_who_is_called_for(settings: Any) -> None:
    def counted(**headers: str) -> str:
        return limits.client_address(RequestFactory().get("/", headers=headers))

    assert counted() == "127.0.0.1"
    assert counted(**{relaying.HEADER: relaying.told(GOOD)}) == GOOD
    assert counted(**{relaying.HEADER: f"{GOOD};{'1' * 64}"}) == "127.0.0.1"
    settings.TRUSTED_PROXIES = 1
    assert counted(**{"X-Forwarded-For": "198.51.100.1"}) == "198.51.100.1"
    both = {"X-Forwarded-For": "198.51.100.1", relaying.HEADER: relaying.told("2001:db8::7")}
    assert counted(**both) == "2001:db8::/64"
