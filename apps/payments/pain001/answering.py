"""What a message is answered: its payment, or its file; in JSON, or as pain.002 in XML."""

from datetime import datetime
from typing import Any

from apps.core.callers import Caller
from apps.core.pipeline import Answer
from apps.payments.models import Payment
from apps.payments.pain001 import receiving
from apps.payments.pain001.models import PaymentFile
from apps.payments.pain001.pain002 import report
from apps.payments.pain001.receiving import Body, Looked
from apps.payments.pain001.statuses import group_status
from apps.payments.projection import proved
from apps.payments.result import result


def conclude(*, asked: Body, gathered: Looked, caller: Caller, now: datetime) -> Answer:
    """Take a message: 202 for a new one, 200 for one that was taken before."""
    file, new = receiving.receive(asked=asked, looked=gathered, caller=caller, now=now)
    beside = gathered.overview.extras
    said: dict[str, Any] = {
        "file": values_of(file, group_status(file)),
        "unmapped": [*gathered.group.unmapped, *beside],
    }
    headers = {"Location": f"{asked.address}/{file.file_id}"}
    if file.total == 1:
        receiving.insist_on_payment(file, asked, gathered.group, now=now)
        payment = proved(Payment.objects.get(payment_id__in=file.transactions.values("payment_id")))
        source = payment.instructed.source
        said |= result(payment) | {"unmapped": [*(source.unmapped if source else ()), *beside]}
        headers["X-SVC-PaymentId"] = str(payment.payment_id)
    xml = "".join(report(file, now=now)) if asked.answer_xml else ""
    return Answer(said, status=202 if new else 200, headers=headers, xml=xml)


def values_of(file: PaymentFile, status: str) -> dict[str, Any]:
    """Return the values of FileOut; `status` is that of the message (statuses.py)."""
    found = {
        "file_id": str(file.file_id),
        "message_id": file.message_id,
        "format": file.kind,
        "version": file.version,
        "sha256": file.digest,
        "size": file.size,
        "state": file.state,
        "group_status": status,
        "transactions": file.total,
        "judged": file.done,
        "accepted": file.taken,
        "refused": file.refused,
        "received_at": file.received_at,
    }
    if file.trouble:
        found["trouble"] = file.trouble
    if file.finished_at is not None:
        found["finished_at"] = file.finished_at
    return found
