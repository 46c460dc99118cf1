"""A message in parts, as a reader yields them, so that memory does not grow with the file. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from apps.payments.payments.pain001.faults import InvalidMessage
from apps.payments.payments.pain001.structure.checker import (
    StructureChecker,
    element_type,
    root_element_type,
)
from apps.payments.payments.pain001.tree import Node


class PartType(StrEnum):
    """What a part is."""

    GROUP = "GROUP"
    PAYMENT = "PAYMENT"
    TRANSACTION = "TRANSACTION"
    # the message was read to its end, and has the structure of its version
    END = "END"


@dataclass(frozen=True, slots=True)
class MessagePart:
    """A part: the group header, a `PmtInf` without its transactions, or a `CdtTrfTxInf`.

    `payment` and `number` count from 1: which `PmtInf`, and which transaction within it.
    """

    place: PartType
    node: Node
    path: str
    payment: int = 0
    number: int = 0


GROUP, PAYMENT, TRANSACTION, EXTRA = "GrpHdr", "PmtInf", "CdtTrfTxInf", "SplmtryData"
Parts = Iterator[MessagePart]


class PartAssembler:
    """Turn elements into checked parts in the order of reading, from XML and JSON alike.

    Raises InvalidMessage as soon as a part does not have the version's structure: parts yielded
    before it must then not be used.
    """

    def __init__(self, *, version: str, ordered: bool) -> None:
        self._checker = StructureChecker(ordered=ordered)
        self._ordered = ordered
        root = root_element_type(version)
        self._group = root.slots[GROUP].kind
        self._payment = root.slots[PAYMENT].kind
        self._transaction = element_type(self._payment).slots[TRANSACTION].kind
        self._extra = root.slots[EXTRA].kind if EXTRA in root.slots else ""
        self.payments = self.transactions = 0
        self._header = self._extras = False
        # paths of supplementary data, each once
        self.unread: dict[str, None] = {}

    def group(self, node: Node) -> MessagePart:
        """Take the group header, once and first."""
        # JSON objects have no order, so only XML can have it in the wrong place
        if self._header or (self.payments and self._ordered):
            self._checker.tell("GrpHdr must come once, before everything else.", GROUP, node)
        self._header = True
        self._checker.check(node, self._group, GROUP)
        self._insist()
        return MessagePart(PartType.GROUP, node, GROUP)

    def payment(self, node: Node) -> MessagePart:
        """Take what a `PmtInf` says of all its transactions, before the first of them."""
        if not self._header and self._ordered:
            self._checker.tell("The element GrpHdr is missing.", "", node)
        if self._extras and self._ordered:
            self._checker.tell("The element PmtInf is in the wrong place.", "", node)
        self.payments += 1
        self.transactions = 0
        path = f"{PAYMENT}[{self.payments}]"
        self._checker.check(node, self._payment, path, later=TRANSACTION)
        self._insist()
        return MessagePart(PartType.PAYMENT, node, path, self.payments)

    def transaction(self, node: Node) -> MessagePart:
        """Take one transaction of the `PmtInf` that was taken last."""
        self.transactions += 1
        path = f"{PAYMENT}[{self.payments}]/{TRANSACTION}[{self.transactions}]"
        self._checker.check(node, self._transaction, path)
        self._insist()
        return MessagePart(PartType.TRANSACTION, node, path, self.payments, self.transactions)

    def payment_ends(self, node: Node) -> None:
        """Insist that the `PmtInf` had a transaction."""
        if not self.transactions:
            where = f"{PAYMENT}[{self.payments}]"
            self._checker.tell(f"The element {TRANSACTION} is missing.", where, node)
        self._insist()

    def beside(self, node: Node) -> None:
        """Take an element beside these, which only supplementary data may be."""
        self._extras = True
        if node.tag != EXTRA or not self._extra:
            self._checker.tell(f"The element {node.tag[:40]} is not known here.", "", node)
        else:
            self._checker.check(node, self._extra, EXTRA)
            self.unread |= dict.fromkeys(path for path, _ in node.leaves(EXTRA))
        self._insist()

    def misplaced(self, text: str, node: Node) -> None:
        """Refuse the message for the position of an element."""
        self._checker.tell(text, "", node)
        self._insist()

    def end(self, node: Node) -> MessagePart:
        """Insist that nothing is missing."""
        for there, tag in ((self._header, GROUP), (self.payments, PAYMENT)):
            if not there:
                self._checker.tell(f"The element {tag} is missing.", "", node)
        self._insist()
        return MessagePart(PartType.END, node, "")

    def _insist(self) -> None:
        if self._checker.faults:
            raise InvalidMessage(self._checker.faults)
