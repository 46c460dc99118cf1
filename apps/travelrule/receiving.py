"""Takes messages of counterparties: POST /travel-rule/receive (document 2 section 4).

Read leniently in six dialects; a message that no rule lets pass is refused with every fault and
kept all the same, because who sent it will ask.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from django.db import IntegrityError, transaction
from django.http import HttpRequest

from apps.core.callers import Caller
from apps.core.endpoints import Endpoint
from apps.core.money import LossyAmount, to_micro
from apps.core.pipeline import Answer, Refusal
from apps.core.problems import DomainError
from apps.payments.rules.assets import ASSETS
from apps.signals.rates import Converted, to_usd
from apps.travelrule import messages, repeated, senders
from apps.travelrule.headers import PAYMENT, VERSION
from apps.travelrule.ivms import Finding, Reading, Refused, judge, parse, read
from apps.travelrule.ivms.text import cleared
from apps.travelrule.linking import linked
from apps.travelrule.making import Transfer, make
from apps.travelrule.models import TravelRecord
from apps.travelrule.repeated import Known, TooManyAlike
from apps.travelrule.rules.recording import INBOUND, Facts
from apps.travelrule.sending import cases

VERSIONS = ("1.0", "101", "101.2023")
MOST_TOLD = 100
CONTRADICTED = Finding(
    "SENDER", "W", "/originatingVASP", "The message names another VASP than its signature.", ""
)
NOT_LINKED = Finding(
    "LINK", "W", "", f"{PAYMENT} names no payment between these parties: it is not linked.", ""
)


class VersionUnknown(DomainError):
    """The message is of a version that is not read."""

    code, title = "ivms_version_unknown", "The version of IVMS 101 is not known"


class MessageBroken(DomainError):
    """The body is no IVMS 101 message that could be recorded; `errors` has every fault."""

    code, title = "ivms_invalid", "The message is not valid"


class Body(dict[str, Any]):
    """What came: its digest, and the payment that it names, as it is kept.

    Beside stand the bytes, and `stated`: the whole of what it names, by which it is known again.
    """

    raw: bytes = b""
    stated: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class Looked:
    """A message that was read: what it is, and what was found in it."""

    reading: Reading
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What refuses it."""
        return tuple(one for one in self.findings if one.severity == "E")

    @property
    def unread(self) -> tuple[Finding, ...]:
        """What was sent under keys that are not known: there what is missing may stand."""
        return tuple(one for one in self.findings if one.rule == "S7b")


def by_headers(row: Callable[[], Endpoint]) -> Callable[[HttpRequest], Endpoint | None]:
    """Return what gives a row the two headers that belong to a message."""

    def instead(request: HttpRequest) -> Endpoint | None:
        named, version = request.headers.get(PAYMENT, ""), request.headers.get(VERSION, "")

        def body(raw: bytes) -> Body:
            found = Body(sha256=hashlib.sha256(raw).hexdigest(), payment=named.strip()[:64])
            found.raw, found.version, found.stated = raw, version.strip(), named.strip()
            return found

        return replace(row(), readers={"application/json": body}, instead=None)

    return instead


def body_of(*, body: Any) -> Body:
    """Return what came; MessageBroken (400) for no body at all."""
    if not isinstance(body, Body):
        raise MessageBroken("The request has no body.")
    return body


def gather(*, asked: Body, now: datetime) -> Looked:
    """Read and judge a message; what is no message at all is the finding L1."""
    if asked.version and asked.version not in VERSIONS:
        raise VersionUnknown(f"Messages of {', '.join(VERSIONS)} are read; leave {VERSION} out.")
    try:
        reading = read(parse(asked.raw))
    except Refused as error:
        return Looked(Reading({}, "", (), {}), (Finding("L1", "E", "", str(error), ""),))
    found = judge(reading, profile="in", today=now.date())
    return Looked(reading, tuple(one for one in found if one.severity != "N"))


