"""Where what we think and the bank's statement differ: one table. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from apps.payments.banking.rules.routes import SENT, UNDONE_STATUSES
from apps.payments.banking.rules.statements import StatementEntry, UnreadableLine


@dataclass(frozen=True, slots=True)
class ExpectedPayment:
    """A payment of ours that the bank has taken; `over` where it counts as not come about."""

    bank_id: str
    amount: Decimal
    note: str = ""
    over: bool = False


@dataclass(frozen=True, slots=True)
class DifferenceKind:
    """A kind of difference; `code` never changes."""

    code: str
    says: str


MISSING = DifferenceKind("RC-1", "The bank's statement does not have it.")
UNKNOWN = DifferenceKind("RC-2", "The bank's statement has it, and we know nothing of it.")
AMOUNT = DifferenceKind("RC-3", "The bank's statement has another amount.")
STATE = DifferenceKind("RC-4", "At the bank it did not come about.")
TWICE = DifferenceKind("RC-5", "The bank's statement has it twice.")
CHAIN = DifferenceKind("RC-6", "It counts as settled, and the chain does not have it as final.")
WENT = DifferenceKind("RC-7", "At the bank it came about, and it counts as failed here.")
UNREAD = DifferenceKind("RC-8", "A line of the bank's statement cannot be read.")
FINAL = DifferenceKind(
    "RC-9", "The chain has its transfer as final, and it does not count as settled."
)
STRAY = DifferenceKind(
    "RC-10", "The chain has a transfer to a recipient of ours that settles nothing."
)
DOUBTED = DifferenceKind("RC-11", "It may be a payment of ours that got no clear answer.")
DIFFERENCE_KINDS: tuple[DifferenceKind, ...] = (
    MISSING, UNKNOWN, AMOUNT, STATE, TWICE, CHAIN, WENT, UNREAD, FINAL, STRAY, DOUBTED,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference: about which transaction, and both amounts where there are both."""

    kind: DifferenceKind
    bank_id: str
    ours: Decimal | None = None
    theirs: Decimal | None = None


@dataclass(frozen=True, slots=True)
class KnownPayments:
    """What we know besides: payments of ours by the bank's ids, and what its webhook told of.

    `doubted` are amounts that may have left by a call that got no clear answer, negative.
    """

    paid: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()
    doubted: frozenset[Decimal] = frozenset()


NO_KNOWN_PAYMENTS = KnownPayments()


def find_differences(
    held: Iterable[ExpectedPayment],
    lines: Iterable[StatementEntry | UnreadableLine],
    *,
    known: KnownPayments = NO_KNOWN_PAYMENTS,
) -> list[Difference]:
    """Return what differs, each once, in the order of the table.

    Of what the bank told us by its webhook we know, whether we did anything with it or not: unless
    it may be a payment of ours that is in doubt. What cannot be read is a difference of its own.
    """
    ours, read = (
        {expected_payment.bank_id: expected_payment for expected_payment in held},
        list(lines),
    )
    entries = [one for one in read if isinstance(one, StatementEntry)]
    unread = dict.fromkeys(one.named for one in read if isinstance(one, UnreadableLine))
    return _sort_differences(
        [
            *(one for one in _compare_expected(ours, entries) if one.bank_id not in unread),
            *_compare_statement(ours, entries, known),
            *(Difference(UNREAD, one) for one in unread),
        ]
    )


def find_routed_differences(
    held: Iterable[ExpectedPayment], lines: Iterable[StatementEntry | UnreadableLine]
) -> list[Difference]:
    """Return where statements differ from what was routed by what the webhook told."""
    ours, read = (
        {expected_payment.bank_id: expected_payment for expected_payment in held},
        list(lines),
    )
    unread = {one.named for one in read if isinstance(one, UnreadableLine)}
    found = _compare_expected(ours, [one for one in read if isinstance(one, StatementEntry)])
    return _sort_differences([one for one in found if one.bank_id not in unread])


def _sort_differences(differences: list[Difference]) -> list[Difference]:
    order = {one.code: at for at, one in enumerate(DIFFERENCE_KINDS)}
    unique = dict.fromkeys(differences)
    return sorted(unique, key=lambda one: (order[one.kind.code], one.bank_id))


def find_chain_differences(
    *, settled: Mapping[str, bool], strays: Iterable[str]
) -> list[Difference]:
    """Return where the chain differs from what counts as settled here.

    `settled` says of payments whose standing differs whether they count as settled; `strays` are
    transfers to recipients of ours that settle nothing.
    """
    kinds = [(CHAIN if counts else FINAL, one) for one, counts in settled.items()]
    kinds += [(STRAY, stray) for stray in strays]
    return [Difference(kind, one) for kind, one in kinds]


def _compare_expected(
    ours: Mapping[str, ExpectedPayment], lines: list[StatementEntry]
) -> Iterator[Difference]:
    theirs = {one.bank_id: one for one in lines}
    for one in ours.values():
        line = theirs.get(one.bank_id)
        if line is None:
            if not one.over:
                yield Difference(MISSING, one.bank_id, one.amount)
            continue
        if line.amount != one.amount:
            yield Difference(AMOUNT, one.bank_id, one.amount, line.amount)
        if line.status in UNDONE_STATUSES and not one.over:
            yield Difference(STATE, one.bank_id, one.amount, line.amount)
        if line.status == SENT and one.over:
            yield Difference(WENT, one.bank_id, one.amount, line.amount)


def _compare_statement(
    ours: Mapping[str, ExpectedPayment], lines: list[StatementEntry], known: KnownPayments
) -> Iterator[Difference]:
    times = Counter(line.bank_id for line in lines)
    alike = {(payment.amount, payment.note) for payment in ours.values() if payment.note}
    for line in lines:
        if times[line.bank_id] > 1:
            yield Difference(TWICE, line.bank_id, theirs=line.amount)
        if line.bank_id in ours or line.bank_id in known.paid:
            continue
        if line.amount in known.doubted:
            yield Difference(DOUBTED, line.bank_id, theirs=line.amount)
            continue
        if line.bank_id in known.told:
            continue
        # what leaves under the note and amount of one of ours may be the same payment again
        again = line.amount < 0 and (line.amount, line.note) in alike
        yield Difference(TWICE if again else UNKNOWN, line.bank_id, theirs=line.amount)
