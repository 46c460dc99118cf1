"""The signed manifest of an export: filter, files, the ledger's head, the tree."""

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from rest_framework.exceptions import ValidationError

from apps.backoffice.oversight.models import ExportEvent, Phase
from apps.payments.travelrule.models import TravelRecord
from apps.payments.travelrule.proofs import roots
from apps.payments.travelrule.proofs.merkle import (
    Frontier,
    compute_root,
    consistency_path,
    leaf_hash,
)
from apps.payments.travelrule.proofs.merkle_tiles import LEDGER, SealTree
from apps.payments.travelrule.proofs.stamping import stamps
from apps.platform.common.clock import EPOCH, format_utc, to_epoch_seconds
from apps.platform.crypto.canonical import canonical_digest
from apps.platform.crypto.signatures import build_jwks, sign_statement
from apps.platform.ledger.sealer import SealingRefused, seal_ledger
from apps.platform.ledger.verification.verified_reads import filter_verified_records, read_chain_end

KIND = "travel-rule export"
EXPORT_NAME = "travel_rule"
# batches sealed before an export: events beyond that are reported as not yet sealed
SEALED_BATCHES = 5
ORDER = "createdAt, then the number of the record"
logger = logging.getLogger(__name__)


@dataclass
class ExportFile:
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
        statement = {"file": self.name, "bytes": self.size, "sha256": self.sha256}
        if self.lines is not None:
            statement |= {"rows": self.rows, "rowsRoot": self.lines.root().hex()}
        return statement


@dataclass(frozen=True, slots=True)
class TreeAnchor:
    """The signed tree that an export is proved against, and what led to it; no tree: no root.

    `stamp` is the time-stamp of the last root that has one, which may be an earlier one.
    """

    root: dict[str, Any] | None
    consistency: dict[str, Any] | None
    tree: SealTree
    stamp: dict[str, Any] | None = None


def anchor_export(*, since: int | None, now: datetime) -> TreeAnchor:
    """Seal what waits, sign the root and prove that it continues an earlier one.

    `since` is the size of the earlier tree, that of the last export by default. ValidationError
    (400) for a size beyond; TreeBroken where seals are missing.
    """
    # the sealer runs each minute: without this, an export would lack proofs of its newest records
    try:
        for _ in range(SEALED_BATCHES):
            if not seal_ledger(ledger=LEDGER, now=now):
                break
    # a forged event stops the sealer; what is sealed can still be exported, the rest as `waiting`
    except SealingRefused as error:
        logger.error("travel-rule export: %s", error)
    root = roots.ensure_signed_root(now=now)
    if root is None:
        return TreeAnchor(None, None, SealTree(0))
    tree = SealTree(root.size)
    stamp = stamps.serialize_stamp(stamps.load_last_stamp(tree.size), tree)
    return TreeAnchor(root.data, _prove_continuation(tree, since), tree, stamp)


def _prove_continuation(tree: SealTree, since: int | None) -> dict[str, Any] | None:
    if since is None:
        before = _load_last_export()
        # The last export had a larger tree: roots were cut off. The empty path makes the verifier
        # report it.
        if before is None or before["size"] > tree.size:
            return before and {**before, "since": before["size"], "path": []}
    elif since > tree.size:
        raise ValidationError({"since": [f"The ledger has {tree.size} sealed events."]})
    else:
        before = {"size": since, "root": compute_root(tree.node, since).hex()}
    path = [digest.hex() for digest in consistency_path(tree.node, before["size"], tree.size)]
    rest = {name: value for name, value in before.items() if name != "size"}
    return {"since": before["size"], "path": path} | rest


def _load_last_export() -> dict[str, Any] | None:
    """Return size and root of the tree of the last finished export, and its id."""
    # tables state no tree: among the last ten there is usually an export with one
    export_events = ExportEvent.objects.filter(what=EXPORT_NAME, phase=Phase.FINISHED).order_by(
        "-pk"
    )
    for event in filter_verified_records(export_events[:10]):
        if tree := event.data.get("tree"):
            return {"size": tree["size"], "root": tree["root"], "export": str(event.export_id)}
    return None


def describe_filter(asked: dict[str, Any], now: datetime) -> dict[str, Any]:
    """Return the filter of an export as its manifest has it; `all` says that there is none."""
    since, until = asked.get("from_", EPOCH), asked.get("to", now)
    filter_payload: dict[str, Any] = {
        "from": to_epoch_seconds(since),
        "to": to_epoch_seconds(until),
    }
    filter_payload |= {"status": asked.get("status") or None, "after": asked.get("cursor") or None}
    bounded = since > EPOCH or "to" in asked or filter_payload["status"] or filter_payload["after"]
    return filter_payload | {"all": not bounded}


def describe_record_selection(
    records: Sequence[TravelRecord], sample: dict[str, Any] | None
) -> dict[str, Any]:
    """Return the filter of an export of these very records, one or more, in the order drawn.

    `sample` says how they were drawn: `seed`, `method`, `bound`, `population`, the `filter`.
    """
    created_ats = [record.created_at for record in records]
    description: dict[str, Any] = {
        "from": to_epoch_seconds(min(created_ats)),
        "to": to_epoch_seconds(max(created_ats)),
    }
    description |= {"status": None, "after": None, "all": False}
    description["ids"] = [str(record.record_id) for record in records]
    return description | ({"sample": sample} if sample else {})


def build_manifest(
    *,
    export_id: UUID,
    by: str,
    narrowed: dict[str, Any],
    anchor: TreeAnchor,
    files: list[ExportFile],
    counts: dict[str, int],
    now: datetime,
) -> dict[str, Any]:
    """Return the signed manifest of an export; `narrowed` is its filter, as `describe_filter` or
    `describe_record_selection`.
    """
    position, head = read_chain_end(LEDGER)
    stated: dict[str, Any] = {
        "kind": KIND,
        "export": str(export_id),
        "exportedBy": by,
        "exportedAt": format_utc(now),
        "filter": narrowed,
        "order": ORDER,
        "files": [file.stated() for file in files],
        "ledger": {"name": LEDGER, "position": position, "digest": head},
        "root": anchor.root,
        "keys": canonical_digest(build_jwks()),
    } | counts
    for name in ("consistency", "stamp"):
        if anchored := getattr(anchor, name):
            stated[name] = anchored
    return sign_statement(stated)
