"""Deliveries of the bank's webhook."""

import json
import uuid
from typing import Any

from django.conf import settings
from django.test import Client

from apps.payments.banking.rules.webhook_signatures import build_signature_header
from apps.platform.common.clock import now

PATH = "/settlement/bank-webhook"
WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
OTHER = "0x52908400098527886E0F7030069857D2E4169EE7"
LISTED = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96"


def event(operation: str = "create", **changes: Any) -> dict[str, Any]:
    """A delivery of a sent, untagged payment; `patch` changes what it says of it."""
    patch = {"amount": 125.5, "status": "sent", "note": "invoice 42", "metadata": {}}
    return {
        "id": str(uuid.uuid4()),
        "resourceType": "transaction",
        "resourceId": str(uuid.uuid4()),
        "operationType": operation,
        "resourceVersion": 1,
        "occurredAt": "2026-11-20T12:00:00Z",
        "changedPaths": ["status"],
        "mergePatch": patch | changes.pop("patch", {}),
        "previousValues": {},
    } | changes


def tagged(wallet: str = WALLET, **patch: Any) -> dict[str, Any]:
    """A delivery of a payment that is tagged in its note."""
    return event(patch={"note": f"invoice 7 svc:{wallet}"} | patch)


def update(of: dict[str, Any], version: int = 2, **patch: Any) -> dict[str, Any]:
    """A later delivery of the same payment, which says `patch` alone."""
    return event("update") | {
        "resourceId": of["resourceId"],
        "resourceVersion": version,
        "mergePatch": patch,
    }


def post(raw: bytes, *, sent: str | None = None, at: int = 0, **more: Any) -> Any:
    """Send bytes with the bank's signature, or with the header that is given."""
    moment = int(now().timestamp()) + at
    signed = build_signature_header(secret=settings.BANK_WEBHOOK_SECRET, at=moment, body=raw)
    told = {"HTTP_BANK_SIGNATURE": signed if sent is None else sent} | more
    return Client(raise_request_exception=False).post(
        PATH, raw, content_type="application/json", **told
    )


def deliver(said: dict[str, Any], *, answers: int = 200) -> dict[str, Any]:
    """Deliver an event; return the answer."""
    answer = post(json.dumps(said).encode())
    assert answer.status_code == answers, answer.content
    return dict(answer.json())
