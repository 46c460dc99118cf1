"""Check a tree against a version's structure: order, occurrence, missing elements, texts.

The verdict is the published schema's, except that an empty optional element counts as absent, and
blanks around a text do not count (banks write both).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from apps.payments.payments.pain001.faults import MOST_FAULTS, Fault
from apps.payments.payments.pain001.structure.simple_types import TextValidator, build_validator
from apps.payments.payments.pain001.structure.wallet_advice import ACCOUNTS, advise_wallet_place
from apps.payments.payments.pain001.tree import Node

# ISO 20022: invalid file format
FORMAT = "FF01"
_TABLES = json.loads(Path(__file__).with_name("tables.json").read_text())
VERSIONS: tuple[str, ...] = tuple(_TABLES["roots"])
UNBOUNDED = -1


@dataclass(frozen=True, slots=True)
class ElementSlot:
    """A slot of an element in its parent: its position, type and how often it may occur."""

    tag: str
    place: int
    kind: str
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class ElementType:
    """A type: a simple one has `judge`, any other its slots; `free` takes anything."""

    slots: Mapping[str, ElementSlot]
    choice: bool = False
    free: bool = False
    judge: TextValidator | None = None
    attributes: Mapping[str, str] | None = None
    needed: tuple[ElementSlot, ...] = ()


@cache
def element_type(name: str) -> ElementType:
    """Return a type by its name in tables.json; KeyError where there is none."""
    type_: dict[str, Any] = _TABLES["types"][name]
    if "base" in type_:
        return ElementType({}, judge=build_validator(type_))
    if "value" in type_:
        return ElementType(
            {}, judge=element_type(type_["value"]).judge, attributes=type_["attributes"]
        )
    items = type_.get("sequence") or type_.get("choice") or ()
    slots = {item[0]: ElementSlot(item[0], place, *item[1:]) for place, item in enumerate(items)}
    needed = tuple(slot for slot in slots.values() if slot.least)
    return ElementType(slots, choice="choice" in type_, free="any" in type_, needed=needed)


def root_element_type(version: str) -> ElementType:
    """Return the type of `CstmrCdtTrfInitn` of a version (`pain.001.001.09`)."""
    return element_type(_TABLES["roots"][version])


class StructureChecker:
    """Check trees against a version's structure; `faults` are those found, at most 20."""

    def __init__(self, *, ordered: bool) -> None:
        self.faults: list[Fault] = []
        self.ordered = ordered

    def check(self, node: Node, kind: str, path: str, *, later: str = "") -> None:
        """Check a node of a type; `later` is an element below that comes by itself."""
        if len(self.faults) < MOST_FAULTS:
            self._check(node, element_type(kind), path, later)

    def tell(self, text: str, path: str, node: Node) -> None:
        """Keep a fault of the structure."""
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(Fault(FORMAT, text, path, node.line))

    def _check(self, node: Node, kind: ElementType, path: str, later: str) -> None:
        if kind.free:
            return
        if kind.judge is not None:
            self._check_text(node, kind, path)
            return
        if node.attributes:
            self.tell(
                f"The attribute {_shorten_name(next(iter(node.attributes)))} is not known.",
                path,
                node,
            )
        if node.text:
            self.tell("Only elements are allowed here, not text.", path, node)
        if kind.choice:
            nodes = node.kids
            if len(nodes) > 1:
                # an empty alternative beside the chosen one counts as absent
                nodes = [kid for kid in nodes if not kid.empty] or nodes
            if len(nodes) != 1 or nodes[0].tag not in kind.slots:
                listed = ", ".join(kind.slots)
                self.tell(f"One element is needed here, of {listed}.", path, node)
                return
            kid = nodes[0]
            self._check(kid, element_type(kind.slots[kid.tag].kind), f"{path}/{kid.tag}", "")
        else:
            self._check_sequence(node, kind, path, later)

    def _check_text(self, node: Node, kind: ElementType, path: str) -> None:
        if node.kids:
            self.tell("Only text is allowed here, not elements.", path, node)
            return
        # the caller has checked
        assert kind.judge is not None
        if why := kind.judge(node.text):
            self.tell(f"This cannot be accepted: {why}.", path, node)
        if node.attributes or kind.attributes:
            self._check_attributes(node, kind.attributes or {}, path)

    def _check_attributes(self, node: Node, known: Mapping[str, str], path: str) -> None:
        for name in node.attributes:
            if name not in known:
                self.tell(f"The attribute {_shorten_name(name)} is not known.", path, node)
        for name, kind in known.items():
            judge = element_type(kind).judge
            if name not in node.attributes:
                self.tell(f"The attribute {name} is missing.", path, node)
            elif judge is not None and (why := judge(node.attributes[name])):
                self.tell(f"The attribute {name} cannot be accepted: {why}.", path, node)

    def _check_sequence(self, node: Node, kind: ElementType, path: str, later: str) -> None:
        slots = kind.slots
        counts: dict[str, int] = {}
        place = 0
        for kid in node.kids:
            slot = slots.get(kid.tag)
            if slot is None:
                self.tell(f"The element {_shorten_name(kid.tag)} is not known here.", path, kid)
                continue
            if slot.least == 0 and not kid.text and kid.empty:
                continue
            if self.ordered and slot.place < place:
                self.tell(f"The element {kid.tag} is in the wrong place.", path, kid)
            place = slot.place
            count = counts[kid.tag] = counts.get(kid.tag, 0) + 1
            where = f"{path}/{kid.tag}" if slot.most == 1 else f"{path}/{kid.tag}[{count}]"
            if count > slot.most != UNBOUNDED:
                self.tell(f"The element {kid.tag} comes more than {slot.most} times.", where, kid)
                continue
            known = len(self.faults)
            self._check(kid, element_type(slot.kind), where, "")
            if kid.tag in ACCOUNTS:
                self._advise(kid, element_type(slot.kind), where, known)
        for slot in kind.needed:
            if slot.tag not in counts and slot.tag != later:
                self.tell(f"The element {slot.tag} is missing.", path, node)

    def _advise(self, account: Node, kind: ElementType, path: str, known: int) -> None:
        """Say with the faults of an account, those behind the known, where its wallet goes."""
        for at, fault in enumerate(self.faults[known:], known):
            below = fault.path.removeprefix(path).lstrip("/")
            advice = advise_wallet_place(account, below=below, proxied="Prxy" in kind.slots)
            if advice and not any(
                advice in earlier_fault.text for earlier_fault in self.faults[known:at]
            ):
                self.faults[at] = replace(fault, text=f"{fault.text} {advice}")


def _shorten_name(name: str) -> str:
    return name[:40]
