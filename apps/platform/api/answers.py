"""What `conclude` may return instead of plain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.platform.common.problems import DomainError


@dataclass(frozen=True, slots=True)
class Answer:
    """Values with another status, headers, or a text that goes out in their place.

    `xml` is the same answer in XML, for who sent XML.
    """

    values: Mapping[str, Any]
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    xml: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The refusal of a call that keeps what it wrote: a case, a log entry.

    The caller sees the problem and nothing else, is billed nothing, and their Idempotency-Key is
    free. Not for an operation that takes payments: those are settled before anything is concluded.
    """

    problem: DomainError
