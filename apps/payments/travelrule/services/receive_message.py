"""Record messages of counterparties: POST /travel-rule/receive (document 2 section 4).

Messages are read leniently in six dialects. An invalid one is refused with every fault, and stored
all the same, because its sender will ask about it.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from django.db import IntegrityError, transaction

from apps.payments.payments.rules.assets import ASSETS
from apps.payments.travelrule import cases, message_readers
from apps.payments.travelrule.ivms import (
    Finding,
    MessageRefused,
    Reading,
    judge_reading,
    parse_message,
    read_message,
)
from apps.payments.travelrule.ivms.text import replace_unsafe_characters
from apps.payments.travelrule.message_headers import PAYMENT_HEADER, VERSION_HEADER
from apps.payments.travelrule.models import TravelRecord
from apps.payments.travelrule.rules.record_status import INBOUND, TransferFacts
from apps.payments.travelrule.screening import tasks
from apps.payments.travelrule.selectors import message_sender
from apps.payments.travelrule.selectors.linked_record import find_linked_record
from apps.payments.travelrule.services import repeated_messages
from apps.payments.travelrule.services.create_records import TransferInputs, create_records
from apps.payments.travelrule.services.repeated_messages import (
    MessageIdentity,
    TooManyIdenticalMessages,
)
from apps.platform.api.answers import Answer, Refusal
from apps.platform.api.callers import Caller
from apps.platform.common.money import LossyAmount, to_micro
from apps.platform.common.problems import DomainError
from apps.reference.signals.exchange_rates import UsdAmount, convert_to_usd

VERSIONS = ("1.0", "101", "101.2023")
MAX_FINDINGS = 100  # of one answer, and of the stored faults
CONTRADICTED = Finding(
    "SENDER", "W", "/originatingVASP", "The message names another VASP than its signature.", ""
)
NOT_LINKED = Finding(
    "LINK",
    "W",
    "",
    f"{PAYMENT_HEADER} names no payment between these parties, so the message is not linked.",
    "",
)


class UnknownIvmsVersion(DomainError):
    """The version of the message is not supported."""

    code, title = "ivms_version_unknown", "IVMS 101 version not supported"


class InvalidMessage(DomainError):
    """The body is not an IVMS 101 message that can be recorded; `errors` has every fault."""

    code, title = "ivms_invalid", "Invalid message"


class MessageBody(dict[str, Any]):
    """A received message: its digest, and the payment that it names, as stored.

    Also the bytes, and `stated`: the full id that it states, which identifies a repeat.
    """

    raw: bytes = b""
    stated: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class JudgedMessage:
    """A message that was read: what it is, and what was found in it."""

    reading: Reading
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What refuses it."""
        return tuple(finding for finding in self.findings if finding.severity == "E")

    @property
    def unread(self) -> tuple[Finding, ...]:
        """Values under unknown keys: they may contain what is missing."""
        return tuple(finding for finding in self.findings if finding.rule == "S7b")


def check_message_body(*, body: Any) -> MessageBody:
    """Return the received message; InvalidMessage (400) for no body at all."""
    if not isinstance(body, MessageBody):
        raise InvalidMessage("The request has no body.")
    return body


def gather_message(*, asked: MessageBody, now: datetime) -> JudgedMessage:
    """Read and judge a message; the finding L1 says that it is not a message at all."""
    if asked.version and asked.version not in VERSIONS:
        raise UnknownIvmsVersion(
            f"Supported versions: {', '.join(VERSIONS)}. You can also omit {VERSION_HEADER}."
        )
    try:
        reading = read_message(parse_message(asked.raw))
    except MessageRefused as error:
        return JudgedMessage(Reading({}, "", (), {}), (Finding("L1", "E", "", str(error), ""),))
    findings = judge_reading(reading, profile="in", today=now.date())
    # N: another spelling that was understood, which its sender need not correct
    return JudgedMessage(reading, tuple(finding for finding in findings if finding.severity != "N"))


