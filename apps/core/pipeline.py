"""One pipeline for every API call (DESIGN.md section 3).

read → who calls, or 402 → claim → gather (reads only, no transaction) → settle → one
transaction {conclude: records, case, bill or receipt, stored answer}. A key is looked at before
the body is read; a payment is verified after it, so that a bad request costs nothing.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from rest_framework.utils.encoders import JSONEncoder

from apps.core import gates, idempotency, problems, reading
from apps.core.clock import now as present
from apps.core.endpoints import Endpoint
from apps.core.forms import in_form
from apps.core.gates import Ticket
from apps.core.idempotency import Claim
from apps.core.pagination import Paged, one_page
from apps.core.problems import DomainError
from apps.core.rendering import render


@dataclass(frozen=True, slots=True)
class Answer:
    """What `conclude` may return instead of plain values: another status, headers, or a text.

    `xml` goes out in place of the values: the same answer in XML, for who sent XML.
    """

    values: Mapping[str, Any]
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    xml: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """What `conclude` may return to refuse a call and keep what it wrote: a case, a log entry.

    The caller sees the problem and nothing else, is billed nothing, and their Idempotency-Key is
    free. Not for a row that takes payments: those are settled before anything is concluded.
    """

    problem: DomainError


@dataclass(slots=True)
class Visit:
    """One call on its way through; its headers are told whatever becomes of it."""

    row: Endpoint
    request: HttpRequest
    now: datetime
    ticket: Ticket | None = None
    settled: bool = False


def run(*, row: Endpoint, request: HttpRequest, ids: Mapping[str, str]) -> HttpResponse:
    """Answer one call; never raises: what goes wrong becomes a problem document (RFC 9457)."""
    visit = Visit(row, request, present())
    try:
        visit.row = row.taking(request)
        response = _answer(visit, ids)
    except Exception as error:
        response = problems.respond(error)
    response = in_form(row=visit.row, request=request, response=response)
    response = _unchanged(row, request, response)
    if (
        not response.streaming and response.status_code != 304
    ):  # without a length it would go out in chunks
        response.headers.setdefault("Content-Length", str(len(response.content)))
    # names and decisions are nobody's to keep on the way
    told = visit.ticket.headers if visit.ticket else {}
    for name, value in (told | {"Cache-Control": "no-store"}).items():
        response.headers.setdefault(name, value)
    return response


def _unchanged(row: Endpoint, request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return 304 without a body where the caller has what an answer's ETag stands for."""
    if row.method != "GET" or response.status_code != 200 or "ETag" not in response:
        return response
    made = get_conditional_response(request, etag=response["ETag"], response=response)
    return made or response


def _answer(visit: Visit, ids: Mapping[str, str]) -> HttpResponse:
    row, request = visit.row, visit.request
    ticket = visit.ticket = gates.admit(row=row, request=request, now=visit.now)
    refusal = None if ticket else gates.challenge(row=row, request=request)
    if refusal is not None and refusal.status != problems.PAYMENT_REQUIRED:
        raise refusal
    sent = reading.raw(row=row, request=request)
    values = reading.values(row=row, sent=sent, ids=ids)
    told = {"account": ticket.caller.account if ticket else ""} if row.access.beside else {}
    heads = reading.heads(row=row, request=request)
    asked = row.make(**values, **heads, **told)
    # only now is it known what is to be paid for; HEAD tells that, and buys nothing
    if ticket is None or (request.method == "HEAD" and row.access.pays):
        raise gates.challenge(row=row, request=request, values=values)
    values = values | _stood_for(row, heads, visit.now)
    stored = _stored(visit, ticket, values) or ticket.verify(row=row, values=values, now=visit.now)
    if stored is not None:
        return _retold(row, stored)
    with _claimed(visit, ticket, values) as (claim, replay):
        return _retold(row, replay) if replay else _work(visit, ticket, claim, asked)


def _stood_for(row: Endpoint, heads: Mapping[str, str], now: datetime) -> dict[str, str]:
    """Return whom the headers that a row reads stand for, by the headers' names; all hold now."""
    asked = [(head.name, head.stands_for, heads[name]) for name, head in row.heads.items()]
    return {name: whose(text, now) for name, whose, text in asked if whose is not None and text}


def _retold(row: Endpoint, repeat: HttpResponse) -> HttpResponse:
    """Give an answer that is told again the headers that its body tells."""
    if row.told and repeat.status_code < 300:
        for name, value in row.told(json.loads(repeat.content)).items():
            repeat.headers.setdefault(name, value)
    return repeat


def _stored(visit: Visit, ticket: Ticket, values: Mapping[str, Any]) -> HttpResponse | None:
    """Return what the call was answered before, where that does not wait for `verify`."""
    row, caller = visit.row, ticket.caller
    if not (ticket.retold and row.claims):
        return None
    return idempotency.stored(
        request=visit.request, values=values, owner=caller.ref, now=visit.now, secret=row.secret
    )


@contextmanager
def _claimed(
    visit: Visit, ticket: Ticket, values: Mapping[str, Any]
) -> Iterator[tuple[Claim, HttpResponse | None]]:
    """Hold the call's Idempotency-Key; what fails frees it, and what the ticket held."""
    claim, replay = Claim(), None
    try:
        if visit.row.claims:
            claim, replay = idempotency.claim(
                request=visit.request,
                values=values,
                owner=ticket.caller.ref,
                now=visit.now,
                secret=visit.row.secret,
            )
        if replay is not None:  # what was answered before costs nothing
            ticket.release(row=visit.row, settled=False, now=visit.now)
        yield claim, replay
    except BaseException:
        claim.release()
        ticket.release(row=visit.row, settled=visit.settled, now=visit.now)
        raise


def _work(visit: Visit, ticket: Ticket, claim: Claim, asked: Any) -> HttpResponse:
    """Gather, settle, and write everything in one transaction with the stored answer."""
    row, now = visit.row, visit.now
    if row.view is not None:
        response: HttpResponse = row.view(visit.request, asked=asked, caller=ticket.caller, now=now)
        return response
    gathered = row.gather(asked=asked, now=now)
    ticket.settle(row=row, now=now)
    visit.settled = True
    with transaction.atomic() if _writes(row) else nullcontext():
        made = row.conclude(asked=asked, gathered=gathered, caller=ticket.caller, now=now)
        if not isinstance(made, Refusal):
            return _completed(visit, ticket, claim, made)
    raise made.problem  # what was written with it is committed


def _completed(visit: Visit, ticket: Ticket, claim: Claim, made: Any) -> HttpResponse:
    """Render the answer, store it and count the call, in the transaction that wrote it."""
    answer = made if isinstance(made, Answer) else Answer(made, visit.row.statuses[0])
    text = answer.xml or _text(visit, answer.values)
    claim.complete(text, answer.status)
    ticket.charge(row=visit.row, answer=text, status=answer.status, now=visit.now)
    return HttpResponse(
        text,
        status=answer.status,
        headers=dict(answer.headers),
        content_type=idempotency.type_of(text),
    )


def _writes(row: Endpoint) -> bool:
    return row.method != "GET" or row.access.price is not None


def _text(visit: Visit, values: Any) -> str:
    if isinstance(values, Paged):
        values = one_page(paged=values, request=visit.request)
    shape = visit.row.answers
    body = [render(shape, one) for one in values] if visit.row.many else render(shape, values)
    return json.dumps(
        body, cls=JSONEncoder, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    )
