"""The Merkle tree as stored in tiles: every eighth level, so that 256 seals cost one row.

A proof reads one tile of at most 256 nodes for every eight levels: three for 5,000,000 leaves.
"""

from collections import OrderedDict
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from django.db.models import F, QuerySet

from apps.payments.travelrule.models import TravelEvent, TreeNode
from apps.payments.travelrule.proofs.merkle import Frontier, leaf_hash, node_hash
from apps.platform.common.batches import iter_chunks
from apps.platform.ledger.models import Seal

LEVEL_STEP = 8
TILE_WIDTH = 1 << LEVEL_STEP
TILES_HELD = 64  # of the last used ones, at most 511 hashes each
WRITE_BATCH_SIZE = 500  # nodes in one statement
LEDGER = TravelEvent.LEDGER


class TreeBroken(RuntimeError):
    """Seals or nodes of the tree are missing: verify_ledger says which."""


def store_new_nodes() -> None:
    """Store the nodes of seals that came since the last call."""
    level = LEVEL_STEP
    while _store_level(level):
        level += LEVEL_STEP


def _store_level(level: int) -> bool:
    """Store the complete nodes of a level; False where it has none."""
    last = TreeNode.objects.filter(level=level).order_by("-index").first()
    begins = last.index + 1 if last else 0
    below = read_level_hashes(level - LEVEL_STEP, begins * TILE_WIDTH)
    full = takewhile(lambda tile: len(tile) == TILE_WIDTH, iter_chunks(below, TILE_WIDTH))
    nodes = (
        TreeNode(level=level, index=index, digest=_tile_root(tile).hex())
        for index, tile in enumerate(full, begins)
    )
    written = begins
    for chunk in iter_chunks(nodes, WRITE_BATCH_SIZE):
        # a run at the same time writes the same nodes
        TreeNode.objects.bulk_create(chunk, ignore_conflicts=True)
        written += len(chunk)
    return written > 0


def _tile_root(tile: list[bytes]) -> bytes:
    tree = Frontier()
    tree.extend(tile)
    return tree.top


def read_level_hashes(level: int, first: int, until: int | None = None) -> Iterator[bytes]:
    """Yield the hashes of a stored level, of the seals at level 0, from an index on.

    TreeBroken where one is missing.
    """
    # positions of seals begin with 1, leaves with 0
    expected = first
    rows: QuerySet[Any, Any]
    if level:
        nodes = TreeNode.objects.filter(level=level, index__gte=first)
        nodes = nodes if until is None else nodes.filter(index__lt=until)
        rows = nodes.order_by("index").values_list("index", "digest")
    else:
        seals = Seal.objects.filter(ledger=LEDGER, position__gt=first)
        seals = seals if until is None else seals.filter(position__lte=until)
        rows = seals.order_by("position").values_list(F("position") - 1, "digest")
    for index, digest in rows.iterator(TILE_WIDTH * 40):
        if index != expected:
            raise TreeBroken(f"node {level}/{expected} is not there")
        expected += 1
        yield bytes.fromhex(digest) if level else leaf_hash(bytes.fromhex(digest))


class SealTree:
    """The tree of the first `size` seals, read tile by tile; the last used are held."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._held: OrderedDict[tuple[int, int], list[list[bytes]]] = OrderedDict()

    def node(self, level: int, index: int) -> bytes:
        """Return the hash of a complete subtree; TreeBroken where what it rests on is missing."""
        # the tile that holds the node: the stored level below it, and its place in that tile
        block, within = level - level % LEVEL_STEP, level % LEVEL_STEP
        wide = LEVEL_STEP - within
        tile = self._tile(block, index >> wide)
        try:
            return tile[within][index & ((1 << wide) - 1)]
        except IndexError:
            raise TreeBroken(f"node {level}/{index} is not there") from None

    def _tile(self, level: int, number: int) -> list[list[bytes]]:
        """Return a tile with the complete nodes above it, level by level."""
        key = level, number
        if key in self._held:
            self._held.move_to_end(key)
            return self._held[key]
        first = number << LEVEL_STEP
        rows = [list(read_level_hashes(level, first, min(first + TILE_WIDTH, self.size >> level)))]
        while len(rows[-1]) > 1:
            pairs = zip(rows[-1][::2], rows[-1][1::2], strict=False)
            rows.append([node_hash(left, right) for left, right in pairs])
        self._held[key] = rows
        if len(self._held) > TILES_HELD:
            self._held.popitem(last=False)
        return rows
