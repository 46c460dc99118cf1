"""When messages are sent again, and what an answer means: two tables. Pure.

The specification says neither how often nor when (document 2 section 4): these are ours.
"""

from dataclasses import dataclass
from datetime import timedelta

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
# after each attempt that failed; the first is immediate
WAITS = (MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR)
ATTEMPTS = 1 + len(WAITS)


@dataclass(frozen=True, slots=True)
class Failure:
    """A way in which an attempt fails; `final` ones are not tried again."""

    word: str
    final: bool
    says: str


FAILURES = (
    Failure("timeout", False, "The counterparty did not answer in time"),
    Failure("unreachable", False, "The counterparty could not be reached"),
    Failure("refused_address", False, "The endpoint leads to an address that may not be called"),
    Failure("tls", False, "The counterparty’s certificate or TLS is not in order"),
    Failure("broken", False, "The connection broke off, or did not speak HTTP"),
    Failure("redirect", False, "The counterparty answered with a redirect: none is followed"),
    Failure("status", False, "The counterparty answered with another status than 2xx"),
    Failure("refused", True, "The counterparty refused the message"),
    Failure("gone", True, "The counterparty answered 410 Gone"),
    Failure("paused", False, "The counterparty is left alone after failures in a row"),
    Failure("interrupted", False, "The sender was stopped while it sent: it may have arrived"),
    Failure("unproved", False, "The directory’s entry is not as it was recorded: nothing is sent"),
    Failure("no_key", False, "The directory holds no signing key of the counterparty"),
    Failure("not_listed", True, "The directory has no entry of the counterparty for this day"),
    Failure("erased", True, "What the message said was erased"),
    Failure("incomplete", True, "The message lacks what the rule wants"),
)
BY_WORD = {one.word: one for one in FAILURES}
# statuses by which a receiver says that this message will never do
REFUSES = frozenset({400, 409, 413, 415, 422})


def word_of(error: str, status: int | None) -> str:
    """Return by which row of the table an attempt failed, empty for one that did not."""
    return "refused" if error == "status" and status in REFUSES else error


def wait(*, tries: int, word: str) -> timedelta | None:
    """Return how long after the `tries`-th attempt the next is due; None: it was the last."""
    if BY_WORD[word].final or not 1 <= tries < ATTEMPTS:
        return None
    return WAITS[tries - 1]