def conclude_message(
    *, asked: MessageBody, gathered: JudgedMessage, caller: Caller, now: datetime
) -> Answer | Refusal | dict[str, Any]:
    """Record a message, or find its record; Refusal for an invalid one, which is stored as well."""
    payment, findings = None, gathered.findings
    (name, lei), contradicts = message_sender.load_message_sender(
        caller.ref, gathered.reading.message
    )
    # of an invalid message they may hold what no database or page can take
    sender = replace_unsafe_characters(name), replace_unsafe_characters(lei)
    findings += (CONTRADICTED,) if contradicts else ()
    # an invalid message is linked to nothing: it must not show among a payment's records
    if asked["payment"] and not gathered.errors:
        payment = find_linked_record(asked["payment"], gathered.reading.message)
        findings += () if payment else (NOT_LINKED,)
    ours = str(payment.payment_id if payment else "")
    message_identity = MessageIdentity(
        caller.ref, asked["sha256"], asked.stated, ours, bool(gathered.errors)
    )
    record, new = _record_message(asked, gathered, message_identity, sender, payment, now)
    if new:
        tasks.plan_screening(record, now=now)
    # a Refusal is an answer and no exception: what was recorded is committed with it
    if gathered.errors:
        cases.open_broken_case(record, [error.rule for error in gathered.errors], now=now)
        return Refusal(build_invalid_message(gathered.errors, gathered.unread))
    response: dict[str, Any] = {
        "id": record.record_id,
        "status": record.status,
        "direction": record.direction,
        "duplicate": not new,
        "dialect": record.dialect,
        "warnings": [
            {"rule": finding.rule, "pointer": finding.pointer, "message": finding.message}
            for finding in findings[:MAX_FINDINGS]
        ],
        "created_at": record.created_at,
        "retain_until": record.retain_until,
    }
    response |= {"payment_id": str(record.payment_id)} if record.payment_id else {}
    return Answer(response, status=201 if new else 200)


def build_invalid_message(
    errors: tuple[Finding, ...], unread: tuple[Finding, ...] = ()
) -> InvalidMessage:
    """Return the refusal of a message, with each fault at its pointer, and the unread keys."""
    first = errors[0]
    return InvalidMessage(
        _describe_breach(first),
        errors=[
            {"field": finding.pointer or "/", "message": _describe_breach(finding)}
            # a party under an unknown key is reported as missing: the key says why
            for finding in (*errors, *unread)[:MAX_FINDINGS]
        ],
    )


def _describe_breach(finding: Finding) -> str:
    """Say that a rule is not met; the rule's own sentence says what it requires."""
    return f"Rule {finding.rule} is not met: {finding.message}"


def _record_message(
    message_body: MessageBody,
    judged_message: JudgedMessage,
    message_identity: MessageIdentity,
    counterparty: tuple[str, str],
    payment: TravelRecord | None,
    now: datetime,
) -> tuple[TravelRecord, bool]:
    """Return the record of a message, and whether it is new; a repeated one has its first.

    `counterparty` is who sent it by name and LEI, as far as they are known.
    """
    if (earlier_record := repeated_messages.find_earlier_record(message_identity)) is not None:
        return earlier_record, False
    try:
        with transaction.atomic():
            repeated_messages.count_identical_message(message_identity, now=now)
            message, faults = judged_message.reading.message, judged_message.errors
            amount, currency = message_readers.amount_of(message)
            valued = _value_in_usd(amount, currency, now)
            transfer = TransferInputs(
                facts=TransferFacts(
                    INBOUND, valued.amount_usd if valued else None, now.date(), faults=bool(faults)
                ),
                amount=replace_unsafe_characters(amount[:40]),
                currency=replace_unsafe_characters(currency[:12]),
                message=message,
                originator=message_readers.parse_named_side(message, "originator"),
                beneficiary=message_readers.parse_named_side(message, "beneficiary"),
                owner=payment.owner if payment else "",
                payment_id=payment.payment_id if payment else None,
                raw=message_body.raw,
                named=message_body["payment"],
                faults=tuple(
                    {"rule": fault.rule, "pointer": fault.pointer}
                    for fault in faults[:MAX_FINDINGS]
                ),
                columns={
                    "dialect": judged_message.reading.dialect,
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
            own = {"sender": message_identity.sender, "came_as": message_identity.came_as}
            columns = (transfer.columns or {}) | own
            whole = replace(transfer, columns=columns, counterparty=counterparty)
            return create_records([whole], now=now)[0], True
    except (IntegrityError, TooManyIdenticalMessages):
        # the same message at the same moment, perhaps the last that the day had room for
        if (earlier_record := repeated_messages.find_earlier_record(message_identity)) is None:
            raise
        return earlier_record, False


def _value_in_usd(amount: str, currency: str, now: datetime) -> UsdAmount | None:
    """Return an amount in USD; None where it is no amount, or of a currency without a rate."""
    known = currency.upper()  # P2 reports small letters; the value is the same
    code = ASSETS[known].money if known in ASSETS else known
    try:
        number = Decimal(amount)
        # no column of ours holds 10^13 or more
        if not number.is_finite() or number < 0 or number.adjusted() > 12:
            return None
        # any currency may come: a quarterly rate is good enough to compare with the threshold
        usd_amount = convert_to_usd(amount=number, currency=code, now=now, quarterly=True)
        # raises LossyAmount for what MoneyField could not store
        if usd_amount is not None:
            to_micro(usd_amount.amount_usd)
    except (InvalidOperation, LossyAmount):
        return None
    return usd_amount
