"""One walk over every endpoint: how each row is called, and by whom."""

import contextlib
import hashlib
import hmac
import json
import uuid
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver
from eth_account import Account as Wallet
from rest_framework.test import APIClient

from apps.access.keys.authentication import HEADERS
from apps.access.keys.models import Account, KeyKind, issue_api_key
from apps.payments.banking.rules.webhook_signatures import build_signature_header
from apps.payments.payments.models import Payment
from apps.payments.payments.rules.transitions import MOVING
from apps.payments.payments.services.advance_payment import advance_payment
from apps.payments.travelrule.services.record_payments import record_settled_payments
from apps.platform.api.operations import Operation
from apps.platform.api.routers import operations_of_service
from apps.platform.common.clock import now
from apps.platform.jobs.job_queue import RetryLater
from config.services import SERVICES
from tests.payments.pain001.messages import message, transaction
from tests.paywall.payer import PayingClient, v1

ROWS = [row for service in SERVICES for row in operations_of_service(service)]
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
# addresses that are no endpoints: documents that every service has, read by anybody
PAGES = {
    "openapi.json", "docs", ".well-known/jwks.json", ".well-known/x402", ".well-known/x402.json",
    ".well-known/x402/facilitator", ".well-known/x402/facilitator/supported",
    ".well-known/ai-plugin.json", ".well-known/agent.json", ".well-known/agent-card.json",
    "llms.txt", "llms-full.txt",
    "", "<slug:name>", "market/<slug:symbol>",  # pages for people: intelligence, forecasts
}  # fmt: skip
# keys that all tests of a module share: see `_loaded` in tests/api/conftest.py
KEYS: dict[tuple[str, KeyKind], tuple[Account, str]] = {}
OPENS = {"amountUsdc": "1.00", "unitType": "call"}


def title(row: Operation) -> str:
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


def issue_key(name: str, kind: KeyKind) -> tuple[Account, str]:
    """Issue a key of a kind to an account of that name; return the account and the secret."""
    account, _ = Account.objects.get_or_create(name=name, defaults={"created_at": now()})
    return account, issue_api_key(account=account, kind=kind, now=now()).secret


def key_client(name: str, kind: str) -> APIClient:
    """Return a client with a key of a kind, in the header of that kind."""
    account, secret = KEYS.get((name, KeyKind(kind))) or issue_key(name, KeyKind(kind))
    header = HEADERS[KeyKind(kind)]
    value = f"Bearer {secret}" if header == "Authorization" else secret
    client = APIClient(raise_request_exception=False)
    client.credentials(**{f"HTTP_{header.upper().replace('-', '_')}": value})
    client.account = account  # type: ignore[attr-defined]
    return client


def payer(name: str) -> PayingClient:
    """Return a client that pays from a wallet of its own."""
    return PayingClient(Wallet.from_key(hashlib.sha256(name.encode()).digest()))


def session_client(secret: str) -> APIClient:
    """Return a client that holds a stream session."""
    client = APIClient(raise_request_exception=False)
    client.credentials(HTTP_X_STREAM_SESSION=secret)
    return client


def open_client(name: str) -> APIClient:
    """Return somebody without credentials, each name at an address of its own."""
    last = int(hashlib.sha256(name.encode()).hexdigest()[:4], 16) % 250 + 1
    return APIClient(raise_request_exception=False, REMOTE_ADDR=f"192.0.2.{last}")


def settle() -> None:
    """Carry on every payment that is due, as workers do."""
    for number in Payment.objects.filter(state__in=MOVING).values_list("pk", flat=True):
        with contextlib.suppress(RetryLater):
            advance_payment(str(number), now())


def proof(body: str | bytes) -> str:
    """Return the signature of a counterparty's message."""
    key = settings.TRAVEL_RULE_SIGNING_KEY.encode()
    raw = body.encode() if isinstance(body, str) else body
    return hmac.new(key, raw, hashlib.sha256).hexdigest()


def bank_proof(body: str | bytes) -> str:
    """Return the signature of a delivery of the bank, made now."""
    raw = body.encode() if isinstance(body, str) else body
    at = int(now().timestamp())
    return build_signature_header(secret=settings.BANK_WEBHOOK_SECRET, at=at, body=raw)


PROOFS = {"X-SVC-Signature": proof, "Bank-Signature": bank_proof}


