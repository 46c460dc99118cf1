"""Shapes of messages, and of the files that they become."""

from typing import Any

from rest_framework import serializers

from apps.payments.payments.rules.transitions import STATES as PAYMENT_STATES
from apps.payments.payments.serializers import (
    ComplianceOut,
    PayeeCheckOut,
    PaymentOut,
    SettlementOut,
)
from apps.platform.api.pagination import PageQuery
from apps.platform.api.shapes import EpochSeconds, OneOf, Shape, Text, Whole

STATES = ("WORKING", "DONE", "STOPPED")
GROUP_STATUSES = ("ACTC", "ACCP", "PART", "RJCT")


class MessageIn(Shape):
    """A message of pain.001, exactly as sent; its fields are ISO 20022's."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Pass a body through; what it holds is judged as a message, not as a shape."""
        return {"body": data}


class FileOut(Shape):
    """An accepted message, and the progress of its transactions."""

    file_id = Text()
    message_id = Text(help_text="GrpHdr/MsgId.")
    format = Text(help_text="XML or JSON.")
    version = Text(help_text="Such as pain.001.001.09.")
    sha256 = Text(help_text="Of the bytes that were sent.")
    size = Whole(help_text="Bytes.")
    state = OneOf(choices=STATES)
    group_status = OneOf(
        choices=GROUP_STATUSES,
        help_text="ISO 20022: PART if some of its transactions are RJCT, RJCT if all are.",
    )
    transactions = Whole(help_text="The number of transactions in the message.")
    judged = Whole()
    accepted = Whole(help_text="The number that became payments, whatever their outcome.")
    refused = Whole(help_text="The number that did not become payments.")
    trouble = Text(required=False, help_text="If it is STOPPED.")
    received_at = EpochSeconds()
    finished_at = EpochSeconds(required=False)


class ReasonOut(Shape):
    """Why a transaction is RJCT: it was refused, or the `error` of its payment."""

    code = Text(help_text="ExternalStatusReason1Code of ISO 20022.")
    text = Text()
    path = Text(
        help_text="Below Document/CstmrCdtTrfInitn; empty if the reason is outside the message."
    )
    line = Whole(help_text="Of the file; 0 if unknown.")


class LineOut(Shape):
    """A judged transaction of a message."""

    number = Whole(help_text="In the whole message, from 1.")
    payment_info_id = Text()
    instruction_id = Text(required=False)
    end_to_end_id = Text()
    uetr = Text(help_text="Ours if the message has none.")
    status = Text(help_text="ISO 20022: ACTC, ACCP, ACSP, ACSC, PDNG, RJCT.")
    svc_payment_id = Text(required=False, help_text="The payment that it became.")
    reasons = serializers.ListField(child=ReasonOut())
    unmapped = serializers.ListField(
        child=Text(), required=False, help_text="Paths in it that are not read."
    )


class MessageOut(PaymentOut):
    """The result of a message: the payment of its one transaction, or a file being processed."""

    svc_payment_id = Text(required=False, help_text="If the message has one transaction.")
    tms_reference = Text(required=False)
    status = OneOf(required=False, choices=PAYMENT_STATES)
    submitted_at = EpochSeconds(required=False)
    settled_at = EpochSeconds(required=False)
    settlement = SettlementOut(required=False)
    vop = PayeeCheckOut(required=False)
    compliance = ComplianceOut(required=False)
    error = Text(required=False)
    file = FileOut()
    unmapped = serializers.ListField(
        child=Text(), required=False, help_text="Paths that are not read."
    )


class FilesQuery(PageQuery):
    """Which files."""

    message_id = Text(required=False, max_length=35, help_text="GrpHdr/MsgId.")


class FilesOut(Shape):
    """Messages, newest first."""

    items = FileOut(many=True)  # type: ignore[assignment]
    next = Text(allow_null=True)
    previous = Text(allow_null=True)


class LinesQuery(PageQuery):
    """Which transactions."""

    outcome = OneOf(
        required=False,
        choices=("TAKEN", "REFUSED"),
        help_text="Its outcome when the message was processed. TAKEN: it became a payment. "
        "REFUSED: it did not. A payment that was blocked or failed since then is TAKEN, "
        "with the status RJCT.",
    )


class LinesOut(Shape):
    """Transactions of a message, in their order."""

    items = LineOut(many=True)  # type: ignore[assignment]
    next = Text(allow_null=True)
    previous = Text(allow_null=True)
