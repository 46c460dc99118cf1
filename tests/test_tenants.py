"""Every route is walked with two tenants' keys: nobody reads what another made."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from apps.access.auth import KeyView
from apps.core.api import ApiView
from config.services import SERVICES
from tests.screening.conftest import CLEAN, alice, sample, screen  # noqa: F401

BODIES: dict[str, dict[str, Any]] = {
    "screen": {"name": CLEAN, "country": "HT", "reference": "alices-own-reference"},
    "ubo-chain": {"lei": "INR2EJN1ERAN0W5ZP974"},
    "pep-screen": {"name": "Keir Starmer"},
}
# Routes that take an id: how Alice makes the thing that Bob then asks for.
OWNED = {"screen-stored": ("screen", "screenId")}
SHARED = {"ubo-chain", "pep-screen", "regulatory-calendar"}  # reports on third parties
ALICES_OWN = ("alices-own-reference", "Alice Treasury")


def routes(service: str) -> Iterator[tuple[str, str, type[ApiView]]]:
    def walk(patterns: list[Any], prefix: str) -> Iterator[tuple[str, str, type[ApiView]]]:
        for entry in patterns:
            if isinstance(entry, URLResolver):
                yield from walk(entry.url_patterns, prefix + str(entry.pattern))
            elif isinstance(entry, URLPattern):
                view = getattr(entry.callback, "cls", None)
                if view is not None and issubclass(view, ApiView):
                    yield entry.name or "", prefix + str(entry.pattern), view

    yield from walk(get_resolver(SERVICES[service].urlconf).url_patterns, f"/{service}/")


ALL = [(s, *route) for s in SERVICES for route in routes(s)]


def fill(path: str, value: str) -> str:
    start, end = path.index("<"), path.index(">")
    return path[:start] + value + path[end + 1 :]


@pytest.mark.parametrize(("service", "name", "path", "view"), ALL)
def test_a_route_shows_a_tenant_only_its_own(alice, caller, service, name, path, view) -> None:  # noqa: F811
    made = alice.post("/compliance/compliance/screen", BODIES["screen"], format="json").json()
    bob = caller("Bob Treasury")
    if "<" in path:
        _maker, field = OWNED[name]  # a new route with an id must say whose it is
        theirs = fill(path, made[field])
        assert alice.get(theirs).status_code == 200
        assert bob.get(theirs).status_code == 404
        return
    for method in ("get", "post"):
        if not hasattr(view, method):
            continue
        call = getattr(bob, method)
        answer = call(
            path, BODIES.get(name, {}), **({"format": "json"} if method == "post" else {})
        )
        assert answer.status_code == 200, (path, answer.content)
        if name == "screen":
            continue  # Bob screens the same party for himself
        assert not any(word in answer.content.decode() for word in ALICES_OWN)


@pytest.mark.parametrize(("service", "name", "path", "view"), ALL)
def test_a_route_that_needs_a_key_refuses_to_be_called_without(
    db, api, service, name, path, view
) -> None:
    if not issubclass(view, KeyView):
        pytest.skip("a free route")
    path = fill(path, "anything") if "<" in path else path
    for method in ("get", "post"):
        if hasattr(view, method):
            answer = getattr(api, method)(path)
            assert (answer.status_code, answer.json()["code"]) == (401, "missing_key")


def test_every_route_is_accounted_for() -> None:
    names = {name for _, name, _, _ in ALL}
    health = {f"{service}-health" for service in SERVICES}
    assert names == set(BODIES) | set(OWNED) | SHARED | {"usage", "screens"} | health
