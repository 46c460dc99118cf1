"""Where what we think and the bank's statement differ: one table. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from apps.banking.rules.routing import OVER, SENT
from apps.banking.rules.statements import Entry, Unread


@dataclass(frozen=True, slots=True)
class Held:
    """A payment of ours that the bank has taken; `over` where it counts as not come about."""

    bank_id: str
    amount: Decimal
    note: str = ""
    over: bool = False


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
WENT = Kind("RC-7", "At the bank it came about, and it counts as failed here.")
UNREAD = Kind("RC-8", "A line of the bank's statement cannot be read.")
FINAL = Kind("RC-9", "The chain has its transfer as final, and it does not count as settled.")
STRAY = Kind("RC-10", "The chain has a transfer to a recipient of ours that settles nothing.")
DOUBTED = Kind("RC-11", "It may be a payment of ours that got no clear answer.")
KINDS: tuple[Kind, ...] = (
    MISSING, UNKNOWN, AMOUNT, STATE, TWICE, CHAIN, WENT, UNREAD, FINAL, STRAY, DOUBTED,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference: about which transaction, and both amounts where there are both."""

    kind: Kind
    bank_id: str
    ours: Decimal | None = None
    theirs: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What we know besides: payments of ours by the bank's ids, and what its webhook told of.

    `doubted` are amounts that may have left by a call that got no clear answer, negative.
    """

    paid: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()
    doubted: frozenset[Decimal] = frozenset()


NOTHING = Known()


def differences(
    held: Iterable[Held], lines: Iterable[Entry | Unread], *, known: Known = NOTHING
) -> list[Difference]:
    """Return what differs, each once, in the order of the table.

    Of what the bank told us by its webhook we know, whether we did anything with it or not: unless
    it may be a payment of ours that is in doubt. What cannot be read is a difference of its own.
    """
    ours, read = {one.bank_id: one for one in held}, list(lines)
    entries = [one for one in read if isinstance(one, Entry)]
    unread = dict.fromkeys(one.named for one in read if isinstance(one, Unread))
    return _sorted(
        [
            *(one for one in _of_ours(ours, entries) if one.bank_id not in unread),
            *_of_theirs(ours, entries, known),
            *(Difference(UNREAD, one) for one in unread),
        ]
    )


def of_routed(held: Iterable[Held], lines: Iterable[Entry | Unread]) -> list[Difference]:
    """Return where statements differ from what was routed by what the webhook told."""
    ours, read = {one.bank_id: one for one in held}, list(lines)
    unread = {one.named for one in read if isinstance(one, Unread)}
    found = _of_ours(ours, [one for one in read if isinstance(one, Entry)])
    return _sorted([one for one in found if one.bank_id not in unread])


def _sorted(found: list[Difference]) -> list[Difference]:
    order = {one.code: at for at, one in enumerate(KINDS)}
    unique = dict.fromkeys(found)
    return sorted(unique, key=lambda one: (order[one.kind.code], one.bank_id))


def of_chain(*, settled: Mapping[str, bool], strays: Iterable[str]) -> list[Difference]:
    """Return where the chain differs from what counts as settled here.

    `settled` says of payments whose standing differs whether they count as settled; `strays` are
    transfers to recipients of ours that settle nothing.
    """
    kinds = [(CHAIN if counts else FINAL, one) for one, counts in settled.items()]
    kinds += [(STRAY, one) for one in strays]
    return [Difference(kind, one) for kind, one in kinds]


def _of_ours(ours: Mapping[str, Held], lines: list[Entry]) -> Iterator[Difference]:
    theirs = {one.bank_id: one for one in lines}
    for one in ours.values():
        line = theirs.get(one.bank_id)
        if line is None:
            if not one.over:
                yield Difference(MISSING, one.bank_id, one.amount)
            continue
        if line.amount != one.amount:
            yield Difference(AMOUNT, one.bank_id, one.amount, line.amount)
        if line.status in OVER and not one.over:
            yield Difference(STATE, one.bank_id, one.amount, line.amount)
        if line.status == SENT and one.over:
            yield Difference(WENT, one.bank_id, one.amount, line.amount)


def _of_theirs(ours: Mapping[str, Held], lines: list[Entry], known: Known) -> Iterator[Difference]:
    times = Counter(one.bank_id for one in lines)
    alike = {(one.amount, one.note) for one in ours.values() if one.note}
    for one in lines:
        if times[one.bank_id] > 1:
            yield Difference(TWICE, one.bank_id, theirs=one.amount)
        if one.bank_id in ours or one.bank_id in known.paid:
            continue
        if one.amount in known.doubted:
            yield Difference(DOUBTED, one.bank_id, theirs=one.amount)
            continue
        if one.bank_id in known.told:
            continue
        # what leaves under the note and amount of one of ours may be the same payment again
        again = one.amount < 0 and (one.amount, one.note) in alike
        yield Difference(TWICE if again else UNKNOWN, one.bank_id, theirs=one.amount)
