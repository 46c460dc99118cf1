"""Decide which payments enter the profiles of their two wallets. Pure. Document 1 section 2.4.

A profile covers payments that go. An attempt raises only the running risk of the screened wallet.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any


class OtherChecks(Enum):
    """What the other checks of a payment come to; PAYEE_BLOCKED stops it too."""

    PASS = auto()
    STOP = auto()  # one blocks or holds the payment
    PAYEE_BLOCKED = auto()  # one blocks it by the name of who is paid


@dataclass(frozen=True, slots=True)
class ScreenAttempt:
    """The facts of a screen that decide whether its payment enters profiles.

    `valued`: its amount is known in USD. `before`: an earlier screen counted the payment. `there`:
    the last screen from its other side blocked it. `stopped`: another check of the caller blocks
    it. `holds`: the caller holds payments that this screen flags.
    """

    action: str
    valued: bool = True
    before: bool = False
    there: bool = False
    stopped: bool = False
    holds: bool = False


@dataclass(frozen=True, slots=True)
class ExclusionRule:
    """A row of the table: why a payment enters no profile by this screen."""

    code: str
    words: str
    when: Callable[[ScreenAttempt], bool]


EXCLUSIONS: tuple[ExclusionRule, ...] = (  # the first that holds
    ExclusionRule("COUNTED", "an earlier screen counted it", lambda t: t.before),
    # A blocked payment never moved: it ties no two wallets and makes neither mature. Otherwise
    # anybody who names a listed wallet as payer would taint the wallet that they name as payee.
    ExclusionRule("BLOCKED", "this screen blocks it", lambda t: t.action == "BLOCK"),
    ExclusionRule("BLOCKED_THERE", "its other side's screen blocked it", lambda t: t.there),
    ExclusionRule("STOPPED", "another check of it blocks", lambda t: t.stopped),
    # counted when an officer lets it go
    ExclusionRule("HELD", "it waits for an officer", lambda t: t.action == "FLAG" and t.holds),
    ExclusionRule("NO_VALUE", "there is no rate for its currency", lambda t: not t.valued),
)


def find_exclusion(tried: ScreenAttempt) -> str:
    """Return by which row a payment enters no profile; "" where it enters both."""
    return next((exclusion.code for exclusion in EXCLUSIONS if exclusion.when(tried)), "")


def find_count_fault(*, counted: bool, action: str, evidence: Mapping[str, Any]) -> str:
    """Return in words how a record contradicts the table; "" where it does not."""
    uncounted = evidence["uncounted"]
    tells = ScreenAttempt(
        action,
        valued=evidence["usd"] is not None,
        stopped=uncounted == "STOPPED",
        holds=uncounted == "HELD",
    )
    # counted exactly if nothing excludes it: STOPPED and HELD are the caller's word, which the
    # record has
    if counted is not bool(uncounted or find_exclusion(tells)):
        return ""
    return f"its last screen is {'counted' if counted else 'not counted'}, contrary to the rules"
