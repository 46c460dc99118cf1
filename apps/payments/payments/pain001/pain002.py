"""Answers in pain.002: the status of a message, and of each of its transactions.

A .03 message is answered in pain.002.001.03, any later one in pain.002.001.10. Codes of statuses:
docs/pain001.md. A report of thousands of transactions is made while it is sent.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from uuid import UUID

from apps.payments.payments import integrity
from apps.payments.payments.models import Payment
from apps.payments.payments.pain001.faults import Fault
from apps.payments.payments.pain001.headers import GroupHeader
from apps.payments.payments.pain001.models import FileTransaction, PaymentFile
from apps.payments.payments.pain001.rules import NO_REFERENCE
from apps.payments.payments.pain001.statuses import (
    load_group_status,
    reasons_of_transaction,
    status_of_transaction,
)
from apps.payments.payments.pain001.versions import OLDEST, answer_version_of
from apps.platform.common.batches import iter_chunks
from apps.platform.crypto.canonical import canonical_digest

BATCH = 500
# Max105Text, Max35Text
LONGEST_TEXT = 105
LONGEST_ID = 35
# what XML 1.0 cannot hold (section 2.2)
_UNFIT = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class ReportHeader:
    """What a report says of a message, beside its transactions.

    `reference` is the report's own id, a new one each time: readers drop a report whose id they
    have seen.
    """

    reference: str
    message_id: str
    version: str
    created: str = ""
    count: str = ""
    total: str = ""
    status: str = "RJCT"


def render_refusal_report(
    *,
    faults: Iterable[Fault],
    version: str,
    group: GroupHeader | None,
    reference: str,
    now: datetime,
) -> Iterator[str]:
    """Yield the report of a message that is refused as a whole."""
    report_header = ReportHeader(
        reference=canonical_digest([reference, now])[:LONGEST_ID],
        message_id=group.message_id if group else NO_REFERENCE,
        version=version,
        created=group.created if group else "",
        count=group.count if group else "",
        total=group.total if group else "",
    )
    yield from _render_opening(
        report_header, now, "".join(_render_reasons([(fault.code, str(fault)) for fault in faults]))
    )
    yield _CLOSED


def render_status_report(file: PaymentFile, *, now: datetime) -> Iterator[str]:
    """Yield the current status report of a file, with one status for each judged transaction."""
    report_header = ReportHeader(
        reference=canonical_digest([str(file.file_id), now])[:LONGEST_ID],
        message_id=file.message_id,
        version=file.version,
        created=file.created,
        count=str(file.total),
        total=file.amounts,
        status=load_group_status(file),
    )
    yield from _render_opening(report_header, now, "")
    open_id = None
    for lines in iter_chunks(file.transactions.order_by("number").iterator(BATCH), BATCH):
        payments = load_payments_of_lines(lines, owner=file.owner)
        for line in lines:
            # transactions come in the order of the message, so those of one PmtInf are together
            if line.payment_info_id != open_id:
                yield "</OrgnlPmtInfAndSts>" if open_id is not None else ""
                yield f"<OrgnlPmtInfAndSts>{_render_tag('OrgnlPmtInfId', line.payment_info_id)}"
                open_id = line.payment_info_id
            payment = payments.get(line.payment_id) if line.payment_id else None
            faults = reasons_of_transaction(line, payment)
            if line.payment_id and payment is None:
                faults = [{"code": "NARR", "text": integrity.INTEGRITY_FAILED}]
            parts = [
                "<TxInfAndSts>",
                _render_tag("StsId", line.payment_id.hex if line.payment_id else ""),
                _render_tag("OrgnlInstrId", line.instruction_id),
                _render_tag("OrgnlEndToEndId", line.end_to_end_id),
                # pain.002.001.03 has no such element
                _render_tag("OrgnlUETR", line.uetr) if (file.version != OLDEST) else "",
                _render_tag("TxSts", status_of_transaction(line, payment)),
                *_render_reasons([(str(fault["code"]), str(fault["text"])) for fault in faults]),
                _render_tag("AcctSvcrRef", line.payment_id.hex if line.payment_id else ""),
                "</TxInfAndSts>",
            ]
            yield "".join(parts)
    yield "</OrgnlPmtInfAndSts>" if open_id is not None else ""
    yield _CLOSED


def load_payments_of_lines(lines: Iterable[FileTransaction], *, owner: str) -> dict[UUID, Payment]:
    """Return the payments of some transactions of an owner's file by their ids, in one query.

    A payment that fails its integrity check is omitted.
    """
    ids = [line.payment_id for line in lines if line.payment_id is not None]
    return integrity.load_verified_payments(ids, owner=owner) if ids else {}


def _render_opening(report_header: ReportHeader, now: datetime, reasons: str) -> Iterator[str]:
    version = answer_version_of(report_header.version)
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f'<Document xmlns="urn:iso:std:iso:20022:tech:xsd:{version}"><CstmrPmtStsRpt>'
    moment = now.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    created = _render_tag("CreDtTm", moment)
    yield f"<GrpHdr>{_render_tag('MsgId', report_header.reference)}{created}</GrpHdr>"
    yield "<OrgnlGrpInfAndSts>"
    yield _render_tag("OrgnlMsgId", report_header.message_id)
    yield _render_tag("OrgnlMsgNmId", report_header.version)
    yield _render_tag("OrgnlCreDtTm", report_header.created)
    yield _render_tag("OrgnlNbOfTxs", report_header.count)
    yield _render_tag("OrgnlCtrlSum", report_header.total)
    yield _render_tag("GrpSts", report_header.status)
    yield reasons
    yield "</OrgnlGrpInfAndSts>"


_CLOSED = "</CstmrPmtStsRpt></Document>\n"


def _render_reasons(reasons: Iterable[tuple[str, str]]) -> Iterator[str]:
    for code, text in reasons:
        # AddtlInf repeats: a long sentence is continued in the next one
        pieces = (text[at : at + LONGEST_TEXT] for at in range(0, len(text), LONGEST_TEXT))
        details = "".join(_render_tag("AddtlInf", piece.strip()) for piece in pieces)
        yield f"<StsRsnInf><Rsn>{_render_tag('Cd', code)}</Rsn>{details}</StsRsnInf>"


def _render_tag(name: str, text: str) -> str:
    if not text:
        return ""
    # texts of the message go back into XML: control characters would make the report invalid
    return f"<{name}>{escape(_UNFIT.sub('?', text), quote=False)}</{name}>"
