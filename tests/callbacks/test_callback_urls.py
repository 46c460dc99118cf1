"""Where callbacks may go: judged as it is given, and again by what its name leads to."""

import socket
from ipaddress import ip_address
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.payments.callbacks.callback_urls import (
    InvalidCallbackUrl,
    check_callback_url,
    endpoint_address,
    host_and_port,
)
from apps.payments.callbacks.clients import webhook_client
from apps.platform.upstreams import addresses
from tests.upstreams.loopback import Loopback, status

# each leads inside in some spelling; none may be taken, sandbox or not
HOSTILE = [
    "https://10.0.0.1/", "https://172.16.0.1/", "https://192.168.1.1/", "https://100.64.0.1/",
    "https://169.254.169.254/latest/meta-data/", "https://0.0.0.0/", "https://127.1/",
    "https://2130706433/", "https://0x7f000001/", "https://0x7f.0.0.1/", "https://0177.0.0.1/",
    "https://017700000001/", "https://127.0.0.1.:99999/", "https://[::ffff:10.0.0.1]/",
    "https://[::ffff:169.254.169.254]/", "https://[64:ff9b::a9fe:a9fe]/",
    "https://[64:ff9b:1::a00:1]/", "https://[2002:0a00:0001::]/", "https://[2001:0:a00:1::]/",
    "https://[fe80::1]/", "https://[fe80::1%25eth0]/", "https://[fc00::1]/", "https://[fd00::1]/",
    "https://[fec0::1]/", "https://[::]/", "https://[::10.0.0.1]/", "https://[::ffff:0:10.0.0.1]/",
    "https://168.63.129.16/", "https://224.0.0.1/", "https://[ff02::1]/", "https://255.255.255.255/",
    "https://user:secret@alice.example/", "https://user@alice.example/", "https://alice.example#@b",
    "https://alice.example/#", "https://alice.example\\@10.0.0.1/", "https://ali ce.example/",
    "https://alice.example/\r\nX: y", "https://alice.example/\tx", "https://al\u0131ce.example/",
    "https://\uff11\uff12\uff17.0.0.1/", "https://\u2460\u2461.example/", "file:///etc/hosts",
    "gopher://alice.example/", "ftp://alice.example/", "javascript:alert(1)", "//alice.example/",
    "alice.example/in", "https://", "https:///in", "https://:443/", "https://[::1", "not a URL", "",
    "https://alice.example:0/", "https://alice.example:65536/", "https://alice.example:-1/",
    "https://alice..example/", "https://-alice.example/", "https://alice.example:https/",
    "https://" + "a" * 2000 + ".example/", "https://" + "a." * 130 + "example/",
]  # fmt: skip
INSIDE = [
    "10.0.0.1", "127.0.0.1", "169.254.169.254", "::1", "fd00::1", "fe80::1", "fec0::1",
    "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "100.100.100.200", "168.63.129.16",
    "0.0.0.0", "::", "::127.0.0.1", "::ffff:0:127.0.0.1", "192.0.0.192",
]  # fmt: skip


@pytest.mark.parametrize("url", HOSTILE)
@pytest.mark.parametrize("production", [True, False])
def test_what_leads_inside_is_refused_in_every_spelling(
    settings: Any, url: str, production: bool
) -> None:
    settings.PRODUCTION = production
    with pytest.raises(InvalidCallbackUrl) as refused:
        check_callback_url(url=url)
    assert str(refused.value)[0].isupper() and str(refused.value).endswith(".")
    assert "RANGES" not in str(refused.value)  # what it says goes to callers


LOCAL = [
    "http://127.0.0.1:8080/in", "https://127.0.0.1/", "http://[::1]:8080/",
    "http://localhost:8080/", "http://alice.example/", "https://alice.example:9443/",
]  # fmt: skip


@pytest.mark.parametrize("url", LOCAL)
def test_loopback_plain_http_and_any_port_are_for_sandboxes(settings: Any, url: str) -> None:
    settings.PRODUCTION = False
    check_callback_url(url=url)
    settings.PRODUCTION = True
    with pytest.raises(InvalidCallbackUrl):
        check_callback_url(url=url)


@pytest.mark.parametrize("url", [
    "https://alice.example", "https://alice.example/in?a=1&b=%20", "https://alice.example:8443/",
    "https://xn--bcher-kva.example/", "https://9.9.9.9/", "https://[2620:fe::fe]/in",
    "https://a_b.example./in",
])  # fmt: skip
def test_public_addresses_are_taken(settings: Any, url: str) -> None:
    settings.PRODUCTION = True
    check_callback_url(url=url)


