"""Reads messages as the service does, without it."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from apps.payments.payments.pain001.faults import InvalidMessage
from apps.payments.payments.pain001.message_reader import (
    MessageReader,
    iter_chunks,
    reject_unsafe_bytes,
)
from apps.payments.payments.pain001.transactions import (
    MappedTransaction,
    MessageContext,
    map_transaction,
)
from apps.payments.payments.rails.sandbox import SandboxRail

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
SHA = "0" * 64


def read(
    raw: bytes | str,
    *,
    kind: str = "XML",
    version: str = "",
    now: datetime = NOW,
    in_name: bool = False,
) -> list[MappedTransaction]:
    """Return the mapped transactions of a message; InvalidMessage for one that is not taken."""
    data = raw.encode() if isinstance(raw, str) else raw
    reject_unsafe_bytes(data, kind=kind)
    reader = MessageReader(chunks=iter_chunks(data), kind=kind, version=version, in_name=in_name)
    found = []
    for step in reader:
        assert reader.group is not None
        about = MessageContext(reader.version, SHA, reader.group, now, in_name, SandboxRail.chains)
        found.append(
            map_transaction(
                step.part,
                number=step.number,
                head=step.head,
                message=about,
                uetr="made",
                earlier=step.earlier,
            )
        )
    return found


def read_twin(document: Any, *, version: str = "pain.001.001.09") -> list[MappedTransaction]:
    """The same of a twin, which may be a value or its text."""
    text = document if isinstance(document, str) else json.dumps(document, indent=1)
    return read(text, kind="JSON", version=version)


def codes(found: list[MappedTransaction]) -> list[set[str]]:
    """The reasons for which each transaction is refused."""
    return [{fault.code for fault in mapped_transaction.faults} for mapped_transaction in found]


def refusal(raw: bytes | str, **asked: Any) -> InvalidMessage:
    """What refuses a message as a whole."""
    try:
        read(raw, **asked)
    except InvalidMessage as fault:
        return fault
    raise AssertionError("the message was taken")


def same(found: list[MappedTransaction]) -> list[MappedTransaction]:
    """Transactions without the lines of their faults, which the formats count differently."""
    return [
        replace(
            mapped_transaction,
            faults=tuple(replace(fault, line=0) for fault in mapped_transaction.faults),
        )
        for mapped_transaction in found
    ]
