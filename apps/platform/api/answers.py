"""Results that `conclude` may return instead of plain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.platform.common.problems import DomainError


@dataclass(frozen=True, slots=True)
class Answer:
    """Values with another status, with headers, or with a text that is sent instead of them.

    `xml` is the same answer in XML, for callers who sent XML.
    """

    values: Mapping[str, Any]
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    xml: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal of a call that still keeps what the call wrote: a case, a log entry.

    The caller sees only the problem and is not billed, and their Idempotency-Key is free again. Not
    for an operation that takes payments: those are settled before `conclude` runs.
    """

    problem: DomainError
