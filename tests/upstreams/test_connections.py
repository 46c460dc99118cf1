"""To which of a name's addresses a call may go, and where one that callers give never does."""

import socket
from ipaddress import ip_network
from typing import Any

import pytest

from apps.platform.upstreams.addresses import AddressRefused, split_url
from apps.platform.upstreams.connections import CallConnections
from apps.platform.upstreams.http import NotCalled, Upstream, UpstreamError

PUBLIC, PRIVATE = "9.9.9.9", "10.0.0.1"


@pytest.mark.parametrize(
    ("resolved", "called"),
    [
        ([PUBLIC, PRIVATE], [PUBLIC]),
        ([PRIVATE, PUBLIC], [PUBLIC]),
        ([PUBLIC, "8.8.8.8"], [PUBLIC, "8.8.8.8"]),
    ],
)
def test_each_address_of_a_name_is_judged_for_itself(
    monkeypatch: pytest.MonkeyPatch, resolved: list[str], called: list[str]
) -> None:
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, 443)) for one in resolved]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    tried: list[str] = []
    monkeypatch.setattr(
        CallConnections,
        "_first",
        lambda _, allowed, timeout: tried.extend(row[3][0] for row in allowed),
    )
    CallConnections(ranges=(), seconds=5).connect("both.example", 443, scheme="https", timeout=1)
    assert tried == called


def test_a_name_with_private_addresses_alone_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (PRIVATE, 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    with pytest.raises(AddressRefused, match="not a public address"):
        CallConnections(ranges=(), seconds=5).connect(
            "inside.example", 443, scheme="https", timeout=1
        )


class Given(Upstream):
    """An address that a caller gave; nobody listens there."""

    name = "given"
    base_url = "http://127.0.0.1:9"


@pytest.mark.django_db
@pytest.mark.parametrize("public_only", [True, False])
def test_an_address_that_callers_give_never_reaches_the_ranges_of_our_own_upstreams(
    settings: Any, monkeypatch: pytest.MonkeyPatch, public_only: bool
) -> None:
    settings.UPSTREAM_PRIVATE_RANGES = (ip_network("127.0.0.0/8"),)
    monkeypatch.setattr(Given, "public_only", public_only)
    with pytest.raises(UpstreamError) as told:
        Given().get_bytes()
    assert isinstance(told.value, NotCalled) is public_only


@pytest.mark.parametrize("who", ["user", "user:password", ":password"])
def test_an_address_carries_no_user_and_no_password(who: str) -> None:
    with pytest.raises(AddressRefused, match="user name or password"):
        split_url(f"https://{who}@lists.example/sdn.csv")
