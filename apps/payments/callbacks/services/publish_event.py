"""Tells an owner that something happened: one event, and one delivery where there is an address.

Called inside the transaction of what happened, so that both exist or neither does.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction

from apps.payments.callbacks import callback_urls
from apps.payments.callbacks.models import Delivery, Endpoint, Event, Unnumbered
from apps.platform.api.representation import to_plain_json
from apps.platform.db.compiled_statements import insert_row
from apps.platform.db.fast_queries import fetch_first
from apps.platform.jobs.job_queue import enqueue_job

SEND = "callbacks.send"


@dataclass(frozen=True, slots=True)
class PublishedEvent:
    """What was written: the event's id, and whether it is on its way to an address."""

    event: UUID
    called_back: bool


def publish_event(
    *,
    owner: str,
    event: str,
    subject: UUID,
    body: Mapping[str, Any],
    url: str,
    now: datetime,
) -> PublishedEvent:
    """Write an event, and with a `url` its delivery, due at `now`.

    `owner` is the caller's `ref`; `event` says what happened (`payment.settled`), `subject` to
    what. `body` is JSON as the wire has it (api/representation.py); its bytes are made here once
    and kept, so that each attempt sends the same and signs the same. `url` passed `check_url`
    when it was taken; an empty one is no address. ValueError for an owner or event without a
    name, or an address that cannot be read.
    """
    if not owner or not event:
        raise ValueError("an event has an owner and a name")
    text = canonical_json(body)
    made = Event(
        uid=uuid4(),
        owner=owner,
        name=event,
        subject=subject,
        body=text,
        digest=hashlib.sha256(text.encode()).hexdigest(),
        at=now,
    )
    made.stamp(url)
    with transaction.atomic(savepoint=False):
        insert_row(made)
        insert_row(Unnumbered(event=made, owner=owner))
        if url:
            _create_delivery(made, url, now)
    return PublishedEvent(event=made.uid, called_back=bool(url))


def canonical_json(body: Mapping[str, Any]) -> str:
    """Return JSON in one form: keys sorted, no blanks, UTF-8 as it is, decimals as numbers.

    TypeError for what JSON does not have, ValueError for NaN and infinities.
    """
    return json.dumps(
        to_plain_json(body),
        ensure_ascii=False,
        sort_keys=True,
        separators=(",", ":"),
        allow_nan=False,
        default=_json_default,
    )


def _json_default(value: Any) -> str:
    if isinstance(value, UUID | date):
        return str(value) if isinstance(value, UUID) else value.isoformat()
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _create_delivery(event: Event, url: str, now: datetime) -> None:
    endpoint = get_or_create_endpoint(owner=event.owner, url=url, now=now)
    insert_row(
        Delivery(
            event=event, owner=event.owner, endpoint=endpoint, url=url, due_at=now, created_at=now
        )
    )
    enqueue_job(job=SEND, key=f"{event.uid}/1", now=now)


def get_or_create_endpoint(*, owner: str, url: str, now: datetime) -> Endpoint:
    """Return the endpoint that an address of an owner is of, made where it is new."""
    address = callback_urls.endpoint_address(url)
    key = hashlib.sha256(f"{owner}\n{address}".encode()).hexdigest()
    found: Endpoint | None = fetch_first(Endpoint, where={"digest": key})
    if found is None:
        new = {"owner": owner, "address": address, "created_at": now}
        new["host"] = callback_urls.host_and_port(url)
        found, _ = Endpoint.objects.get_or_create(digest=key, defaults=new)
    return found
