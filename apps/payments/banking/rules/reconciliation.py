"""Differences between our records and the bank's statement: one table. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from apps.payments.banking.rules.routes import SENT, UNDONE_STATUSES
from apps.payments.banking.rules.statement_lines import StatementEntry, UnreadableLine


@dataclass(frozen=True, slots=True)
class ExpectedPayment:
    """A payment of ours that the bank accepted; `over` if it counts as failed."""

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
UNKNOWN = DifferenceKind("RC-2", "The bank's statement has it, but we have no record of it.")
AMOUNT = DifferenceKind("RC-3", "The bank's statement has another amount.")
STATE = DifferenceKind("RC-4", "It did not go through at the bank.")
TWICE = DifferenceKind("RC-5", "The bank's statement has it twice.")
CHAIN = DifferenceKind("RC-6", "It counts as settled, but is not final on the chain.")
WENT = DifferenceKind("RC-7", "The bank executed it, but it counts as failed here.")
UNREAD = DifferenceKind("RC-8", "A line of the bank's statement cannot be read.")
FINAL = DifferenceKind(
    "RC-9", "Its transfer is final on the chain, but it does not count as settled."
)
STRAY = DifferenceKind("RC-10", "A transfer on the chain to one of our recipients settles nothing.")
DOUBTED = DifferenceKind("RC-11", "It may be a payment of ours that got no clear answer.")
DIFFERENCE_KINDS: tuple[DifferenceKind, ...] = (
    MISSING, UNKNOWN, AMOUNT, STATE, TWICE, CHAIN, WENT, UNREAD, FINAL, STRAY, DOUBTED,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference: its transaction, and both amounts if there are two."""

    kind: DifferenceKind
    bank_id: str
    ours: Decimal | None = None
    theirs: Decimal | None = None


@dataclass(frozen=True, slots=True)
class KnownPayments:
    """Other known payments: ours by the bank's ids, and those that its webhook reported.

    `doubted` are amounts that may have left by a call without a clear answer, negative.
    """

    paid: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()
    doubted: frozenset[Decimal] = frozenset()


NO_KNOWN_PAYMENTS = KnownPayments()


def find_differences(
    expected_payments: Iterable[ExpectedPayment],
    lines: Iterable[StatementEntry | UnreadableLine],
    *,
    known: KnownPayments = NO_KNOWN_PAYMENTS,
) -> list[Difference]:
    """Return the differences, each once, in the order of the table.

    A transaction that the webhook reported is known, whether we acted on it or not, unless it may
    be a payment of ours that is in doubt. An unreadable line is a difference of its own.
    """
    ours, statement_lines = (
        {expected_payment.bank_id: expected_payment for expected_payment in expected_payments},
        list(lines),
    )
    entries = [entry for entry in statement_lines if isinstance(entry, StatementEntry)]
    unread = dict.fromkeys(
        line.named for line in statement_lines if isinstance(line, UnreadableLine)
    )
    return _sort_differences(
        [
            *(
                difference
                for difference in _compare_expected(ours, entries)
                # a line that cannot be read is no missing one: it has a difference of its own
                if difference.bank_id not in unread
            ),
            *_compare_statement(ours, entries, known),
            *(Difference(UNREAD, bank_id) for bank_id in unread),
        ]
    )


def find_routed_differences(
    expected_payments: Iterable[ExpectedPayment], lines: Iterable[StatementEntry | UnreadableLine]
) -> list[Difference]:
    """Return where statements differ from what was routed on the webhook's reports."""
    ours, statement_lines = (
        {expected_payment.bank_id: expected_payment for expected_payment in expected_payments},
        list(lines),
    )
    unread = {line.named for line in statement_lines if isinstance(line, UnreadableLine)}
    differences = _compare_expected(
        ours, [entry for entry in statement_lines if isinstance(entry, StatementEntry)]
    )
    return _sort_differences(
        [difference for difference in differences if difference.bank_id not in unread]
    )


def _sort_differences(differences: list[Difference]) -> list[Difference]:
    order = {difference_kind.code: at for at, difference_kind in enumerate(DIFFERENCE_KINDS)}
    unique = dict.fromkeys(differences)
    return sorted(unique, key=lambda difference: (order[difference.kind.code], difference.bank_id))


def find_chain_differences(
    *, settled: Mapping[str, bool], strays: Iterable[str]
) -> list[Difference]:
    """Return where the chain differs from what counts as settled here.

    `settled` says of payments whose states differ whether they count as settled; `strays` are
    transfers to recipients of ours that settle nothing.
    """
    kinds = [(CHAIN if counts else FINAL, bank_id) for bank_id, counts in settled.items()]
    kinds += [(STRAY, stray) for stray in strays]
    return [Difference(kind, bank_id) for kind, bank_id in kinds]


def _compare_expected(
    ours: Mapping[str, ExpectedPayment], lines: list[StatementEntry]
) -> Iterator[Difference]:
    # of an id that comes twice the last line counts; RC-5 reports the repetition
    theirs = {entry.bank_id: entry for entry in lines}
    for expected_payment in ours.values():
        line = theirs.get(expected_payment.bank_id)
        if line is None:
            # a payment that counts as failed may be missing: no money moved
            if not expected_payment.over:
                yield Difference(MISSING, expected_payment.bank_id, expected_payment.amount)
            continue
        if line.amount != expected_payment.amount:
            yield Difference(AMOUNT, expected_payment.bank_id, expected_payment.amount, line.amount)
        if line.status in UNDONE_STATUSES and not expected_payment.over:
            yield Difference(STATE, expected_payment.bank_id, expected_payment.amount, line.amount)
        if line.status == SENT and expected_payment.over:
            yield Difference(WENT, expected_payment.bank_id, expected_payment.amount, line.amount)


def _compare_statement(
    ours: Mapping[str, ExpectedPayment], lines: list[StatementEntry], known: KnownPayments
) -> Iterator[Difference]:
    times = Counter(line.bank_id for line in lines)
    # only with a note: equal amounts alone are too common to suspect a double payment
    alike = {(payment.amount, payment.note) for payment in ours.values() if payment.note}
    for line in lines:
        if times[line.bank_id] > 1:
            yield Difference(TWICE, line.bank_id, theirs=line.amount)
        if line.bank_id in ours or line.bank_id in known.paid:
            continue
        # before `told`: the webhook reports a payment of ours in doubt like any other
        if line.amount in known.doubted:
            yield Difference(DOUBTED, line.bank_id, theirs=line.amount)
            continue
        if line.bank_id in known.told:
            continue
        # an outgoing line with the note and amount of one of ours may be the same payment again
        again = line.amount < 0 and (line.amount, line.note) in alike
        yield Difference(TWICE if again else UNKNOWN, line.bank_id, theirs=line.amount)
