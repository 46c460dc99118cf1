"""Read a message as it came, transaction by transaction; some are refused before. Pure.

The order: byte cap (where the body is read) → DOCTYPE → a parser without entities and network →
the namespace → the structure → number and sum of transactions. Only then is anything mapped.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal, localcontext

from apps.payments.payments.pain001.faults import Fault, InvalidMessage, unreadable_message
from apps.payments.payments.pain001.headers import (
    GroupHeader,
    PaymentHeader,
    parse_group_header,
    parse_payment_header,
)
from apps.payments.payments.pain001.json_reader import JsonReader
from apps.payments.payments.pain001.message_parts import MessagePart, PartType
from apps.payments.payments.pain001.rules import (
    MESSAGE_RULES,
    MessageFacts,
    find_violated_rules,
    is_reference,
)
from apps.payments.payments.pain001.versions import LISTED_VERSIONS, parse_version
from apps.payments.payments.pain001.xml_reader import NO_DOCTYPE, XmlReader

_DOCTYPE = tuple("<!DOCTYPE".encode(name) for name in ("utf-8", "utf-16-le", "utf-16-be"))
_PACKED = {b"\x1f\x8b": "gzip", b"PK": "ZIP", b"BZ": "bzip2", b"\xfd7": "xz"}


XML, JSON = "XML", "JSON"
CHUNK = 64 * 1024
PRECISION = 60  # digits: sums of so many amounts as a file holds are exact


@dataclass(frozen=True, slots=True)
class MessageTransaction:
    """One transaction on its way: its place in the whole message, from 1.

    `earlier` is the number of one before it with the same EndToEndId, 0 where there is none.
    """

    part: MessagePart
    head: PaymentHeader
    number: int
    earlier: int


@dataclass(slots=True)
class MessageOverview:
    """Overview of a message. `only` is its transaction if it has exactly one.

    `extras` are the paths of elements besides header and payments, which are not read here.
    """

    version: str = ""
    count: int = 0
    total: Decimal = field(default_factory=Decimal)
    only: MessageTransaction | None = None
    extras: tuple[str, ...] = ()


class MessageReader:
    """Reads a message once, transaction by transaction; `group` is known from the first on."""

    def __init__(
        self, *, chunks: Iterable[bytes], kind: str, version: str, in_name: bool = False
    ) -> None:
        self._in_name = in_name
        self._parts: XmlReader | JsonReader = (
            XmlReader(chunks) if kind == XML else JsonReader(b"".join(chunks), version=version)
        )
        self.group: GroupHeader | None = None
        self._of_payment = MessageOverview()
        self._of_message = MessageOverview()

    @property
    def version(self) -> str:
        """The version of the message."""
        return self._parts.version

    @property
    def extras(self) -> tuple[str, ...]:
        """The paths of elements besides header and payments so far."""
        return tuple(self._parts.extras)

    @property
    def total(self) -> Decimal:
        """The sum of the amounts so far, whatever their currencies."""
        return self._of_message.total

    def __iter__(self) -> Iterator[MessageTransaction]:
        """Yield the transactions; InvalidMessage where the message is not to be taken.

        The number and the sum of a `PmtInf`, and of the whole, are known only behind them.
        """
        seen: dict[str, int] = {}
        head: PaymentHeader | None = None
        number = 0
        for part in self._parts:
            if part.place is PartType.TRANSACTION:
                assert head is not None  # a PmtInf comes before its transactions
                number += 1
                self._add(part)
                own = part.node.value("PmtId", "EndToEndId")
                earlier = seen.setdefault(own, number) if is_reference(own) else number
                yield MessageTransaction(part, head, number, 0 if earlier == number else earlier)
                continue
            self._settle(head)
            if part.place is PartType.GROUP:
                self.group = parse_group_header(part)
            elif part.place is PartType.PAYMENT:
                head = parse_payment_header(part, in_name=self._in_name)
                self._of_payment = MessageOverview()
        assert self.group is not None  # the structure says so
        _require_declared_totals(self.group.count, self.group.total, self._of_message, "GrpHdr")

    def _add(self, part: MessagePart) -> None:
        node = part.node
        text = node.value("Amt", "InstdAmt") or node.value("Amt", "EqvtAmt", "Amt")
        amount = Decimal(text)
        with localcontext() as exact:
            exact.prec = PRECISION
            for message_overview in (self._of_payment, self._of_message):
                message_overview.count += 1
                message_overview.total += amount

    def _settle(self, head: PaymentHeader | None) -> None:
        """Hold the `PmtInf` that ends here against what it says of itself."""
        if head is not None and self._of_payment.count:
            _require_declared_totals(
                head.count, head.total, self._of_payment, f"PmtInf {head.info_id}"
            )
            self._of_payment = MessageOverview()


def parse_requested_version(text: str) -> str:
    """Return the version that a caller says of a message in JSON; InvalidMessage otherwise."""
    if (version := parse_version(text)) is None:
        raise unreadable_message(
            f"The version is {text[:40]!r}: it must be one of {LISTED_VERSIONS}."
        )
    return version


def iter_chunks(raw: bytes) -> Iterator[bytes]:
    """Yield bytes in pieces, so that what a parser holds is let go of as it goes on."""
    view = memoryview(raw)
    for start in range(0, len(raw), CHUNK):
        yield bytes(view[start : start + CHUNK])


def _require_declared_totals(
    said_count: str, said_sum: str, message_overview: MessageOverview, path: str
) -> None:
    facts = MessageFacts(
        said_count=said_count,
        count=message_overview.count,
        said_sum=said_sum,
        total=message_overview.total,
    )
    faults = [
        Fault(r.reason, r.text(facts), f"{path}/{r.path}")
        for r in find_violated_rules(MESSAGE_RULES, facts)
    ]
    if faults:
        raise InvalidMessage(faults)


def reject_unsafe_bytes(raw: bytes, *, kind: str) -> None:
    """Refuse what no parser is to see: InvalidMessage for a DOCTYPE, and for packed files."""
    packed = next((name for mark, name in _PACKED.items() if raw.startswith(mark)), "")
    if packed:
        raise unreadable_message(f"The message is compressed ({packed}): send it uncompressed.")
    if kind == XML and any(mark in raw for mark in _DOCTYPE):
        raise unreadable_message(NO_DOCTYPE)
