"""Read pain.001 XML as a stream, one part at a time.

DTDs, entities, network addresses and XIncludes are never processed. The byte limit and the search
for a DOCTYPE come first (payments/pain001/message_reader.py); a DOCTYPE found by the parser ends
the reading too.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from lxml import etree

from apps.payments.payments.pain001.faults import unreadable_message
from apps.payments.payments.pain001.message_parts import (
    EXTRA,
    GROUP,
    PAYMENT,
    TRANSACTION,
    MessagePart,
    PartAssembler,
)
from apps.payments.payments.pain001.tree import Node, normalize_text
from apps.payments.payments.pain001.versions import version_of_namespace

MESSAGE = "CstmrCdtTrfInitn"
WATCHED = ("Document", MESSAGE, GROUP, PAYMENT, TRANSACTION, EXTRA)
# bytes of one header or transaction: only one part is held as a tree at a time
LARGEST_PART = 1024 * 1024
# levels of a transaction: Document, message, PmtInf, CdtTrfTxInf
DEEPEST = 4
_XSI = "{http://www.w3.org/2001/XMLSchema-instance}"
# allowed on any element; the addresses in them are never fetched
_HINTS = (f"{_XSI}schemaLocation", f"{_XSI}noNamespaceSchemaLocation")
NO_DOCTYPE = "A message with a DOCTYPE is not accepted: remove it."


class XmlReader:
    """Iterate over the parts of a message; `version` is known from the first part on.

    Raises InvalidMessage (FF01) for XML that is not well-formed, an unknown version, or a structure
    that is not the version's.
    """

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self.version = ""
        self._chunks = chunks
        self._parser = etree.XMLPullParser(
            events=("start", "end"),
            tag=[f"{{*}}{tag}" for tag in WATCHED],
            # against entity expansion, external entities and requests to other hosts
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            huge_tree=False,
            remove_comments=True,
            remove_pis=True,
        )
        self._root: Any = None
        self._parts: PartAssembler | None = None
        # whether the head of the open PmtInf was taken
        self._headed = False
        # bytes since the last part
        self._idle = 0

    @property
    def extras(self) -> Iterable[str]:
        """The paths of supplementary data that came so far."""
        return self._parts.unread if self._parts is not None else ()

    def __iter__(self) -> Iterator[MessagePart]:
        try:
            for chunk in self._chunks:
                self._idle += len(chunk)
                self._parser.feed(chunk)
                yield from self._events()
                if self._idle > LARGEST_PART:
                    raise unreadable_message(
                        f"One part of the message has more than {LARGEST_PART} bytes."
                    )
            self._parser.close()
            yield from self._events()
        except etree.XMLSyntaxError as error:
            msg = str(error.msg or "it ends too early")
            syntax_error = f"{msg.partition(', line ')[0][:160]}."
            raise unreadable_message(
                f"This is not well-formed XML: {syntax_error}",
                line=int(error.lineno or 0),
            ) from None
        if self._root is None or self._parts is None:
            raise unreadable_message(
                "This is not a pain.001 message: Document/CstmrCdtTrfInitn is missing."
            )
        yield self._parts.end(Node(MESSAGE))

    def _events(self) -> Iterator[MessagePart]:
        for event, element in self._parser.read_events():
            if event == "end":
                for part in self._ended(element):
                    self._idle = 0
                    yield part
            elif self._root is None:
                self._begin(element)

    def _begin(self, element: Any) -> None:
        """Check the first watched element: it must be the root of a known version."""
        # again by the parser: the search in the bytes may miss an encoding that it does not know
        info = element.getroottree().docinfo
        if info.doctype or info.internalDTD is not None:
            raise unreadable_message(NO_DOCTYPE)
        name, line = etree.QName(element), element.sourceline or 0
        if element.getparent() is not None or name.localname != "Document":
            raise unreadable_message("The root of the message is not Document.", line=line)
        self.version = version_of_namespace(name.namespace or "", line=line)
        self._prefix = f"{{{name.namespace}}}"
        self._root = element
        self._parts = PartAssembler(version=self.version, ordered=True)

    def _ended(self, element: Any) -> Iterator[MessagePart]:
        """Yield the part that an end tag completes; the same name deeper down completes none."""
        match self._way(element):
            case ("Document", message, part, one) if (message, part, one) == (
                MESSAGE,
                PAYMENT,
                TRANSACTION,
            ):
                yield from self._transaction(element)
            case ("Document", message, part) if message == MESSAGE and part in (
                GROUP,
                PAYMENT,
                EXTRA,
            ):
                assert self._parts is not None  # as above
                if part == GROUP:
                    yield self._parts.group(self._node(element))
                elif part == EXTRA:
                    self._parts.beside(self._node(element))
                else:
                    if not self._headed:
                        yield self._parts.payment(self._head(element, element))
                    else:
                        self._nothing_else(list(element), (TRANSACTION,))
                    self._parts.payment_ends(Node(part, line=element.sourceline or 0))
                    self._headed = False
                element.clear(keep_tail=True)
            case ("Document", message) if message == MESSAGE:
                self._nothing_else(list(element), (GROUP, PAYMENT, EXTRA), element.text)
            case ("Document",):
                self._nothing_else(list(element), (MESSAGE,), element.text)
                if len(element) != 1:
                    raise unreadable_message(f"One {MESSAGE} is needed in Document.")

    def _way(self, element: Any) -> tuple[str, ...]:
        """Return the tags from the root to an element, or nothing for one further down."""
        path: list[str] = []
        while element is not None:
            if len(path) == DEEPEST:
                return ()
            path.append(self._tag(element))
            element = element.getparent()
        return tuple(reversed(path))

    def _transaction(self, element: Any) -> Iterator[MessagePart]:
        assert self._parts is not None  # an element begins before it ends
        parent = element.getparent()
        # up to this one: the parser is ahead, so later transactions may be in the tree already
        before = parent[: parent.index(element)]
        if not self._headed:
            self._headed = True
            yield self._parts.payment(self._head(parent, before))
        else:
            self._nothing_else(before, (TRANSACTION,))
        yield self._parts.transaction(self._node(element))
        element.clear(keep_tail=True)
        # freed as soon as they are yielded: memory does not grow with the number of transactions
        for earlier_element in before:
            parent.remove(earlier_element)

    def _head(self, parent: Any, kids: Iterable[Any]) -> Node:
        """Return a `PmtInf` without its transactions."""
        node = Node(PAYMENT, normalize_text(parent.text), line=parent.sourceline or 0)
        node.kids = [self._node(kid) for kid in kids]
        return node

    def _nothing_else(self, kids: list[Any], known: tuple[str, ...], text: str = "") -> None:
        """Require that siblings have known tags, with no text between them."""
        assert self._parts is not None  # as above
        for kid in kids:
            if (tag := self._tag(kid)) not in known:
                sentence = f"The element {tag[:40]} is not known here, or is in the wrong place."
                self._parts.misplaced(sentence, _node_at(kid))
        if any(tail and not tail.isspace() for tail in (text, *(kid.tail for kid in kids))):
            where = _node_at(kids[0]) if kids else Node("")
            self._parts.misplaced("Only elements are allowed here, not text.", where)

    def _node(self, element: Any) -> Node:
        """Return an element with everything below it; the parser bounds the depth (256)."""
        node = Node(self._tag(element), normalize_text(element.text), line=element.sourceline or 0)
        for name, value in element.items():
            if name not in _HINTS:
                node.attributes[name] = normalize_text(value)
        for kid in element:
            node.kids.append(self._node(kid))
            tail = kid.tail
            if tail and not tail.isspace():
                node.text += tail
        return node

    def _tag(self, element: Any) -> str:
        """Return a tag without our namespace; one of another keeps it, and nothing knows it."""
        # a reference to an undeclared entity has a function as its tag
        if not isinstance(element.tag, str):
            raise unreadable_message("Entity references are not accepted.")
        return element.tag.removeprefix(self._prefix)


def _node_at(element: Any) -> Node:
    return Node("", line=element.sourceline or 0)
