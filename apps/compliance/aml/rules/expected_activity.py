"""Expected activity of an institution as declared, for the engine. Pure.

DESIGN.md section 4, 2.4. A declaration replaces missing history: while a wallet is too young to
have one, activity within the declared numbers counts as usual.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from apps.compliance.aml.rules.profile import DUST, Profile

MONTH = 30 * 86_400
STANDS_IN = 3 * MONTH  # from the first payment on; then the wallet has a history of its own
MORE = 150  # per cent of what was declared: as much as is usual (behaviour.TIMES)


@dataclass(frozen=True, slots=True)
class ActivityKind:
    """A row of the table of kinds. `passes`: money of others that goes on is this business."""

    code: str
    title: str
    passes: bool = False


KINDS: tuple[ActivityKind, ...] = (
    ActivityKind("SUPPLIERS", "Suppliers and services"),
    ActivityKind("WAGES", "Wages and freelancers"),
    ActivityKind("RENT", "Rent and leases"),
    ActivityKind("TAXES", "Taxes and duties"),
    ActivityKind("REFUNDS", "Refunds to customers"),
    ActivityKind("CUSTOMERS", "Customers who pay"),
    ActivityKind("DONATIONS", "Donations received"),
    ActivityKind("GRANTS", "Grants and stipends"),
    ActivityKind("PAYOUTS", "Payouts of what was collected for others", passes=True),
    ActivityKind("CLIENT_MONEY", "Clients' money held for a time", passes=True),
    ActivityKind("SWEEPS", "Sweeps between companies of one group", passes=True),
    ActivityKind("TRADES", "Exchange and trading", passes=True),
    ActivityKind("INVESTMENTS", "Investments"),
    ActivityKind("CAPITAL", "Capital and loans"),
)
KIND_BY_CODE = {kind.code: kind for kind in KINDS}


@dataclass(frozen=True, slots=True)
class ActivityLine:
    """The declaration of one kind: a month's numbers, and the largest payment, in whole USD."""

    kind: str
    payments: int
    volume: int
    counterparties: int
    largest: int


@dataclass(frozen=True, slots=True)
class ExpectedActivity:
    """The sums of a declaration: payments, volume and counterparties of a month, in micro-units.

    `passes` says that money of others goes on in this business.
    """

    payments: int
    volume: int
    counterparties: int
    largest: int
    passes: bool

    def covers(self, *, own: Profile, amount: int, at: int) -> bool:
        """Return whether a payment keeps a wallet within what was declared, half as much added."""
        # a declaration stands in for missing history, so it ends when the wallet has its own
        begun = own.first_at if own.count else at
        if at - begun >= STANDS_IN:
            return False
        # the month that has begun counts in full
        months = 1 + (at - begun) // MONTH
        within = (
            (own.count + 1, self.payments * months),
            (own.volume + amount, self.volume * months),
            (own.met, self.counterparties * months),
            (amount, self.largest),
        )
        # in whole numbers, so that the bound is exact
        return all(100 * now <= MORE * most for now, most in within)


def sum_declared_lines(lines: Iterable[ActivityLine]) -> ExpectedActivity:
    """Return what the lines of a declaration come to."""
    rows = tuple(lines)
    return ExpectedActivity(
        payments=sum(row.payments for row in rows),
        volume=sum(row.volume for row in rows) * DUST,
        counterparties=sum(row.counterparties for row in rows),
        largest=max((row.largest for row in rows), default=0) * DUST,
        passes=any(KIND_BY_CODE[row.kind].passes for row in rows),
    )


def parse_stored_lines(stored: Iterable[Mapping[str, Any]]) -> tuple[ActivityLine, ...]:
    """Return the lines of a declaration as a row holds them."""
    return tuple(ActivityLine(**line) for line in stored)
