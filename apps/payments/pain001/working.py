"""Works a file off: its transactions become payments in batches, each transaction judged alone.

A batch is one transaction of the database: its payments, what became of each of its lines, and the
file's count, which is compared. Killed anywhere, a run leaves whole batches behind it, and the next
one goes on behind the last.
"""

import hashlib
import logging
import uuid
from collections.abc import Iterator, Mapping
from datetime import datetime

from django.db import Error as DatabaseError
from django.db import transaction

from apps.core import jobs
from apps.core.batches import chunks
from apps.core.callers import Caller
from apps.core.problems import DomainError
from apps.payments.accepting import OwnWallet, ReferenceTaken, accept
from apps.payments.instructions import plain
from apps.payments.models import Payment
from apps.payments.pain001.faults import Fault
from apps.payments.pain001.heads import Group
from apps.payments.pain001.intake import Reader, Step
from apps.payments.pain001.models import FileTransaction, Outcome, PaymentFile, profile_of
from apps.payments.pain001.together import accept_plain
from apps.payments.pain001.transactions import Mapped, Message, mapped
from apps.payments.rails import rail

BATCH = 100
AT_ONCE = 2_000  # transactions of a run, well within its lease
INSTITUTION = "INSTITUTION"
# what refuses an instruction, in codes of ISO 20022
CODES = {ReferenceTaken.code: "DU04", OwnWallet.code: "AC03"}
ALTERED = "What is kept of it is not what came: it cannot be gone on with."
logger = logging.getLogger(__name__)


def work(key: str, now: datetime) -> None:
    """Work a file off (config/jobs.py); comes again while transactions are left."""
    file = PaymentFile.objects.filter(pk=int(key or 0)).first()
    if file is None or file.state != "WORKING" or not _unaltered(file):
        return
    if not work_some(file, now=now):
        raise jobs.Again(now)


def work_some(file: PaymentFile, *, now: datetime, at_once: int = AT_ONCE) -> bool:
    """Judge the next transactions; True when all are judged, or another runner is at it."""
    left = at_once
    for steps in chunks(_steps_behind(file), BATCH):
        if not judge(file, steps, now=now):
            return True
        left -= len(steps)
        if left <= 0:
            break
    return file.state == "DONE"


def judge(file: PaymentFile, steps: list[tuple[Step, Message]], *, now: datetime) -> bool:
    """Make payments of a batch, in one transaction; False where another runner was first."""
    caller = Caller(ref=file.owner, kind=INSTITUTION)
    with transaction.atomic():
        found = [_mapped(step, message) for step, message in steps]
        wanted = [one.instruction for one in found if one.instruction is not None]
        called = profile_of(file.owner).callback_url
        plain_ones = accept_plain(instructions=wanted, caller=caller, now=now, called=called)
        lines = [
            _judged(file, step, one, caller, now, plain_ones, called)
            for (step, _), one in zip(steps, found, strict=True)
        ]
        refused = sum(line.outcome == Outcome.REFUSED for line in lines)
        if not file.advanced(by=len(lines), refused=refused, now=now):
            transaction.set_rollback(True)
            return False
        FileTransaction.objects.bulk_create(lines)
    return True


def _steps_behind(file: PaymentFile) -> Iterator[tuple[Step, Message]]:
    """Yield the transactions of a file that were not judged yet."""
    done, now = file.done, file.received_at
    reader = Reader(
        chunks=file.pieces(), kind=file.kind, version=file.version, in_name=file.in_name
    )
    for step in reader:
        if step.number > done:
            assert reader.group is not None  # the header comes first
            yield step, message_of(file, reader.group, now)


def message_of(file: PaymentFile, group: Group, now: datetime) -> Message:
    """Return what is known of the message of a file, and of where its payments may settle."""
    chosen = rail()
    chains = chosen.chains if chosen is not None else frozenset()
    return Message(file.version, file.digest, group, now, file.in_name, chains)


def _mapped(step: Step, message: Message) -> Mapped:
    return mapped(
        step.part,
        number=step.number,
        head=step.head,
        message=message,
        uetr=str(uuid.uuid4()),
        earlier=step.earlier,
    )


def _judged(
    file: PaymentFile,
    step: Step,
    found: Mapped,
    caller: Caller,
    now: datetime,
    made_already: Mapping[str, Payment],
    called: str,
) -> FileTransaction:
    """Return what became of a transaction; one that was not plainly new is tried by itself."""
    line, wanted = _line(file, found), found.instruction
    if wanted is None:
        return line
    if (payment := made_already.get(wanted.reference)) is not None:
        line.outcome, line.payment_id = Outcome.TAKEN, payment.payment_id
        return line
    try:
        with transaction.atomic():
            made = accept(instruction=wanted, caller=caller, now=now, called=called)
    except DatabaseError:
        raise
    except DomainError as error:
        code = CODES.get(error.code, "NARR")
        return _refuse(line, Fault(code, error.detail, step.part.path, step.part.node.line))
    except Exception:
        logger.exception("transaction %s of payment file %s", step.number, file.pk)
        told = "It could not be processed on our side."
        return _refuse(line, Fault("FF10", told, step.part.path, step.part.node.line))
    if not made.new:
        told = f"You sent it before: it is the payment {made.payment.payment_id}."
        return _refuse(line, Fault("AM05", told, step.part.path, step.part.node.line))
    line.outcome, line.payment_id = Outcome.TAKEN, made.payment.payment_id
    return line


def _line(file: PaymentFile, found: Mapped) -> FileTransaction:
    """Return the row of a transaction, refused until it is a payment."""
    return FileTransaction(
        file=file,
        number=found.number,
        outcome=Outcome.REFUSED,
        payment_info_id=found.payment_info_id,
        instruction_id=found.instruction_id,
        end_to_end_id=found.end_to_end_id,
        uetr=found.uetr,
        amount=plain(found.amount) if found.amount is not None else "",
        currency=found.currency,
        creditor=found.creditor,
        faults=[kept(one) for one in found.faults],
        more=found.more,
    )


def _refuse(line: FileTransaction, fault: Fault) -> FileTransaction:
    line.faults = [kept(fault)]
    return line


def kept(fault: Fault) -> dict[str, str | int]:
    """Return a fault as rows and answers have it."""
    return {"code": fault.code, "text": fault.text, "path": fault.path, "line": fault.line}


def _unaltered(file: PaymentFile) -> bool:
    """Tell whether what is kept is what came, by its proof; where not, the file is stopped."""
    found = hashlib.sha256()
    for piece in file.pieces():
        found.update(piece)
    if not file.fault and found.hexdigest() == file.digest:
        return True
    logger.error("payment file %s: %s", file.pk, file.fault or ALTERED)
    PaymentFile.objects.filter(pk=file.pk, finished_at=None).update(trouble=ALTERED)
    return False
