"""What enters the profiles of a payment's two wallets. Pure. Document 1 section 2.4.

A profile is of payments that go: what is blocked never moved, so it is no tie between two wallets
and makes neither of them mature. What is held has not moved yet, and is counted as it goes. Else
whoever names a listed wallet as a payer would taint the wallet of anybody they name as paid. What
was tried raises the running risk of the wallet that was screened, and nothing else.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Tried:
    """A screen as it is asked whether its payment enters profiles.

    `valued`: its amount is known in USD. `before`: an earlier screen counted the payment. `there`:
    the last screen of it from its other side blocked it. `stopped`: its caller says that another
    check blocks it. `holds`: its caller lets no payment go that this screen flags.
    """

    action: str
    valued: bool = True
    before: bool = False
    there: bool = False
    stopped: bool = False
    holds: bool = False


@dataclass(frozen=True, slots=True)
class Out:
    """A row of the table: why a payment enters no profile by this screen."""

    code: str
    words: str
    when: Callable[[Tried], bool]


OUTS: tuple[Out, ...] = (  # the first that holds
    Out("COUNTED", "an earlier screen counted it", lambda t: t.before),
    Out("BLOCKED", "this screen blocks it", lambda t: t.action == "BLOCK"),
    Out("BLOCKED_THERE", "its other side's screen blocked it", lambda t: t.there),
    Out("STOPPED", "another check of it blocks", lambda t: t.stopped),
    Out("HELD", "it waits for an officer", lambda t: t.action == "FLAG" and t.holds),
    Out("NO_VALUE", "no rate values it", lambda t: not t.valued),
)


def kept_out(tried: Tried) -> str:
    """Return by which row a payment enters no profile; "" where it enters both."""
    return next((one.code for one in OUTS if one.when(tried)), "")


def count_fault(*, counted: bool, action: str, evidence: Mapping[str, Any]) -> str:
    """Return in words how a record contradicts the table; "" where it does not."""
    said = evidence["uncounted"]
    tells = Tried(
        action,
        valued=evidence["usd"] is not None,
        stopped=said == "STOPPED",
        holds=said == "HELD",
    )
    if counted is not bool(said or kept_out(tells)):
        return ""
    return f"its last screen is {'counted' if counted else 'not counted'}, against the rules of it"
