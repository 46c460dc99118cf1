"""Where what we think and the bank's statement differ: one table. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from apps.banking.rules.routing import OVER


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the statement; `amount` is negative where it leaves the account."""

    bank_id: str
    amount: Decimal
    status: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    """What we think of a transaction: that it was sent by us, or routed."""

    bank_id: str
    amount: Decimal
    note: str = ""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of difference; `code` never changes."""

    code: str
    says: str


MISSING = Kind("RC-1", "The bank's statement does not have it.")
UNKNOWN = Kind("RC-2", "The bank's statement has it, and we know nothing of it.")
AMOUNT = Kind("RC-3", "The bank's statement has another amount.")
STATE = Kind("RC-4", "At the bank it did not come about.")
TWICE = Kind("RC-5", "The bank's statement has it twice.")
CHAIN = Kind("RC-6", "It counts as settled, and the chain does not have it as final.")
KINDS: tuple[Kind, ...] = (MISSING, UNKNOWN, AMOUNT, STATE, TWICE, CHAIN)


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference: about which transaction, and both amounts where there are both."""

    kind: Kind
    bank_id: str
    ours: Decimal | None = None
    theirs: Decimal | None = None


def differences(
    held: Iterable[Held], entries: Iterable[Entry], *, told: Iterable[str] = ()
) -> list[Difference]:
    """Return what differs, each once, in the order of the table.

    `told` are transactions of which the bank told us by its webhook: we know of them, whether we
    did anything with them or not.
    """
    ours = {one.bank_id: one for one in held}
    lines = list(entries)
    found = [*_of_ours(ours, lines), *_of_theirs(ours, lines, frozenset(told))]
    order = {one.code: at for at, one in enumerate(KINDS)}
    unique = dict.fromkeys(found)
    return sorted(unique, key=lambda one: (order[one.kind.code], one.bank_id))


def _of_ours(ours: Mapping[str, Held], lines: list[Entry]) -> Iterator[Difference]:
    theirs = {one.bank_id: one for one in lines}
    for one in ours.values():
        line = theirs.get(one.bank_id)
        if line is None:
            yield Difference(MISSING, one.bank_id, one.amount)
            continue
        if line.amount != one.amount:
            yield Difference(AMOUNT, one.bank_id, one.amount, line.amount)
        if line.status in OVER:
            yield Difference(STATE, one.bank_id, one.amount, line.amount)


def _of_theirs(
    ours: Mapping[str, Held], lines: list[Entry], told: frozenset[str]
) -> Iterator[Difference]:
    times = Counter(one.bank_id for one in lines)
    alike = {(one.amount, one.note) for one in ours.values() if one.note}
    for one in lines:
        if times[one.bank_id] > 1:
            yield Difference(TWICE, one.bank_id, theirs=one.amount)
        if one.bank_id in ours or one.bank_id in told:
            continue
        # what leaves under the note and amount of one of ours may be the same payment again
        again = one.amount < 0 and (one.amount, one.note) in alike
        yield Difference(TWICE if again else UNKNOWN, one.bank_id, theirs=one.amount)
