"""What officers are told of a payment of ours that did not simply go: one table. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SendTrouble:
    """One kind of trouble; `code` never changes."""

    code: str
    says: str


UNCLEAR = SendTrouble(
    "SD-1", "The bank gave no clear answer, and it cannot be sent again: money may have left."
)
TWO_WITH_ONE_ID = SendTrouble("SD-2", "The bank names it by the id of another payment.")
FAILED = SendTrouble("SD-3", "The bank had taken it and tells that it did not go.")
RETURNED = SendTrouble("SD-4", "The money came back.")
TROUBLES: tuple[SendTrouble, ...] = (UNCLEAR, TWO_WITH_ONE_ID, FAILED, RETURNED)
# which of its ends an officer is told of
TROUBLE_BY_STATE = {"FAILED": FAILED, "RETURNED": RETURNED}