def agent_client(name: str) -> APIClient:
    """Return a REGISTERED agent with its secret."""
    stated = {"name": name, "ownerEntity": name, "ownerEmail": "owner@agents.example"}
    body = open_client(name).post("/compliance/agent/register", stated, format="json").json()
    client = APIClient(raise_request_exception=False)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {body['agentSecret']}")
    client.account, _ = Account.objects.get_or_create(  # type: ignore[attr-defined]
        name=name, defaults={"created_at": now()}
    )
    return client


def client_for(row: Operation, name: str = "Alice Ltd") -> APIClient:
    """Return somebody who may call a row."""
    if row.access.agent and not row.path_parameters:  # its example is about who calls
        return agent_client(name)
    if row.access.known:
        return key_client(name, row.access.known[0])
    if row.access.pays:
        return payer(name)
    if row.access.session:
        opened = payer(name).post("/compliance/stream/open", OPENS, format="json")
        return session_client(opened.json()["secret"])
    return open_client(name)


class Walk:
    """Calls rows with their examples; what needs an id is made first, by the row that makes it."""

    def __init__(self, name: str = "Alice Ltd") -> None:
        self.name = name
        self.made: dict[str, Any] = {}

    def path(self, row: Operation) -> str:
        """Return a row's address with ids of things that this tenant made."""
        found = f"/{row.service}/{row.path}"
        for name, one in row.path_parameters.items():
            start, end = found.index("<"), found.index(">")
            found = f"{found[:start]}{self._id(row, name, one)}{found[end + 1 :]}"
        return found

    def headers(self, row: Operation) -> dict[str, str]:
        """Return the credentials of one call of a row with its example, as headers."""
        if row.access.session and not row.access.keys and "secret" in self.made:
            return {"X-Stream-Session": self.made["secret"]}
        if row.access.pays and not row.access.keys:
            accept = self.call(row, APIClient()).json()["accepts"][0]
            return v1(accept, payer(self.name).payer)
        credentials = client_for(row, self.name)._credentials
        names = {name: name.removeprefix("HTTP_").replace("_", "-") for name in credentials}
        # strangers know a header by the name that the document gives it
        known = {name.upper(): name for name in (*HEADERS.values(), "X-Stream-Session")}
        return {known.get(names[name], names[name]): value for name, value in credentials.items()}

    def _id(self, row: Operation, name: str, one: Any) -> str:
        maker, field = one.made_by
        if not maker:
            assert one.example, f"{row.name}: say where an example of {name} comes from"
            return str(one.example)
        if maker == "payment-message":  # another format of a row, with no example in JSON
            return self._message(row)
        made = next(r for r in operations_of_service(row.service) if r.name == maker)
        self.made = self.call(made, given={**made.example, **one.made_with}).json()
        if row.name in (
            "travel-rule",
            "travel-rule-proof",
        ):  # there is a record once the payment settled
            settle()
            record_settled_payments("", now())
        return str(self.made[field])

    def _message(self, row: Operation) -> str:
        """Send a message of ISO 20022 as this tenant; return the id of its file."""
        day = f"<Dt>{now():%Y-%m-%d}</Dt>"
        number = uuid.uuid4().int % 10**8
        body = message(transaction(number), id=f"WALK-{number}", day=day).encode()
        path, accept = "/integration/payments/initiate", {"Accept": "application/json"}
        client = client_for(row, self.name)
        sent = client.generic("POST", path, body, "application/xml", headers=accept)
        self.made = sent.json()["file"]
        return str(self.made["fileId"])

    def prepare(self, row: Operation, client: APIClient | None = None) -> None:
        """Make the call that a row's example needs before it, as the tenant who then calls."""
        if row.example_after:
            before = next(
                operation
                for operation in operations_of_service(row.service)
                if operation.name == row.example_after
            )
            same = hasattr(client, "account") and before.access.known == row.access.known
            self.call(before, client if same else None)

    def call(self, row: Operation, client: APIClient | None = None, **more: Any) -> Any:
        """Call a row with its example, as this tenant unless another client is given."""
        self.prepare(row, client)
        path = more.pop("path", None) or self.path(row)
        given = more.pop("given", row.example)
        own = row.access.session and not row.access.keys and "secret" in self.made
        if client is None and own:
            client = session_client(self.made["secret"])  # the one that the path names
        client = client or client_for(row, self.name)
        if row.has_body:
            body = json.dumps(given)
            if header := row.access.signature:
                more |= {f"HTTP_{header.upper().replace('-', '_')}": PROOFS[header](body)}
            return client.generic(row.method, path, body, "application/json", **more)
        if row.method != "GET":
            return client.generic(row.method, path, QUERY_STRING=urlencode(given), **more)
        return client.get(path, given, **more)
