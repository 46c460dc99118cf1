"""Receive a message: a repeat returns the existing import, another under its MsgId is refused.

One with a single transaction is judged at once; one with more becomes a file that a job works off.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpResponse

from apps.payments.payments.pain001.faults import Fault, InvalidMessage
from apps.payments.payments.pain001.headers import GroupHeader
from apps.payments.payments.pain001.message_overview import (
    find_foreign_initiators,
    summarize_message,
)
from apps.payments.payments.pain001.message_reader import MessageOverview, parse_requested_version
from apps.payments.payments.pain001.models import PaymentFile, load_sender_profile
from apps.payments.payments.pain001.pain002 import render_refusal_report
from apps.payments.payments.pain001.services.process_file import (
    accept_transactions,
    build_message_context,
    serialize_fault,
)
from apps.payments.payments.pain001.versions import OLDEST, has_proxy
from apps.payments.payments.services.initiate_payment import (
    require_settlement_rail,
)
from apps.platform.api.callers import Caller
from apps.platform.common.problems import Conflict, DomainError
from apps.platform.db.compiled_statements import insert_if_absent
from apps.platform.jobs import job_queue

WORK = "pain001.work"


class ReportedRefusal(DomainError):
    """A refusal that goes out as pain.002, where `xml` is one."""

    xml = ""

    def respond(self) -> HttpResponse:
        response = super().respond()
        if self.xml:
            response.content, response["Content-Type"] = self.xml, "application/xml"
        return response


class MessageRefused(ReportedRefusal):
    """The message is refused as a whole; `reasons` has ISO 20022's code of each fault."""

    status, code, title = 400, "message_refused", "The message is refused"


class MessageIdTaken(ReportedRefusal, Conflict):
    """The institution already sent another message under this MsgId (DU01)."""

    code, title = "message_id_taken", "Another message has this MsgId"


class MessageBody(dict[str, Any]):
    """The received message: `sha256`, `kind` and `version` identify a repeated call; and its bytes.

    `address` is the base URL of files, as the caller reaches it.
    """

    raw: bytes = b""
    answer_xml: bool = False
    address: str = ""


@dataclass(frozen=True, slots=True)
class InspectedMessage:
    """A message that was read once as a whole."""

    overview: MessageOverview
    group: GroupHeader


def inspect_message(*, asked: MessageBody, now: datetime) -> InspectedMessage:
    """Read a whole message once; MessageRefused (400) with every fault found."""
    require_settlement_rail(asked=asked, now=now)
    try:
        version = parse_requested_version(asked["version"]) if asked["kind"] == "JSON" else ""
        return InspectedMessage(*summarize_message(asked.raw, kind=asked["kind"], version=version))
    except InvalidMessage as error:
        raise build_refusal(asked, error.faults, error.group, error.version, now=now) from None


def store_message(
    *, message_body: MessageBody, inspected_message: InspectedMessage, caller: Caller, now: datetime
) -> tuple[PaymentFile, bool]:
    """Take a message in the transaction of its call; return its file, and whether it is new.

    Raises MessageRefused for an initiating party of another client, and for a single transaction
    that is refused: then nothing is kept. MessageIdTaken (409) for other bytes under its MsgId.
    """
    profile = load_sender_profile(caller.ref)
    if faults := find_foreign_initiators(inspected_message.group, profile.known):
        raise build_refusal(
            message_body,
            faults,
            inspected_message.group,
            inspected_message.overview.version,
            now=now,
        )
    overview, group = inspected_message.overview, inspected_message.group
    file = PaymentFile(
        owner=caller.ref,
        message_id=group.message_id,
        digest=message_body["sha256"],
        kind=message_body["kind"],
        version=overview.version,
        size=len(message_body.raw),
        created=group.created,
        initiator=group.initiator,
        total=overview.count,
        amounts=f"{overview.total:f}",
        # kept with the file, and in its MAC: a later change of the profile must not change its
        # payments
        in_name=profile.wallet_in_name and not has_proxy(overview.version),
        received_at=now,
    )
    file.stamp()
    # a repeat of a message, or two at once: MsgId is the idempotency key (row 1)
    if not insert_if_absent(file, unique=("owner", "message_id")):
        return _load_earlier_file(file, message_body, inspected_message, now), False
    file.keep(message_body.raw)
    if file.total > 1:
        job_queue.enqueue_job(job=WORK, key=str(file.pk), now=now)
        return file, True
    only = inspected_message.overview.only
    # it was counted
    assert only is not None
    accept_transactions(
        file, [(only, build_message_context(file, inspected_message.group, now))], now=now
    )
    return file, True


def require_accepted_payment(
    file: PaymentFile, message_body: MessageBody, group: GroupHeader, *, now: datetime
) -> None:
    """Raise MessageRefused where the one transaction of a message is refused."""
    line = file.transactions.get()
    if line.payment_id is None:
        faults = [Fault(**fault) for fault in line.faults]
        raise build_refusal(message_body, faults, group, file.version, now=now)


def build_refusal(
    message_body: MessageBody,
    faults: Any,
    group: GroupHeader | None,
    version: str,
    *,
    now: datetime,
) -> MessageRefused:
    """Return the refusal of a message, as pain.002 for who speaks XML."""
    parts = render_refusal_report(
        faults=faults,
        # a message that could not be read has no version
        version=version or OLDEST,
        group=group,
        reference=message_body["sha256"],
        now=now,
    )
    refusal = MessageRefused(
        str(faults[0]),
        errors=[{"field": fault.path or "message", "message": str(fault.text)} for fault in faults],
        members={"reasons": [serialize_fault(fault) for fault in faults]},
    )
    refusal.xml = "".join(parts) if message_body.answer_xml else ""
    return refusal


def _load_earlier_file(
    file: PaymentFile, message_body: MessageBody, inspected_message: InspectedMessage, now: datetime
) -> PaymentFile:
    payment_file = PaymentFile.objects.get(owner=file.owner, message_id=file.message_id)
    if payment_file.digest == file.digest:
        return payment_file
    text = f"Another message was sent as {file.message_id!r}: give this one its own MsgId."
    faults = [Fault("DU01", text, "GrpHdr/MsgId")]
    refusal = build_refusal(message_body, faults, inspected_message.group, file.version, now=now)
    taken = MessageIdTaken(text, errors=refusal.errors, members=refusal.members)
    taken.xml = refusal.xml
    raise taken
