"""Takes a message: the same one again is the import that stands, another under its MsgId is not.

One with a single transaction is judged at once; one with more becomes a file that a job works off.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.core import jobs
from apps.core.callers import Caller
from apps.core.prepared import insert_once
from apps.core.problems import Conflict, DomainError
from apps.payments.initiating import gather as insist_on_rail
from apps.payments.pain001.faults import Fault, MessageFaulty
from apps.payments.pain001.heads import Group
from apps.payments.pain001.intake import Overview, asked_version, look_over, strangers
from apps.payments.pain001.models import PaymentFile, profile_of
from apps.payments.pain001.pain002 import refusal
from apps.payments.pain001.versions import OLDEST
from apps.payments.pain001.working import judge, kept, message_of

WORK = "pain001.work"


class MessageRefused(DomainError):
    """The message is refused as a whole; `reasons` has ISO 20022's code of each fault."""

    status, code, title = 400, "message_refused", "The message is refused"


class MessageIdTaken(Conflict):
    """The institution sent another message under this MsgId (DU01)."""

    code, title = "message_id_taken", "Another message has this MsgId"


class Body(dict[str, Any]):
    """What came: `sha256`, `kind` and `version`, as a call is known again by; its bytes beside.

    `address` is where files stand, as the caller reaches it.
    """

    raw: bytes = b""
    answer_xml: bool = False
    address: str = ""


@dataclass(frozen=True, slots=True)
class Looked:
    """A message that was looked over."""

    overview: Overview
    group: Group


def gather(*, asked: Body, now: datetime) -> Looked:
    """Look over a whole message; MessageRefused (400) with every fault that was found."""
    insist_on_rail(asked=asked, now=now)
    try:
        version = asked_version(asked["version"]) if asked["kind"] == "JSON" else ""
        return Looked(*look_over(asked.raw, kind=asked["kind"], version=version))
    except MessageFaulty as error:
        raise refused(asked, error.faults, error.group, error.version, now=now) from None


def receive(
    *, asked: Body, looked: Looked, caller: Caller, now: datetime
) -> tuple[PaymentFile, bool]:
    """Take a message in the transaction of its call; return its file, and whether it is new.

    Raises MessageRefused for an initiating party of another client, and for a single transaction
    that is refused: then nothing is kept. MessageIdTaken (409) for other bytes under its MsgId.
    """
    profile = profile_of(caller.ref)
    if faults := strangers(looked.group, profile.known):
        raise refused(asked, faults, looked.group, looked.overview.version, now=now)
    file = _row(asked, looked, caller, now, profile.wallet_in_name)
    if not insert_once(file, unique=("owner", "message_id")):
        return _before(file, asked, looked, now), False
    file.keep(asked.raw)
    if file.total > 1:
        jobs.enqueue(job=WORK, key=str(file.pk), now=now)
        return file, True
    only = looked.overview.only
    assert only is not None  # it was counted
    judge(file, [(only, message_of(file, looked.group, now))], now=now)
    return file, True


def insist_on_payment(file: PaymentFile, asked: Body, group: Group, *, now: datetime) -> None:
    """Raise MessageRefused where the one transaction of a message is refused."""
    line = file.transactions.get()
    if line.payment_id is None:
        faults = [Fault(**one) for one in line.faults]
        raise refused(asked, faults, group, file.version, now=now)


def refused(
    asked: Body, faults: Any, group: Group | None, version: str, *, now: datetime
) -> MessageRefused:
    """Return the refusal of a message, as pain.002 for who speaks XML."""
    said = refusal(
        faults=faults, version=version or OLDEST, group=group, reference=asked["sha256"], now=now
    )
    return MessageRefused(
        str(faults[0]),
        errors=[{"field": one.path or "message", "message": str(one.text)} for one in faults],
        members={"reasons": [kept(one) for one in faults]},
        xml="".join(said) if asked.answer_xml else "",
    )


def _row(asked: Body, looked: Looked, caller: Caller, now: datetime, in_name: bool) -> PaymentFile:
    overview, group = looked.overview, looked.group
    file = PaymentFile(
        owner=caller.ref,
        message_id=group.message_id,
        digest=asked["sha256"],
        kind=asked["kind"],
        version=overview.version,
        size=len(asked.raw),
        created=group.created,
        initiator=group.initiator,
        total=overview.count,
        amounts=f"{overview.total:f}",
        in_name=in_name and overview.version == OLDEST,
        received_at=now,
    )
    file.stamp()
    return file


def _before(file: PaymentFile, asked: Body, looked: Looked, now: datetime) -> PaymentFile:
    found = PaymentFile.objects.get(owner=file.owner, message_id=file.message_id)
    if found.digest == file.digest:
        return found
    text = f"Another message was sent as {file.message_id!r}: give this one a MsgId of its own."
    faults = [Fault("DU01", text, "GrpHdr/MsgId")]
    told = refused(asked, faults, looked.group, file.version, now=now)
    raise MessageIdTaken(text, errors=told.errors, members=told.members, xml=told.xml)
