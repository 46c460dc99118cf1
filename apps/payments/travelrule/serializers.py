"""Shapes of the travel-rule ledger (document 2 sections 2.3 and 4)."""

from typing import Any

from rest_framework import serializers

from apps.payments.travelrule.rules.record_status import DIRECTIONS, RECORD_RULES
from apps.payments.travelrule.rules.transitions import STATUSES
from apps.platform.api.shapes import (
    EpochSeconds,
    Flag,
    FreeObject,
    Identifier,
    OneOf,
    Shape,
    Text,
    Whole,
)

EXPORT_FORMATS = ("json", "ndjson", "csv", "xlsx", "zip")
EXPORT_PRESETS = ("full", "ffiec")


class StepOut(Shape):
    """One step of a record."""

    status = OneOf(choices=STATUSES)
    event = Text()
    rule = Text(help_text="The row of the table that moved it.")
    at = EpochSeconds()


class RecordOut(Shape):
    """A travel-rule record; the first thirteen fields are document 2 section 2.3.

    `paymentId` is omitted for an inbound message that belongs to no payment here, `amountUsd` if
    its currency cannot be valued, `ivms101` once the record was erased or its retention is over.
    """

    id = Text()
    payment_id = Text(required=False)
    tms_reference = Text(
        required=False, help_text="The institution's own reference of the payment."
    )
    sender_payment_id = Text(
        required=False,
        help_text="The sender's reference of an inbound message, as in its header; not signed.",
    )
    direction = OneOf(choices=DIRECTIONS)
    applies = Flag(help_text="Whether the threshold is met.")
    amount_usd = Text(required=False)
    threshold_usd = Whole()
    status = OneOf(choices=STATUSES)
    created_at = EpochSeconds()
    retain_until = EpochSeconds()
    executed_at = EpochSeconds(
        required=False, help_text="When the transfer settled; not known for inbound messages."
    )
    notes = Text()
    ivms101 = FreeObject(required=False)
    regulation = Text()
    retention_requirement = Text()
    reason = OneOf(choices=tuple(dict.fromkeys(row.reason for row in RECORD_RULES)))
    rule = Text(help_text="The row of the table that decided, with `rules`, its version.")
    rules = Text()
    amount = Text(help_text="As in the message.")
    currency = Text()
    exchange_rate = Text(required=False, help_text="USD for one unit of `currency`.")
    rate_on = Text(required=False, help_text="The day of that rate.")
    network = Text(required=False)
    tx_hash = Text(required=False)
    dialect = Text(
        required=False, help_text="For an inbound message: the dialect in which it was read."
    )
    steps = StepOut(many=True)


class ExportQuery(Shape):
    """The records to export, by the time they were made and by status (document 2 section 4)."""

    # `from` is a keyword of Python: shapes drop a trailing underscore
    from_ = EpochSeconds(required=False, help_text="Epoch seconds; 0 by default.")
    to = EpochSeconds(required=False, help_text="Epoch seconds, inclusive; now by default.")
    status = OneOf(choices=STATUSES, required=False, help_text="All by default.")
    limit = Whole(required=False, min_value=1, max_value=500, help_text="100 by default.")
    offset = Whole(required=False, min_value=0, max_value=100_000, help_text="0 by default.")
    cursor = Text(required=False, max_length=200, help_text="`nextCursor` of an earlier answer.")
    format = OneOf(
        choices=EXPORT_FORMATS,
        required=False,
        help_text="The default `json` is a page; any other streams all selected records, without "
        "pages. `ndjson` and `zip` carry the signed manifest and can be verified offline.",
    )
    preset = OneOf(
        choices=EXPORT_PRESETS,
        required=False,
        help_text="Columns of a table: `full` by default, `ffiec` as in FFIEC Appendix O.",
    )
    since = Whole(
        required=False,
        min_value=1,
        help_text="The size of an earlier tree; `ndjson` and `zip` prove that it is part of this "
        "one. By default that of the last export.",
    )


class ExportOut(Shape):
    """One page of records, oldest first."""

    records = RecordOut(many=True)
    limit = Whole()
    offset = Whole()
    next_cursor = Text(
        required=False, help_text="Present if there are more; any depth costs the same."
    )
    withheld = Whole(
        required=False, help_text="Records of the page that failed their integrity check."
    )
    generated_at = EpochSeconds()


class ProofQuery(Shape):
    """The earlier tree for the proof of consistency."""

    since = Whole(
        required=False,
        min_value=1,
        help_text="The `size` of an earlier root, to prove that it is part of this one.",
    )


class SealedOut(Shape):
    """An event with the data from which its seal is recomputed (docs/travel-rule.md, Proofs)."""

    position = Whole(help_text="In the ledger, from 1; its leaf in the tree is one less.")
    previous = Text()
    record = FreeObject(help_text="The sealed content; times in microseconds since 1970.")
    content = Text(help_text="SHA-256 of `salt:payload`.")
    sealed_at = Whole(help_text="Microseconds since 1970.")
    digest = Text()
    path = serializers.ListField(
        child=Text(), help_text="The inclusion path, hexadecimal, lowest first."
    )
    payload = Text(required=False)
    salt = Text(required=False)


class ConsistencyOut(Shape):
    """Proof that the tree begins with an earlier one (RFC 9162 section 2.1.4)."""

    since = Whole()
    path = serializers.ListField(child=Text(), help_text="Hexadecimal, lowest first.")


class ProofOut(Shape):
    """The events of a record in the last signed tree; `waiting` are not yet sealed and signed."""

    id = Text()
    payment_id = Text()
    made = FreeObject(required=False, help_text="The row that the first event was sealed over.")
    events = SealedOut(many=True)
    waiting = Whole()
    root = FreeObject(  # type: ignore[assignment]
        required=False, help_text="Signed (Ed25519) over its canonical form."
    )
    consistency = ConsistencyOut(required=False)
    stamp = FreeObject(
        required=False,
        help_text="If there is one: `token` (RFC 3161, DER in base64) over the SHA-256 of the "
        "canonical form of its `root`, the first signed root that contains the events; "
        "`path` proves that the tree of `root` above begins with that one.",
    )


class MessageIn(Shape):
    """A counterparty's IVMS 101 message, in any known dialect."""

    FREE = True

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Pass a body through; what it holds is judged as a message, not as a shape."""
        return {"body": data}


class WarningOut(Shape):
    """A deviation of the message from the standard that was accepted."""

    rule = Text()
    pointer = Text(help_text="RFC 6901, into the message that was sent.")
    message = Text()


class ReceivedOut(Shape):
    """The result of an inbound message."""

    id = Identifier()
    status = OneOf(choices=STATUSES)
    direction = OneOf(choices=DIRECTIONS)
    payment_id = Text(required=False, help_text="If it was linked to a payment of ours.")
    duplicate = Flag(help_text="The same message was received before: this is its record.")
    dialect = Text()
    warnings = WarningOut(many=True)
    created_at = EpochSeconds()
    retain_until = EpochSeconds()
