"""When messages are sent again, and what an answer means: two tables. Pure.

The specification says neither how often nor when (document 2 section 4): these are ours.
"""

from dataclasses import dataclass
from datetime import timedelta

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
# after each attempt that failed; the first is immediate
RETRY_DELAYS = (MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR)
MAX_ATTEMPTS = 1 + len(RETRY_DELAYS)


@dataclass(frozen=True, slots=True)
class SendFailure:
    """A way in which an attempt fails; `final` ones are not tried again."""

    word: str
    final: bool
    says: str


SEND_FAILURES = (
    SendFailure("timeout", False, "The counterparty did not answer in time"),
    SendFailure("unreachable", False, "The counterparty could not be reached"),
    SendFailure(
        "refused_address", False, "The endpoint leads to an address that may not be called"
    ),
    SendFailure("tls", False, "The counterparty’s certificate or TLS is invalid"),
    SendFailure("broken", False, "The connection was cut off, or the answer was not HTTP"),
    SendFailure(
        "redirect", False, "The counterparty answered with a redirect, which is not followed"
    ),
    SendFailure("status", False, "The counterparty answered with a status other than 2xx"),
    SendFailure("refused", True, "The counterparty refused the message"),
    SendFailure("gone", True, "The counterparty answered 410 Gone"),
    SendFailure("paused", False, "Sending to the counterparty is paused after repeated failures"),
    SendFailure("interrupted", False, "The sender was stopped while it sent: it may have arrived"),
    SendFailure(
        "unproved", False, "The directory entry failed its integrity check: nothing is sent"
    ),
    SendFailure("no_key", False, "The directory holds no signing key of the counterparty"),
    SendFailure("not_listed", True, "The directory has no entry of the counterparty for this day"),
    SendFailure("erased", True, "The content of the message was erased"),
    SendFailure("incomplete", True, "The message lacks data that the rule requires"),
)
FAILURES_BY_WORD = {send_failure.word: send_failure for send_failure in SEND_FAILURES}
# HTTP statuses by which a receiver says that it will never accept this message; 410 is `gone`
REFUSAL_STATUSES = frozenset({400, 409, 413, 415, 422})


def failure_word_of(error: str, status: int | None) -> str:
    """Return the word of the row by which an attempt failed, empty for one that did not."""
    return "refused" if error == "status" and status in REFUSAL_STATUSES else error


def retry_delay(*, tries: int, word: str) -> timedelta | None:
    """Return how long after the `tries`-th attempt the next is due; None: it was the last."""
    if FAILURES_BY_WORD[word].final or not 1 <= tries < MAX_ATTEMPTS:
        return None
    return RETRY_DELAYS[tries - 1]
