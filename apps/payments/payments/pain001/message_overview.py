"""Check a pain.001 message as a whole before its payments are read."""

from decimal import Decimal

from apps.payments.payments.pain001.faults import Fault, InvalidMessage
from apps.payments.payments.pain001.headers import GroupHeader
from apps.payments.payments.pain001.message_reader import (
    MessageOverview,
    MessageReader,
    iter_chunks,
    reject_unsafe_bytes,
)
from apps.payments.payments.pain001.rules import MESSAGE_RULES, MessageFacts, find_violated_rules


def summarize_message(
    raw: bytes, *, kind: str, version: str, in_name: bool = False
) -> tuple[MessageOverview, GroupHeader]:
    """Read a whole message and return only its overview.

    Raises InvalidMessage, with ISO's codes, for a message that is refused.
    """
    reject_unsafe_bytes(raw, kind=kind)
    message_overview = MessageOverview()
    reader = MessageReader(chunks=iter_chunks(raw), kind=kind, version=version, in_name=in_name)
    try:
        for step in reader:
            message_overview.count = step.number
            # kept for a message of one transaction, which is judged in the same call
            message_overview.only = step if step.number == 1 else None
    except InvalidMessage as fault:
        # a refusal in pain.002 names the message as far as it was read
        fault.group = reader.group
        fault.version = reader.version
        raise
    # the reader raises for a message without a header
    assert reader.group is not None
    message_overview.version, message_overview.total, message_overview.extras = (
        reader.version,
        reader.total,
        reader.extras,
    )
    return message_overview, reader.group


def find_foreign_initiators(group: GroupHeader, known: frozenset[str]) -> list[Fault]:
    """Return the fault of a message whose initiating party is not this client's (row 5)."""
    # without counts and sums only the rule about the sender can be violated
    facts = MessageFacts(
        said_count="",
        count=0,
        said_sum="",
        total=Decimal(0),
        initiators=group.initiators,
        known=known,
    )
    return [
        Fault(r.reason, r.text(facts), f"GrpHdr/{r.path}")
        for r in find_violated_rules(MESSAGE_RULES, facts)
    ]
