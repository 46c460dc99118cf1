"""Read pain.001 in ISO's JSON form as a stream: transactions one at a time, in any key order.

The form is that of ISO 20022's Registration Authority (JSON Schema generation, v2.0, June 2025):
the tags of XML under `Document`, decimals and dates as texts, an amount as `{"amt", "Ccy"}`, an
array for what may repeat. Accepted too: a bare value for an array of one, numbers and booleans as
such, null for an absent element.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from apps.payments.payments.pain001.faults import unreadable_message
from apps.payments.payments.pain001.json_walker import JsonWalker, Span
from apps.payments.payments.pain001.message_parts import (
    GROUP,
    PAYMENT,
    TRANSACTION,
    MessagePart,
    PartAssembler,
)
from apps.payments.payments.pain001.structure.checker import element_type, root_element_type
from apps.payments.payments.pain001.tree import Node, normalize_text

MESSAGE, AMOUNT = "CstmrCdtTrfInitn", "amt"
# characters of one header or transaction: only one part is held as a tree at a time
LARGEST_PART = 1024 * 1024


class JsonReader:
    """Iterate over the parts of a message in JSON; `version` is the one that the caller states.

    Raises InvalidMessage (FF01) for invalid JSON, duplicate keys, and a structure that is not the
    version's; the order of keys does not count.
    """

    def __init__(self, raw: bytes, *, version: str) -> None:
        self.version = version
        self._raw = raw
        self._parts = PartAssembler(version=version, ordered=False)
        self._kinds = {tag: slot.kind for tag, slot in root_element_type(version).slots.items()}

    @property
    def extras(self) -> Iterable[str]:
        """The paths of supplementary data that came so far."""
        return self._parts.unread

    def __iter__(self) -> Iterator[MessagePart]:
        try:
            self._walk = JsonWalker(self._raw.decode("utf-8-sig"))
            walk = self._walk
            whole = walk.whole()
            outer = dict(walk.members(whole))
            if set(outer) != {"Document"}:
                raise unreadable_message("The message must be an object with only Document.")
            inner = dict(walk.members(outer["Document"]))
            if set(inner) != {MESSAGE}:
                raise unreadable_message(f"Document must contain only {MESSAGE}.", path="Document")
            yield from self._message(dict(walk.members(inner[MESSAGE])))
            yield self._parts.end(Node(MESSAGE))
        except RecursionError:
            raise unreadable_message("The message is nested too deeply.") from None
        except UnicodeDecodeError:
            raise unreadable_message("The message is not UTF-8 text.") from None
        except ValueError as error:
            raise unreadable_message(f"This is not valid JSON: {str(error)[:160]}.") from None

    def _message(self, at: dict[str, Span]) -> Iterator[MessagePart]:
        # the header first, whatever the order: the rules of transactions need it
        if GROUP in at:
            yield self._parts.group(self._one(at.pop(GROUP), GROUP, self._kinds[GROUP]))
        for tag, span in at.items():
            for element in self._walk.elements(span):
                if tag == PAYMENT:
                    yield from self._paid(element)
                else:
                    self._parts.beside(self._one(element, tag, self._kinds.get(tag, "")))

    def _paid(self, span: Span) -> Iterator[MessagePart]:
        """Yield a `PmtInf` and its transactions, whatever the order of its keys."""
        node = Node(PAYMENT, line=self._walk.line(span))
        slots = element_type(self._kinds[PAYMENT]).slots
        at = dict(self._walk.members(span))
        transactions = at.pop(TRANSACTION, None)
        for tag, where in at.items():
            kind = slots[tag].kind if tag in slots else ""
            node.kids += self._nodes(where, tag, kind)
        yield self._parts.payment(node)
        for element in self._walk.elements(transactions) if transactions else ():
            transaction = self._one(element, TRANSACTION, slots[TRANSACTION].kind)
            yield self._parts.transaction(transaction)
        self._parts.payment_ends(node)

    def _one(self, span: Span, tag: str, kind: str) -> Node:
        nodes = self._nodes(span, tag, kind)
        if len(nodes) != 1:
            raise unreadable_message(
                f"One object is needed for {tag[:40]}.", line=self._walk.line(span)
            )
        return nodes[0]

    def _nodes(self, span: Span, tag: str, kind: str) -> list[Node]:
        line = self._walk.line(span)
        if span[1] - span[0] > LARGEST_PART:
            raise unreadable_message(
                f"One part of the message has more than {LARGEST_PART} bytes.", line=line
            )
        return json_to_nodes(tag, self._walk.value(span), kind, line)


def json_to_nodes(tag: str, value: Any, kind: str, line: int) -> list[Node]:
    """Return the elements that a JSON value represents; `kind` is "" for an unknown tag."""
    if value is None:
        return []
    if isinstance(value, list):
        if any(isinstance(item, list) for item in value):
            raise ValueError("an array is nested directly in an array")
        return [node for item in value for node in json_to_nodes(tag, item, kind, line)]
    if isinstance(value, bool):
        return [Node(tag, "true" if value else "false", line=line)]
    if isinstance(value, dict):
        return [_object_to_node(tag, value, kind, line)]
    return [Node(tag, normalize_text(value), line=line)]


def _object_to_node(tag: str, value: dict[str, Any], kind: str, line: int) -> Node:
    known = element_type(kind) if kind else None
    node = Node(tag, line=line)
    # an element with attributes is an object in JSON: its text is `amt`, the rest are attributes
    if known is not None and known.attributes is not None:
        texts = {
            name: normalize_text(text) for name, text in value.items() if isinstance(text, str)
        }
        if len(texts) == len(value):
            node.text = texts.pop(AMOUNT, "")
            node.attributes = texts
            return node
    for name, inner in value.items():
        slot = known.slots.get(name) if known is not None else None
        node.kids += json_to_nodes(name, inner, slot.kind if slot else "", line)
    return node
