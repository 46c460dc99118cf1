"""Read a received message transaction by transaction, or refuse it. Pure.

The order: byte limit (where the body is read) → DOCTYPE → a parser without entities and network →
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

# in every encoding in which the parser would recognise it
_DOCTYPE = tuple("<!DOCTYPE".encode(name) for name in ("utf-8", "utf-16-le", "utf-16-be"))
# magic numbers: a compressed file is a common mistake, and would only be `not well-formed`
_PACKED = {b"\x1f\x8b": "gzip", b"PK": "ZIP", b"BZ": "bzip2", b"\xfd7": "xz"}


XML, JSON = "XML", "JSON"
CHUNK = 64 * 1024
# digits: the sum of as many amounts as a file holds is exact
PRECISION = 60


@dataclass(frozen=True, slots=True)
class MessageTransaction:
    """One transaction as it is read; `number` counts in the whole message, from 1.

    `earlier` is the number of an earlier one with the same EndToEndId, 0 if there is none.
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
        """Yield the transactions; InvalidMessage if the message is refused.

        Wrong totals of a `PmtInf`, or of the whole, show only after its transactions were yielded.
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
                # NOTPROVIDED is no key (row 10)
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
        # an equivalent amount is refused as a transaction (row 14), but counts in the sums
        text = node.value("Amt", "InstdAmt") or node.value("Amt", "EqvtAmt", "Amt")
        amount = Decimal(text)
        with localcontext() as exact:
            exact.prec = PRECISION
            for message_overview in (self._of_payment, self._of_message):
                message_overview.count += 1
                message_overview.total += amount

    def _settle(self, head: PaymentHeader | None) -> None:
        """Compare the `PmtInf` that ends here with the totals that it states."""
        if head is not None and self._of_payment.count:
            _require_declared_totals(
                head.count, head.total, self._of_payment, f"PmtInf {head.info_id}"
            )
            self._of_payment = MessageOverview()


def parse_requested_version(text: str) -> str:
    """Return the version that a caller states for a message in JSON; InvalidMessage if unknown."""
    if (version := parse_version(text)) is None:
        raise unreadable_message(
            f"The version is {text[:40]!r}: it must be one of {LISTED_VERSIONS}."
        )
    return version


def iter_chunks(raw: bytes) -> Iterator[bytes]:
    """Yield bytes in pieces."""
    view = memoryview(raw)
    # in pieces: the parser frees what was yielded, and memory does not grow with the file
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
    """Raise InvalidMessage for a DOCTYPE, and for a compressed file, before any parser runs."""
    packed = next((name for mark, name in _PACKED.items() if raw.startswith(mark)), "")
    if packed:
        raise unreadable_message(f"The message is compressed ({packed}): send it uncompressed.")
    if kind == XML and any(mark in raw for mark in _DOCTYPE):
        raise unreadable_message(NO_DOCTYPE)