@pytest.mark.parametrize("name", ["localhost", "LOCALHOST.", "a.localhost", "db.internal", "x.lan"])
def test_names_that_are_never_on_the_internet_are_refused(settings: Any, name: str) -> None:
    settings.PRODUCTION = True
    with pytest.raises(InvalidCallbackUrl, match="on the internet"):
        check_callback_url(url=f"https://{name}/")


@given(url=st.text(max_size=60) | st.from_regex(r"https?://[0-9a-fx.:\[\]@%]{1,30}/"))
def test_any_text_is_taken_or_refused_in_words_and_what_is_taken_can_be_called(url: str) -> None:
    try:
        check_callback_url(url=url)
    except InvalidCallbackUrl as refused:
        assert str(refused)
        return
    parts, host, port = addresses.split_url(url)
    assert parts.scheme in ("http", "https") and host and 0 < port < 65536
    assert host_and_port(endpoint_address(url)) == host_and_port(url)


def resolving(monkeypatch: Any, *answers: list[str]) -> list[str]:
    """Let names lead to these addresses, one answer after the other; return who is connected to."""
    waiting, connected = list(answers), []

    def found(host: str, port: int, **_: Any) -> list[Any]:
        given = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        return [
            (socket.AF_INET6 if ":" in one else socket.AF_INET, socket.SOCK_STREAM, 6, "",
             (one, port)) for one in given
        ]  # fmt: skip

    def connect(_: socket.socket, where: Any) -> None:
        connected.append(where[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", found)
    monkeypatch.setattr(socket.socket, "connect", connect)
    return connected


def post(url: str) -> webhook_client.AttemptResult:
    return webhook_client.post_callback(url=url, content=b"{}", headers={})


@pytest.mark.parametrize("address", INSIDE)
def test_a_name_that_leads_inside_is_not_connected_to(
    settings: Any, monkeypatch: Any, address: str
) -> None:
    settings.PRODUCTION = True
    connected = resolving(monkeypatch, [address])
    assert post("https://alice.example/in").error == "refused_address" and connected == []


def test_of_several_addresses_only_public_ones_are_tried(settings: Any, monkeypatch: Any) -> None:
    settings.PRODUCTION = True
    connected = resolving(monkeypatch, ["10.0.0.1", "9.9.9.9", "::1", "1.1.1.1"])
    assert post("https://alice.example/in").error == "unreachable"
    assert connected == ["9.9.9.9", "1.1.1.1"]


def test_a_name_that_changes_between_judging_and_calling_gains_nothing(
    settings: Any, monkeypatch: Any
) -> None:
    settings.PRODUCTION = True
    connected = resolving(monkeypatch, ["9.9.9.9"], ["127.0.0.1"])
    post("https://alice.example/in")
    assert connected == ["9.9.9.9"]  # resolved once, and that very address was called
    assert post("https://alice.example/in").error == "refused_address"
    assert connected == ["9.9.9.9"]


def test_what_operators_open_for_upstreams_is_not_open_to_callers(
    settings: Any, monkeypatch: Any
) -> None:
    settings.PRODUCTION = True
    settings.UPSTREAM_PRIVATE_RANGES = (addresses.ip_network("10.0.0.0/8"),)
    connected = resolving(monkeypatch, ["10.0.0.1"])
    assert post("https://alice.example/in").error == "refused_address" and connected == []


def test_a_sandbox_still_refuses_private_ranges(settings: Any, monkeypatch: Any) -> None:
    settings.PRODUCTION = False
    connected = resolving(monkeypatch, ["10.0.0.1"])
    assert post("http://alice.example/in").error == "refused_address" and connected == []


def test_a_production_refuses_loopback_even_by_its_number(settings: Any) -> None:
    far = Loopback()
    far.answers["/in"] = status(200)
    settings.PRODUCTION = True
    assert post(f"{far.url}/in").error == "refused_address" and far.calls == []
    settings.PRODUCTION = False
    assert post(f"{far.url}/in").error == ""
    far.close()


@pytest.mark.parametrize(("address", "port", "scheme", "ok"), [
    ("9.9.9.9", 443, "https", True), ("9.9.9.9", 8443, "https", True),
    ("9.9.9.9", 22, "https", False), ("9.9.9.9", 443, "http", False),
])  # fmt: skip
def test_ports_and_scheme_of_public_addresses(
    address: str, port: int, scheme: str, ok: bool
) -> None:
    judged = addresses.find_objection(ip_address(address), scheme=scheme, port=port, ranges=())
    assert (judged == "") is ok
    plain = addresses.find_objection(
        ip_address(address), scheme=scheme, port=port, ranges=(), plain=True
    )
    assert plain == ""
