"""The tree that both readers make, of XML and of ISO's JSON form. Pure."""

from collections.abc import Iterator


class Node:
    """One element: its tag without a namespace, its text, attributes and elements in their order.

    `line` is the line of the file where it begins, 0 if lines were not counted.
    """

    __slots__ = ("attributes", "kids", "line", "tag", "text")

    def __init__(
        self,
        tag: str,
        text: str = "",
        *,
        attributes: dict[str, str] | None = None,
        kids: "list[Node] | None" = None,
        line: int = 0,
    ) -> None:
        self.tag, self.text, self.line = tag, text, line
        self.attributes = attributes or {}
        self.kids: list[Node] = kids if kids is not None else []

    @property
    def empty(self) -> bool:
        """Whether it holds nothing: no text, no attribute, and only empty elements."""
        return not self.text and not self.attributes and all(kid.empty for kid in self.kids)

    def all(self, tag: str) -> "list[Node]":
        """Return the elements of a tag directly below."""
        return [kid for kid in self.kids if kid.tag == tag]

    def first(self, *path: str) -> "Node | None":
        """Return the first element at a path of tags, or None."""
        node: Node | None = self
        for tag in path:
            if node is None:
                return None
            node = next((kid for kid in node.kids if kid.tag == tag), None)
        return node

    def value(self, *path: str) -> str:
        """Return the text at a path of tags, "" where there is none."""
        node = self.first(*path)
        return node.text if node is not None else ""

    def leaves(self, path: str = "") -> "Iterator[tuple[str, Node]]":
        """Yield each element that holds a text, with its path from this one."""
        for kid in self.kids:
            below = f"{path}/{kid.tag}" if path else kid.tag
            if kid.kids:
                yield from kid.leaves(below)
            elif kid.text:
                yield below, kid


def normalize_text(text: str | None) -> str:
    """Return a text without blanks at its ends; ends of lines and tabs within are one blank."""
    if not text:
        return ""
    if "\n" in text or "\t" in text or "\r" in text:
        return " ".join(text.split())
    return text.strip()