def conclude(
    *, asked: Body, gathered: Looked, caller: Caller, now: datetime
) -> Answer | Refusal | dict[str, Any]:
    """Record a message, or find the record that it has; Refusal for a broken one, which is kept."""
    payment, findings = None, gathered.findings
    (name, lei), contradicts = senders.sender_of(caller.ref, gathered.reading.message)
    sender = cleared(name), cleared(lei)
    findings += (CONTRADICTED,) if contradicts else ()
    if asked["payment"] and not gathered.errors:
        payment = linked(asked["payment"], gathered.reading.message)
        findings += () if payment else (NOT_LINKED,)
    ours = str(payment.payment_id if payment else "")
    known = Known(caller.ref, asked["sha256"], asked.stated, ours, bool(gathered.errors))
    record, new = _recorded(asked, gathered, known, sender, payment, now)
    if gathered.errors:
        cases.broken(record, [one.rule for one in gathered.errors], now=now)
        return Refusal(broken(gathered.errors, gathered.unread))
    said: dict[str, Any] = {
        "id": record.record_id,
        "status": record.status,
        "direction": record.direction,
        "duplicate": not new,
        "dialect": record.dialect,
        "warnings": [
            {"rule": one.rule, "pointer": one.pointer, "message": one.message}
            for one in findings[:MOST_TOLD]
        ],
        "created_at": record.created_at,
        "retain_until": record.retain_until,
    }
    said |= {"payment_id": str(record.payment_id)} if record.payment_id else {}
    return Answer(said, status=201 if new else 200)


def broken(errors: tuple[Finding, ...], unread: tuple[Finding, ...] = ()) -> MessageBroken:
    """Return the refusal of a message, with each fault at its pointer.

    Behind them stand the keys that were not read: a party under another key is told as missing.
    """
    first = errors[0]
    return MessageBroken(
        f"{first.rule}: {first.message}",
        errors=[
            {"field": one.pointer or "/", "message": f"{one.rule}: {one.message}"}
            for one in (*errors, *unread)[:MOST_TOLD]
        ],
    )


def _recorded(
    asked: Body,
    looked: Looked,
    known: Known,
    counterparty: tuple[str, str],
    payment: TravelRecord | None,
    now: datetime,
) -> tuple[TravelRecord, bool]:
    """Return the record of a message, and whether it is new; a repeated one has its first.

    `counterparty` is who sent it by name and LEI, as far as they are known.
    """
    if (found := repeated.record_of(known)) is not None:
        return found, False
    try:
        with transaction.atomic():
            repeated.count(known, now=now)
            transfer = _transfer(asked, looked, payment, now)
            own = {"sender": known.sender, "came_as": known.came_as}
            columns = (transfer.columns or {}) | own
            whole = replace(transfer, columns=columns, counterparty=counterparty)
            return make([whole], now=now)[0], True
    except (IntegrityError, TooManyAlike):
        # the same message at the same moment, perhaps the last that the day had room for
        if (found := repeated.record_of(known)) is None:
            raise
        return found, False


def _transfer(asked: Body, looked: Looked, payment: TravelRecord | None, now: datetime) -> Transfer:
    message, faults = looked.reading.message, looked.errors
    amount, currency = messages.amount_of(message)
    valued = _valued(amount, currency, now)
    return Transfer(
        facts=Facts(
            INBOUND, valued.amount_usd if valued else None, now.date(), faults=bool(faults)
        ),
        amount=cleared(amount[:40]),
        currency=cleared(currency[:12]),
        message=message,
        originator=messages.side_of(message, "originator"),
        beneficiary=messages.side_of(message, "beneficiary"),
        owner=payment.owner if payment else "",
        payment_id=payment.payment_id if payment else None,
        raw=asked.raw,
        named=asked["payment"],
        faults=tuple({"rule": one.rule, "pointer": one.pointer} for one in faults[:MOST_TOLD]),
        columns={
            "dialect": looked.reading.dialect,
            **(
                {
                    "rate": f"{valued.rate:f}",
                    "rate_on": valued.rate_date,
                    "rate_source": valued.source,
                }
                if valued
                else {}
            ),
        },
    )


def _valued(amount: str, currency: str, now: datetime) -> Converted | None:
    """Return an amount in USD; None where it is no amount, or of a currency without a rate."""
    known = currency.upper()  # P2 tells that it is not; what it is worth is the same
    code = ASSETS[known].money if known in ASSETS else known
    try:
        number = Decimal(amount)
        if not number.is_finite() or number < 0 or number.adjusted() > 12:
            return None
        found = to_usd(amount=number, currency=code, now=now)
        if found is not None:
            to_micro(found.amount_usd)
    except (InvalidOperation, LossyAmount):
        return None
    return found
