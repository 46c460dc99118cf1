"""One walk over every endpoint: how each row is called, and by whom."""

import json
from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.test import APIClient

from apps.access.gates import HEADERS
from apps.access.models import Account, Kind, issue
from apps.core.clock import now
from apps.core.endpoints import Endpoint, rows
from config.services import SERVICES

ROWS = [row for service in SERVICES for row in rows(service)]
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
# addresses that are no endpoints: documents that every service has, read by anybody
PAGES = {"openapi.json", "docs", ".well-known/jwks.json"}


def title(row: Endpoint) -> str:
    """Name a row in the reports of tests."""
    return f"{row.service} {row.method} {row.path}"


def patterns(service: str) -> Iterator[tuple[str, Any]]:
    """Yield path and view of every address below a service."""

    def walk(entries: list[Any], prefix: str) -> Iterator[tuple[str, Any]]:
        for entry in entries:
            if isinstance(entry, URLResolver):
                yield from walk(entry.url_patterns, prefix + str(entry.pattern))
            elif isinstance(entry, URLPattern):
                yield prefix + str(entry.pattern), entry.callback

    yield from walk(get_resolver(SERVICES[service].urlconf).url_patterns, "")


def key_client(name: str, kind: str) -> APIClient:
    """Return a client with a key of a kind, in the header of that kind."""
    account, _ = Account.objects.get_or_create(name=name, defaults={"created_at": now()})
    secret = issue(account=account, kind=Kind(kind), now=now()).secret
    header = HEADERS[Kind(kind)]
    value = f"Bearer {secret}" if header == "Authorization" else secret
    client = APIClient(raise_request_exception=False)
    client.credentials(**{f"HTTP_{header.upper().replace('-', '_')}": value})
    client.account = account  # type: ignore[attr-defined]
    return client


def client_for(row: Endpoint, name: str = "Alice Ltd") -> APIClient:
    """Return somebody who may call a row."""
    return key_client(name, row.access.keys[0]) if row.access.keys else APIClient()


class Walk:
    """Calls rows with their examples; what needs an id is made first, by the row that makes it."""

    def __init__(self, name: str = "Alice Ltd") -> None:
        self.name = name

    def path(self, row: Endpoint) -> str:
        """Return a row's address with ids of things that this tenant made."""
        found = f"/{row.service}/{row.path}"
        for name, one in row.ids.items():
            start, end = found.index("<"), found.index(">")
            found = f"{found[:start]}{self._id(row, name, one)}{found[end + 1 :]}"
        return found

    def _id(self, row: Endpoint, name: str, one: Any) -> str:
        maker, field = one.made_by
        if not maker:
            assert one.example, f"{row.name}: say where an example of {name} comes from"
            return str(one.example)
        made = next(r for r in rows(row.service) if r.name == maker)
        return str(self.call(made).json()[field])

    def call(self, row: Endpoint, client: APIClient | None = None, **more: Any) -> Any:
        """Call a row with its example, as this tenant unless another client is given."""
        path = more.pop("path", None) or self.path(row)
        given = more.pop("given", row.example)
        client = client or client_for(row, self.name)
        if row.has_body:
            body = json.dumps(given)
            return client.generic(row.method, path, body, "application/json", **more)
        return client.get(path, given, **more)
