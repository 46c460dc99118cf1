"""Process a file: its transactions become payments in batches, each transaction judged alone.

A batch is one database transaction: its payments, the outcome of each line, and the file's count,
which is compared. A run that is killed leaves only whole batches, and the next one continues after
the last of them.
"""

import hashlib
import logging
import uuid
from collections.abc import Iterator, Mapping
from datetime import datetime

from django.db import Error as DatabaseError
from django.db import transaction

from apps.payments.payments.instructions import format_decimal
from apps.payments.payments.models import Payment
from apps.payments.payments.pain001.faults import Fault
from apps.payments.payments.pain001.headers import GroupHeader
from apps.payments.payments.pain001.message_reader import MessageReader, MessageTransaction
from apps.payments.payments.pain001.models import (
    FileTransaction,
    Outcome,
    PaymentFile,
    load_sender_profile,
)
from apps.payments.payments.pain001.services.bulk_accept import bulk_accept_payments
from apps.payments.payments.pain001.transactions import (
    MappedTransaction,
    MessageContext,
    map_transaction,
)
from apps.payments.payments.rails import configured_rail
from apps.payments.payments.services.accept_payment import OwnWallet, ReferenceTaken, accept_payment
from apps.platform.api.callers import Caller
from apps.platform.common.batches import iter_chunks
from apps.platform.common.problems import DomainError
from apps.platform.jobs import job_queue

# transactions of a message per database transaction
BATCH = 100
# transactions of a run, well within its lease
AT_ONCE = 2_000
INSTITUTION = "INSTITUTION"
# what refuses an instruction, in codes of ISO 20022
REASON_CODES = {ReferenceTaken.code: "DU04", OwnWallet.code: "AC03"}
ALTERED = "The stored file differs from the file received: processing cannot continue."
logger = logging.getLogger(__name__)


def accept_file(key: str, now: datetime) -> None:
    """Process a file (the job `pain001.work`); RetryLater while transactions are left."""
    file = PaymentFile.objects.filter(pk=int(key or 0)).first()
    if file is None or file.state != "WORKING" or not _is_unaltered(file):
        return
    if not accept_next_transactions(file, now=now):
        raise job_queue.RetryLater(now)


def accept_next_transactions(file: PaymentFile, *, now: datetime, at_once: int = AT_ONCE) -> bool:
    """Judge the next transactions; True when all are judged, or another runner is at it."""
    left = at_once
    for steps in iter_chunks(_iter_unjudged_transactions(file), BATCH):
        if not accept_transactions(file, steps, now=now):
            return True
        left -= len(steps)
        if left <= 0:
            break
    return file.state == "DONE"


def accept_transactions(
    file: PaymentFile, steps: list[tuple[MessageTransaction, MessageContext]], *, now: datetime
) -> bool:
    """Make payments of a batch, in one transaction; False where another runner was first."""
    caller = Caller(ref=file.owner, kind=INSTITUTION)
    with transaction.atomic():
        mapped_transactions = [
            map_transaction(
                step.part,
                number=step.number,
                head=step.head,
                message=message,
                uetr=str(uuid.uuid4()),
                earlier=step.earlier,
            )
            for step, message in steps
        ]
        instructions = [
            mapped_transaction.instruction
            for mapped_transaction in mapped_transactions
            if mapped_transaction.instruction is not None
        ]
        called = load_sender_profile(file.owner).callback_url
        plain_ones = bulk_accept_payments(
            instructions=instructions, caller=caller, now=now, called=called
        )
        lines = [
            _judge_transaction(file, step, mapped_transaction, caller, now, plain_ones, called)
            for (step, _), mapped_transaction in zip(steps, mapped_transactions, strict=True)
        ]
        refused = sum(line.outcome == Outcome.REFUSED for line in lines)
        if not file.advanced(by=len(lines), refused=refused, now=now):
            # the other runner made these payments: undo ours
            transaction.set_rollback(True)
            return False
        FileTransaction.objects.bulk_create(lines)
    return True


