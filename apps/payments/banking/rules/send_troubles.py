"""Problems of a send that need an officer: one table. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SendTrouble:
    """One kind of problem; `code` never changes."""

    code: str
    says: str


UNCLEAR = SendTrouble(
    "SD-1", "The bank gave no clear answer, and it cannot be sent again: money may have left."
)
TWO_WITH_ONE_ID = SendTrouble("SD-2", "The bank reports it under another payment's id.")
FAILED = SendTrouble("SD-3", "The bank had accepted it, then reported that it was not completed.")
RETURNED = SendTrouble("SD-4", "The money came back.")
TROUBLES: tuple[SendTrouble, ...] = (UNCLEAR, TWO_WITH_ONE_ID, FAILED, RETURNED)
# the final state that the officer is notified of
TROUBLE_BY_STATE = {"FAILED": FAILED, "RETURNED": RETURNED}
