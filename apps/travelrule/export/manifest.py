"""What an export states of itself, signed: filter, files, the ledger's head, the tree."""

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from rest_framework.exceptions import ValidationError

from apps.core.canonical import digest
from apps.core.chain import last_seal, proven
from apps.core.sealing import SealingRefused, seal
from apps.core.shapes import epoch, iso
from apps.core.signing import attest, jwks
from apps.oversight.models import ExportEvent, Phase
from apps.travelrule.models import TravelRecord
from apps.travelrule.proofs import roots
from apps.travelrule.proofs.merkle import Frontier, consistency, leaf_hash, root_of
from apps.travelrule.proofs.stamping import stamps
from apps.travelrule.proofs.tiles import LEDGER, Tree
from apps.travelrule.reads import EPOCH

KIND = "travel-rule export"
WHAT = "travel_rule"
SEALED_FIRST = 5  # batches: what waits beyond is told as not sealed yet
ORDER = "createdAt, then the number of the record"
logger = logging.getLogger(__name__)


@dataclass
class File:
    """One file of an export while it is written."""

    name: str
    rows: int = 0
    size: int = 0
    lines: Frontier | None = None
    _hashed: Any = field(default_factory=hashlib.sha256)

    def taken(self, piece: bytes) -> bytes:
        """Count a piece and hand it on."""
        self._hashed.update(piece)
        self.size += len(piece)
        return piece

    def line(self, line: bytes) -> bytes:
        """Count a line, which is a leaf of the tree of rows, and return it with its end."""
        self.rows += 1
        if self.lines is not None:
            self.lines.add(leaf_hash(line))
        return self.taken(line + b"\n")

    @property
    def sha256(self) -> str:
        """The hash of all that was written."""
        return str(self._hashed.hexdigest())

    def stated(self) -> dict[str, Any]:
        """Return what the manifest says of it."""
        found = {"file": self.name, "bytes": self.size, "sha256": self.sha256}
        if self.lines is not None:
            found |= {"rows": self.rows, "rowsRoot": self.lines.root().hex()}
        return found


@dataclass(frozen=True, slots=True)
class Anchor:
    """The signed tree that an export is proved against, and what led to it; no tree: no root.

    `stamp` is the time-stamp of the last root that has one, which may be an earlier one.
    """

    root: dict[str, Any] | None
    consistency: dict[str, Any] | None
    tree: Tree
    stamp: dict[str, Any] | None = None


def anchored(*, since: int | None, now: datetime) -> Anchor:
    """Seal what waits, sign the root and prove that it continues an earlier one.

    `since` is the size of the earlier tree, that of the last export by default. ValidationError
    (400) for a size beyond; TreeBroken where seals are missing.
    """
    try:
        for _ in range(SEALED_FIRST):
            if not seal(ledger=LEDGER, now=now):
                break
    except SealingRefused as error:
        logger.error("travel-rule export: %s", error)
    root = roots.sign(now=now)
    if root is None:
        return Anchor(None, None, Tree(0))
    tree = Tree(root.size)
    stamp = stamps.told(stamps.last(tree.size), tree)
    return Anchor(root.data, _continued(tree, since), tree, stamp)


def _continued(tree: Tree, since: int | None) -> dict[str, Any] | None:
    if since is None:
        before = _exported()
        if before is None or before["size"] > tree.size:  # the second: roots were cut off
            return before and {**before, "since": before["size"], "path": []}
    elif since > tree.size:
        raise ValidationError({"since": [f"The ledger has {tree.size} sealed events."]})
    else:
        before = {"size": since, "root": root_of(tree.node, since).hex()}
    path = [one.hex() for one in consistency(tree.node, before["size"], tree.size)]
    rest = {name: value for name, value in before.items() if name != "size"}
    return {"since": before["size"], "path": path} | rest


def _exported() -> dict[str, Any] | None:
    """Return size and root of the tree of the last export that was whole, and its id."""
    held = ExportEvent.objects.filter(what=WHAT, phase=Phase.FINISHED).order_by("-pk")
    for event in proven(held[:10]):
        if tree := event.data.get("tree"):
            return {"size": tree["size"], "root": tree["root"], "export": str(event.export_id)}
    return None


def chosen(asked: dict[str, Any], now: datetime) -> dict[str, Any]:
    """Return the filter of an export as its manifest has it; `all` says that there is none."""
    since, until = asked.get("from_", EPOCH), asked.get("to", now)
    found: dict[str, Any] = {"from": epoch(since), "to": epoch(until)}
    found |= {"status": asked.get("status") or None, "after": asked.get("cursor") or None}
    bounded = since > EPOCH or "to" in asked or found["status"] or found["after"]
    return found | {"all": not bounded}


def taken(records: Sequence[TravelRecord], sample: dict[str, Any] | None) -> dict[str, Any]:
    """Return the filter of an export of these very records, one or more, in the order drawn.

    `sample` says how they were drawn: `seed`, `method`, `bound`, `population`, the `filter`.
    """
    made = [one.created_at for one in records]
    found: dict[str, Any] = {"from": epoch(min(made)), "to": epoch(max(made))}
    found |= {"status": None, "after": None, "all": False}
    found["ids"] = [str(one.record_id) for one in records]
    return found | ({"sample": sample} if sample else {})


def manifest(
    *,
    export_id: UUID,
    by: str,
    narrowed: dict[str, Any],
    anchor: Anchor,
    files: list[File],
    counts: dict[str, int],
    now: datetime,
) -> dict[str, Any]:
    """Return the signed manifest of an export; `narrowed` is its filter, as `chosen` or `taken`."""
    position, head = last_seal(LEDGER)
    stated: dict[str, Any] = {
        "kind": KIND,
        "export": str(export_id),
        "exportedBy": by,
        "exportedAt": iso(now),
        "filter": narrowed,
        "order": ORDER,
        "files": [one.stated() for one in files],
        "ledger": {"name": LEDGER, "position": position, "digest": head},
        "root": anchor.root,
        "keys": digest(jwks()),
    } | counts
    for name in ("consistency", "stamp"):
        if held := getattr(anchor, name):
            stated[name] = held
    return attest(stated)
