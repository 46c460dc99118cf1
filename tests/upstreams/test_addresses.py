"""Which addresses may be called: judged as they resolve, and the judged one is the one called."""

import socket
from ipaddress import ip_address, ip_network
from typing import Any

import pytest

from apps.platform.upstreams import addresses
from apps.platform.upstreams.http import NotCalled, Upstream, UpstreamError
from apps.platform.upstreams.models import UpstreamState
from tests.upstreams.loopback import Loopback, body

HOUSE = (ip_network("10.1.0.0/16"), ip_network("fd00:1::/32"))


def resolves(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Let names resolve to these, one list per question; returns what was asked for."""
    asked: list[str] = []
    waiting = list(answers)

    def lookup(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        asked.append(host)
        found = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        family = {4: socket.AF_INET, 6: socket.AF_INET6}
        return [
            (family[ip_address(one).version], socket.SOCK_STREAM, 6, "", (one, port))
            for one in found
        ]

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    return asked


@pytest.mark.parametrize(
    "text", ["9.9.9.9", "193.99.144.80", "2620:fe::fe", "2a02:2e0:3fe:1001::1"]
)
def test_addresses_of_the_internet_are_public(text: str) -> None:
    assert addresses.is_public_address(ip_address(text))


@pytest.mark.parametrize(
    "text",
    [
        "127.0.0.1", "127.255.255.254", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255",
        "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.127.255.255", "192.0.0.192",
        "198.18.0.1", "192.0.2.1", "192.88.99.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
        "168.63.129.16", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
        "fe80::1", "fec0::1", "feff:ffff::1", "fc00::1", "fd00:ec2::254", "ff02::1",
        "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001::1", "2001:db8::1", "5f00::1",
        "::ffff:0:7f00:1",
    ],
)  # fmt: skip
def test_all_others_are_not(text: str) -> None:
    assert not addresses.is_public_address(ip_address(text))


@pytest.mark.parametrize(
    ("text", "scheme", "port", "may"),
    [
        ("9.9.9.9", "https", 443, True),
        ("9.9.9.9", "https", 8443, True),
        ("9.9.9.9", "https", 22, False),
        ("9.9.9.9", "http", 80, False),
        ("9.9.9.9", "http", 443, False),
        ("10.1.0.0", "http", 9200, True),
        ("10.1.255.255", "https", 22, True),
        ("10.2.0.0", "https", 443, False),
        ("10.0.255.255", "https", 443, False),
        ("::ffff:10.1.2.3", "http", 80, True),
        ("fd00:1::5", "http", 80, True),
        ("fd00:2::5", "http", 80, False),
    ],
)
def test_named_ranges_are_reached_anyhow_and_the_world_by_https(
    text: str, scheme: str, port: int, may: bool
) -> None:
    objection = addresses.find_objection(ip_address(text), scheme=scheme, port=port, ranges=HOUSE)
    assert (objection == "") is may


@pytest.mark.parametrize(
    "url",
    [
        "https://lists.example/a.xml?token=x", "https://lists.example:8443/", "http://10.1.0.9/a",
        "https://9.9.9.9/", "https://bücher.example/",
    ],
)  # fmt: skip
def test_a_form_takes_addresses_that_could_be_called(url: str) -> None:
    addresses.check_url(url, ranges=HOUSE)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://lists.example/a.xml", "only https"),
        ("https://lists.example:8080/", "port 8080"),
        ("https://127.0.0.1/", "not a public address"),
        ("https://[::1]/", "not a public address"),
        ("https://[fe80::1%25eth0]/", "address"),
        ("http://10.2.0.9/a", "not a public address"),
        ("https://user:pass@lists.example/", "password"),
        ("https://lists.example/#part", "#"),
        ("ftp://lists.example/", "not a web address"),
        ("file:///etc/passwd", "not a web address"),
        ("lists.example/a", "not a web address"),
        ("https://", "not a web address"),
        ("https://lists.example:99999/", "not a web address"),
        ("https://lists.example/a b", "spaces"),
        ("https://lists.example/\u202ea", "control"),
    ],
)
def test_a_form_refuses_the_others_and_says_why(url: str, why: str) -> None:
    with pytest.raises(addresses.AddressRefused, match=why):
        addresses.check_url(url, ranges=HOUSE)


# --- calls ----------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("answer", ["10.0.0.1", "169.254.169.254", "fec0::1", "::ffff:127.0.0.2"])
def test_a_name_that_leads_inside_is_not_called(
    upstream: Upstream, settings: Any, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    settings.UPSTREAM_PRIVATE_RANGES = (ip_network("127.0.0.1/32"),)
    resolves(monkeypatch, [answer])
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("it was called"))
    upstream.base_url = "https://lists.example"
    with pytest.raises(NotCalled, match="not a public address") as refused:
        upstream.get_bytes("/latest/meta-data?token=secret")
    assert refused.value.permanent and "secret" not in str(refused.value)
    assert not UpstreamState.objects.exists()  # it says nothing of the upstream


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("url", "why"),
    [("http://lists.example", "only https"), ("https://lists.example:2375", "port 2375")],
)
def test_a_public_host_is_called_by_https_on_its_ports_alone(
    upstream: Upstream, monkeypatch: pytest.MonkeyPatch, url: str, why: str
) -> None:
    resolves(monkeypatch, ["9.9.9.9"])
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("it was called"))
    upstream.base_url = url
    with pytest.raises(NotCalled, match=why):
        upstream.post_bytes(content=b"x")


@pytest.mark.django_db
def test_the_address_that_was_judged_is_the_one_that_is_called(
    far: Loopback, upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    far.answers["/a"] = body(b"1")
    port = far.server.server_address[1]
    asked = resolves(monkeypatch, ["127.0.0.1"], ["10.0.0.1"])
    upstream.base_url = f"http://rebinds.example:{port}"
    assert upstream.get_bytes("/a") == b"1"
    assert asked == ["rebinds.example"]
    assert far.headers[0]["Host"] == f"rebinds.example:{port}"


@pytest.mark.django_db
def test_of_several_addresses_one_that_may_be_called_and_answers_is_taken(
    far: Loopback, upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    far.answers["/a"] = body(b"1")
    resolves(monkeypatch, ["10.0.0.1", "::1", "127.0.0.1"])
    upstream.base_url = f"http://several.example:{far.server.server_address[1]}"
    assert upstream.get_bytes("/a") == b"1"


@pytest.mark.django_db
def test_what_callers_give_stays_outside_whatever_the_setting_names(
    far: Loopback, upstream: Upstream
) -> None:
    far.answers["/a"] = body(b"1")
    upstream.public_only = True
    with pytest.raises(NotCalled, match="not a public address"):
        upstream.post_bytes("/a", content=b"{}")
    assert not far.calls


@pytest.mark.django_db
@pytest.mark.parametrize(
    "url",
    [
        "http://user:secret@127.0.0.1",
        f"http://{'a' * 70}.example",
        "http://127.0.0.1\r\nX: y",
        "gopher://x",
    ],
)
def test_what_is_no_address_is_refused_and_does_not_crash(upstream: Upstream, url: str) -> None:
    upstream.base_url = url
    with pytest.raises(UpstreamError) as refused:
        upstream.get_bytes("/a")
    assert "secret" not in str(refused.value)
