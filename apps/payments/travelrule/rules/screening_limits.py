"""Limits of screening the parties of a message, and of the cases that one sender opens. Pure."""

from dataclasses import dataclass

# A message costs its sender nothing: without limits, one key could occupy all workers and officers.
MAX_PARTIES = 40  # parties of one message whose names are compared
MAX_NAME_LENGTH = 200  # as the combined screen has it
MAX_ADDRESS_LENGTH = 2_000  # of all addresses of a party, as they are compared with listed ones
MAX_CASES = 20  # of one counterparty and day; then one for all others
MAX_CASES_OF_SHARED_KEY = 100  # of a day and all whom messages by one shared key name


@dataclass(frozen=True, slots=True)
class ScreeningRule:
    """One rule: `ref` names it in cases, `says` is for officers."""

    ref: str
    says: str


NOT_SCREENED = ScreeningRule("TR-S1", "The parties of the message could not be screened.")
SCREENED_IN_PART = ScreeningRule(
    "TR-S2",
    f"Not fully screened: the message has more than {MAX_PARTIES} parties, or a name, account "
    "or address beyond the length limit. The omitted parts are named below.",
)
TOO_MANY = ScreeningRule(
    "TR-S3",
    f"Messages of this counterparty made {MAX_CASES} cases today: this one covers all further "
    "ones of the day. Its messages state their parties.",
)
SCREENING_RULES = (NOT_SCREENED, SCREENED_IN_PART, TOO_MANY)
