"""Publish an event to its owner: one event, and one delivery if there is an address.

Call it inside the transaction of the event's cause, so that both exist or neither does.
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
from apps.platform.db.compiled_queries import fetch_first
from apps.platform.db.compiled_statements import insert_row
from apps.platform.jobs.job_queue import enqueue_job

SEND = "callbacks.send"


@dataclass(frozen=True, slots=True)
class PublishedEvent:
    """The result: the event's id, and whether it is on its way to an address."""

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

    `owner` is the caller's `ref`; `event` is its kind (`payment.settled`), `subject` the thing that
    it is about. `body` is JSON as the wire has it (api/representation.py). `url` passed
    `check_callback_url` when it was taken; an empty one is no address. ValueError for an owner or
    event without a name, or an address that cannot be read.
    """
    if not owner or not event:
        raise ValueError("an event has an owner and a name")
    # once: each attempt sends the very bytes that were signed first
    text = canonical_json(body)
    new_event = Event(
        uid=uuid4(),
        owner=owner,
        name=event,
        subject=subject,
        body=text,
        digest=hashlib.sha256(text.encode()).hexdigest(),
        at=now,
    )
    new_event.stamp(url)
    # no savepoint: if one of the rows fails, the caller's transaction must fail too
    with transaction.atomic(savepoint=False):
        insert_row(new_event)
        insert_row(Unnumbered(event=new_event, owner=owner))
        if url:
            endpoint = get_or_create_endpoint(owner=new_event.owner, url=url, now=now)
            insert_row(
                Delivery(
                    event=new_event,
                    owner=new_event.owner,
                    endpoint=endpoint,
                    url=url,
                    due_at=now,
                    created_at=now,
                )
            )
            enqueue_job(job=SEND, key=f"{new_event.uid}/1", now=now)
    return PublishedEvent(event=new_event.uid, called_back=bool(url))


def canonical_json(body: Mapping[str, Any]) -> str:
    """Return JSON in one form: sorted keys, no spaces, plain UTF-8, decimals as numbers.

    TypeError for types that JSON does not have, ValueError for NaN and infinities.
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


def get_or_create_endpoint(*, owner: str, url: str, now: datetime) -> Endpoint:
    """Return the endpoint of an owner's address; create it if it is new."""
    address = callback_urls.endpoint_address(url)
    key = hashlib.sha256(f"{owner}\n{address}".encode()).hexdigest()
    endpoint: Endpoint | None = fetch_first(Endpoint, where={"digest": key})
    if endpoint is None:
        new = {"owner": owner, "address": address, "created_at": now}
        # limits are per host and port, whatever paths an owner uses
        new["host"] = callback_urls.host_and_port(url)
        endpoint, _ = Endpoint.objects.get_or_create(digest=key, defaults=new)
    return endpoint


def enqueue_send(*, key: str, now: datetime) -> None:
    """Plan a run that sends whatever is due."""
    enqueue_job(job=SEND, key=f"wake {key}"[:100], now=now)


def publish_to_feed(
    owner: str, name: str, subject: UUID, body: dict[str, Any], now: datetime
) -> None:
    """Publish an event that no address is called for: its owner reads it in the feed."""
    publish_event(owner=owner, event=name, subject=subject, body=body, url="", now=now)
