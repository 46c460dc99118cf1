"""Reads messages as the service does, without it."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from apps.payments.pain001.faults import MessageFaulty
from apps.payments.pain001.intake import Reader, check_bytes, chunks_of
from apps.payments.pain001.transactions import Mapped, Message, mapped
from apps.payments.rails.sandbox import Sandbox

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
SHA = "0" * 64


def read(
    raw: bytes | str,
    *,
    kind: str = "XML",
    version: str = "",
    now: datetime = NOW,
    in_name: bool = False,
) -> list[Mapped]:
    """Return the mapped transactions of a message; MessageFaulty for one that is not taken."""
    data = raw.encode() if isinstance(raw, str) else raw
    check_bytes(data, kind=kind)
    reader = Reader(chunks=chunks_of(data), kind=kind, version=version, in_name=in_name)
    found = []
    for step in reader:
        assert reader.group is not None
        about = Message(reader.version, SHA, reader.group, now, in_name, Sandbox.chains)
        found.append(
            mapped(
                step.part,
                number=step.number,
                head=step.head,
                message=about,
                uetr="made",
                earlier=step.earlier,
            )
        )
    return found


def read_twin(document: Any, *, version: str = "pain.001.001.09") -> list[Mapped]:
    """The same of a twin, which may be a value or its text."""
    text = document if isinstance(document, str) else json.dumps(document, indent=1)
    return read(text, kind="JSON", version=version)


def codes(found: list[Mapped]) -> list[set[str]]:
    """The reasons for which each transaction is refused."""
    return [{fault.code for fault in one.faults} for one in found]


def refusal(raw: bytes | str, **asked: Any) -> MessageFaulty:
    """What refuses a message as a whole."""
    try:
        read(raw, **asked)
    except MessageFaulty as fault:
        return fault
    raise AssertionError("the message was taken")


def same(found: list[Mapped]) -> list[Mapped]:
    """Transactions without the lines of their faults, which the formats count differently."""
    return [
        replace(one, faults=tuple(replace(fault, line=0) for fault in one.faults)) for one in found
    ]
