"""What officers are told of a payment of ours that did not simply go: one table. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Trouble:
    """One kind of trouble; `code` never changes."""

    code: str
    says: str


UNCLEAR = Trouble(
    "SD-1", "The bank gave no clear answer, and it cannot be sent again: money may have left."
)
TWO_WITH_ONE_ID = Trouble("SD-2", "The bank names it by the id of another payment.")
FAILED = Trouble("SD-3", "The bank had taken it and tells that it did not go.")
RETURNED = Trouble("SD-4", "The money came back.")
TROUBLES: tuple[Trouble, ...] = (UNCLEAR, TWO_WITH_ONE_ID, FAILED, RETURNED)
# which of its ends an officer is told of
OF_END = {"FAILED": FAILED, "RETURNED": RETURNED}