def _iter_unjudged_transactions(
    file: PaymentFile,
) -> Iterator[tuple[MessageTransaction, MessageContext]]:
    """Yield the transactions of a file that were not judged yet."""
    # judged as of its receipt: a file that waited has no more past dates than when it came
    done, now = file.done, file.received_at
    reader = MessageReader(
        chunks=file.pieces(), kind=file.kind, version=file.version, in_name=file.in_name
    )
    for step in reader:
        # the message is parsed from its beginning each time, which is cheap beside the payments
        if step.number > done:
            assert reader.group is not None  # the header comes first
            yield step, build_message_context(file, reader.group, now)


def build_message_context(file: PaymentFile, group: GroupHeader, now: datetime) -> MessageContext:
    """Return what is known of the message of a file, and of where its payments may settle."""
    chosen = configured_rail()
    chains = chosen.chains if chosen is not None else frozenset()
    return MessageContext(file.version, file.digest, group, now, file.in_name, chains)


def _judge_transaction(
    file: PaymentFile,
    step: MessageTransaction,
    mapped_transaction: MappedTransaction,
    caller: Caller,
    now: datetime,
    made_already: Mapping[str, Payment],
    called: str,
) -> FileTransaction:
    """Return the outcome of a transaction; one that was not clearly new is tried by itself."""
    line, instruction = _build_line(file, mapped_transaction), mapped_transaction.instruction
    if instruction is None:
        return line
    if (payment := made_already.get(instruction.reference)) is not None:
        line.outcome, line.payment_id = Outcome.TAKEN, payment.payment_id
        return line
    try:
        with transaction.atomic():
            acceptance = accept_payment(
                instruction=instruction, caller=caller, now=now, called=called
            )
    except DatabaseError:
        raise
    except DomainError as error:
        code = REASON_CODES.get(error.code, "NARR")
        return _refuse_line(line, Fault(code, error.detail, step.part.path, step.part.node.line))
    except Exception:
        # one line that breaks must not stop the file; its sender learns that it was our fault
        # (FF10)
        logger.exception("transaction %s of payment file %s", step.number, file.pk)
        sentence = "It could not be processed on our side."
        return _refuse_line(line, Fault("FF10", sentence, step.part.path, step.part.node.line))
    if not acceptance.new:
        sentence = f"You already sent it: it is payment {acceptance.payment.payment_id}."
        return _refuse_line(line, Fault("AM05", sentence, step.part.path, step.part.node.line))
    line.outcome, line.payment_id = Outcome.TAKEN, acceptance.payment.payment_id
    return line


def _build_line(file: PaymentFile, mapped_transaction: MappedTransaction) -> FileTransaction:
    """Return the row of a transaction, refused until it is a payment."""
    return FileTransaction(
        file=file,
        number=mapped_transaction.number,
        outcome=Outcome.REFUSED,
        payment_info_id=mapped_transaction.payment_info_id,
        instruction_id=mapped_transaction.instruction_id,
        end_to_end_id=mapped_transaction.end_to_end_id,
        uetr=mapped_transaction.uetr,
        amount=format_decimal(mapped_transaction.amount)
        if mapped_transaction.amount is not None
        else "",
        currency=mapped_transaction.currency,
        creditor=mapped_transaction.creditor,
        faults=[serialize_fault(fault) for fault in mapped_transaction.faults],
        more=mapped_transaction.more,
    )


def _refuse_line(line: FileTransaction, fault: Fault) -> FileTransaction:
    line.faults = [serialize_fault(fault)]
    return line


def serialize_fault(fault: Fault) -> dict[str, str | int]:
    """Return a fault as rows and answers have it."""
    return {"code": fault.code, "text": fault.text, "path": fault.path, "line": fault.line}


def _is_unaltered(file: PaymentFile) -> bool:
    """Tell whether the stored file is the one received, by its MAC; stop the file if it is not."""
    digest = hashlib.sha256()
    for piece in file.pieces():
        digest.update(piece)
    if not file.fault and digest.hexdigest() == file.digest:
        return True
    logger.error("payment file %s: %s", file.pk, file.fault or ALTERED)
    PaymentFile.objects.filter(pk=file.pk, finished_at=None).update(trouble=ALTERED)
    return False
