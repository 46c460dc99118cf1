"""Whether a tree is of a version's structure: order, how often, what is missing, what texts may be.

The verdict is the published schema's, but that an optional element which says nothing counts as
absent, and blanks around a text do not count (banks write both).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from apps.payments.pain001.faults import MOST_TOLD, Fault
from apps.payments.pain001.structure.accounts import ACCOUNTS, advice
from apps.payments.pain001.structure.simple import Judge, judge_of
from apps.payments.pain001.tree import Node

FORMAT = "FF01"  # ISO 20022: invalid file format
_TABLES = json.loads(Path(__file__).with_name("tables.json").read_text())
VERSIONS: tuple[str, ...] = tuple(_TABLES["roots"])
UNBOUNDED = -1


@dataclass(frozen=True, slots=True)
class Slot:
    """A place of an element in its parent: where it stands, its type, how often it may be there."""

    tag: str
    place: int
    kind: str
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Kind:
    """A type: a simple one has `judge`, any other its slots; `free` takes anything."""

    slots: Mapping[str, Slot]
    choice: bool = False
    free: bool = False
    judge: Judge | None = None
    attributes: Mapping[str, str] | None = None
    needed: tuple[Slot, ...] = ()


@cache
def kind_of(name: str) -> Kind:
    """Return a type by its name in tables.json; KeyError where there is none."""
    found: dict[str, Any] = _TABLES["types"][name]
    if "base" in found:
        return Kind({}, judge=judge_of(found))
    if "value" in found:
        return Kind({}, judge=kind_of(found["value"]).judge, attributes=found["attributes"])
    items = found.get("sequence") or found.get("choice") or ()
    slots = {item[0]: Slot(item[0], place, *item[1:]) for place, item in enumerate(items)}
    needed = tuple(slot for slot in slots.values() if slot.least)
    return Kind(slots, choice="choice" in found, free="any" in found, needed=needed)


def root_of(version: str) -> Kind:
    """Return the type of `CstmrCdtTrfInitn` of a version (`pain.001.001.09`)."""
    return kind_of(_TABLES["roots"][version])


class Checker:
    """Holds trees against a version's structure; `faults` are what it found, at most 20."""

    def __init__(self, *, ordered: bool) -> None:
        self.faults: list[Fault] = []
        self.ordered = ordered

    def check(self, node: Node, kind: str, path: str, *, later: str = "") -> None:
        """Check a node of a type; `later` is an element below that comes by itself."""
        if len(self.faults) < MOST_TOLD:
            self._check(node, kind_of(kind), path, later)

    def tell(self, text: str, path: str, node: Node) -> None:
        """Keep a fault of the structure."""
        if len(self.faults) < MOST_TOLD:
            self.faults.append(Fault(FORMAT, text, path, node.line))

    def _check(self, node: Node, kind: Kind, path: str, later: str) -> None:
        if kind.free:
            return
        if kind.judge is not None:
            self._check_text(node, kind, path)
            return
        if node.attributes:
            self.tell(
                f"The attribute {_shown(next(iter(node.attributes)))} is not known.", path, node
            )
        if node.text:
            self.tell("Only elements are taken here, and there is a text.", path, node)
        if kind.choice:
            self._check_choice(node, kind, path)
        else:
            self._check_sequence(node, kind, path, later)

    def _check_text(self, node: Node, kind: Kind, path: str) -> None:
        if node.kids:
            self.tell("Only a text is taken here, and there are elements.", path, node)
            return
        assert kind.judge is not None  # the caller has looked
        if why := kind.judge(node.text):
            self.tell(f"This cannot be taken: {why}.", path, node)
        if node.attributes or kind.attributes:
            self._check_attributes(node, kind.attributes or {}, path)

    def _check_attributes(self, node: Node, known: Mapping[str, str], path: str) -> None:
        for name in node.attributes:
            if name not in known:
                self.tell(f"The attribute {_shown(name)} is not known.", path, node)
        for name, kind in known.items():
            judge = kind_of(kind).judge
            if name not in node.attributes:
                self.tell(f"The attribute {name} is missing.", path, node)
            elif judge is not None and (why := judge(node.attributes[name])):
                self.tell(f"The attribute {name} cannot be taken: {why}.", path, node)

    def _check_choice(self, node: Node, kind: Kind, path: str) -> None:
        said = node.kids
        if len(said) > 1:
            said = [kid for kid in said if not kid.empty] or said
        if len(said) != 1 or said[0].tag not in kind.slots:
            listed = ", ".join(kind.slots)
            self.tell(f"One element is needed here, of {listed}.", path, node)
            return
        kid = said[0]
        self._check(kid, kind_of(kind.slots[kid.tag].kind), f"{path}/{kid.tag}", "")

    def _check_sequence(self, node: Node, kind: Kind, path: str, later: str) -> None:
        slots = kind.slots
        counts: dict[str, int] = {}
        place = 0
        for kid in node.kids:
            slot = slots.get(kid.tag)
            if slot is None:
                self.tell(f"The element {_shown(kid.tag)} is not known here.", path, kid)
                continue
            if slot.least == 0 and not kid.text and kid.empty:
                continue
            if self.ordered and slot.place < place:
                self.tell(f"The element {kid.tag} stands in the wrong place.", path, kid)
            place = slot.place
            count = counts[kid.tag] = counts.get(kid.tag, 0) + 1
            where = f"{path}/{kid.tag}" if slot.most == 1 else f"{path}/{kid.tag}[{count}]"
            if count > slot.most != UNBOUNDED:
                self.tell(f"The element {kid.tag} comes more than {slot.most} times.", where, kid)
                continue
            known = len(self.faults)
            self._check(kid, kind_of(slot.kind), where, "")
            if kid.tag in ACCOUNTS:
                self._advise(kid, kind_of(slot.kind), where, known)
        for slot in kind.needed:
            if slot.tag not in counts and slot.tag != later:
                self.tell(f"The element {slot.tag} is missing.", path, node)

    def _advise(self, account: Node, kind: Kind, path: str, known: int) -> None:
        """Say with the faults of an account, those behind the known, where its wallet goes."""
        for at, fault in enumerate(self.faults[known:], known):
            below = fault.path.removeprefix(path).lstrip("/")
            said = advice(account, below=below, proxied="Prxy" in kind.slots)
            if said and not any(said in one.text for one in self.faults[known:at]):
                self.faults[at] = replace(fault, text=f"{fault.text} {said}")


def _shown(name: str) -> str:
    return name[:40]
