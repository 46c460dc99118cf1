"""What is wrong with a message or with one transaction, by ISO 20022's reason codes. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

# enough to correct a file; a broken one would otherwise repeat its fault thousands of times
MOST_FAULTS = 20


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: its code of ISO 20022's ExternalStatusReason1Code, a sentence, and where it is.

    `path` is below `/Document/CstmrCdtTrfInitn`, with numbers from 1 where an element repeats;
    `line` is 0 if lines were not counted.
    """

    code: str
    text: str
    path: str = ""
    line: int = 0

    def __str__(self) -> str:
        where = f"line {self.line}, " if self.line else ""
        return f"{where}{self.path}: {self.text}" if self.path else self.text


class InvalidMessage(Exception):
    """The message as a whole cannot be taken: each fault with its code, the most severe first.

    `group` is its header and `version` its version, if the reader got that far.
    """

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)[:MOST_FAULTS]
        self.group: Any = None
        self.version = ""
        super().__init__(str(self.faults[0]))


def unreadable_message(text: str, *, path: str = "", line: int = 0) -> InvalidMessage:
    """Return the refusal of a body that is not a pain.001 message at all (FF01)."""
    return InvalidMessage([Fault("FF01", text, path, line)])
