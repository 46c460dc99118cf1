"""Verify the stored tree and its signed roots against the seals, in one pass over them."""

from collections.abc import Callable, Iterator

from apps.payments.travelrule.models import TreeNode, TreeRoot
from apps.payments.travelrule.proofs.merkle import Frontier, leaf_hash
from apps.payments.travelrule.proofs.merkle_tiles import LEDGER, LEVEL_STEP, TILE_WIDTH
from apps.platform.common.batches import iter_chunks
from apps.platform.crypto.signatures import is_signed_by_us
from apps.platform.ledger.models import Seal
from apps.platform.ledger.verification.verified_reads import filter_verified_records

AT_ONCE = 10_000


def verify_tree(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a fault in words for each node and each root that the seals do not confirm."""
    roots = _SignedRoots()
    levels = [_StoredLevel(LEVEL_STEP)]
    tree = Frontier()
    seals = Seal.objects.filter(ledger=LEDGER).order_by("position")
    for chunk in iter_chunks(seals.values_list("digest", flat=True).iterator(AT_ONCE), AT_ONCE):
        for digest in chunk:
            leaf = leaf_hash(bytes.fromhex(digest))
            tree.add(leaf)
            if tree.size == roots.next:
                yield from roots.held(tree, digest)
            yield from _verify_levels(levels, leaf)
        progress(tree.size)
    for level in levels:
        yield from level.rest()
    yield from roots.beyond()


def _verify_levels(levels: "list[_StoredLevel]", root: bytes) -> Iterator[str]:
    """Add a hash to the lowest level, and each subtree that it completes to the level above."""
    number, whole = 0, levels[0].taken(root)
    while whole is not None:
        yield from levels[number].stored(whole)
        number += 1
        if number == len(levels):
            levels.append(_StoredLevel(levels[-1].level + LEVEL_STEP))
        whole = levels[number].taken(whole)


class _StoredLevel:
    """A stored level of the tree: its nodes as they should be, and as they are stored."""

    def __init__(self, level: int) -> None:
        self.level, self.index = level, 0
        self._tile = Frontier()
        rows = TreeNode.objects.filter(level=level).order_by("index")
        self._rows = rows.values_list("index", "digest").iterator(AT_ONCE)
        self._next = next(self._rows, None)

    def taken(self, found: bytes) -> bytes | None:
        """Take a hash from below; return the node that it makes whole."""
        self._tile.add(found)
        if self._tile.size < TILE_WIDTH:
            return None
        whole, self._tile = self._tile.top, Frontier()
        return whole

    def stored(self, whole: bytes) -> Iterator[str]:
        """Yield what is wrong with the stored node; a node that is not stored yet is no fault."""
        index, self.index = self.index, self.index + 1
        # nodes are stored when a root is signed, a minute after the seals
        if self._next is None:
            return
        if self._next[0] != index:
            yield f"node {self.level}/{index} of the tree is missing"
            return
        if self._next[1] != whole.hex():
            yield f"node {self.level}/{index} of the tree differs from the seals"
        self._next = next(self._rows, None)

    def rest(self) -> Iterator[str]:
        """Yield the nodes beyond the last seal."""
        while self._next is not None:
            yield f"node {self.level}/{self._next[0]} of the tree covers missing seals"
            self._next = next(self._rows, None)


class _SignedRoots:
    """The signed roots, by size."""

    def __init__(self) -> None:
        rows = TreeRoot.objects.order_by("size").iterator(AT_ONCE)
        self._rows = iter(
            root for chunk in iter_chunks(rows, 1000) for root in filter_verified_records(chunk)
        )
        self._next = next(self._rows, None)
        self._before: dict[str, object] | None = None

    @property
    def next(self) -> int:
        """The size of the root that comes next; 0 for none."""
        return self._next.size if self._next else 0

    def held(self, tree: Frontier, digest: str) -> Iterator[str]:
        """Yield what is wrong with the root of this size."""
        tree_root = self._next
        assert tree_root is not None
        stated = tree_root.data
        named = f"the signed root of {tree_root.size}"
        root_hash = tree.root().hex()
        stated_fields = stated.get("size"), stated.get("root"), stated.get("head"), tree_root.root
        if stated_fields != (tree_root.size, root_hash, digest, root_hash):
            yield f"{named} differs from the seals"
        if not is_signed_by_us(stated):
            yield f"{named} has no valid signature"
        # each signed statement names the one before it: a root that was removed leaves a gap
        if stated.get("previous") != self._before:
            yield f"{named} does not extend the previous root"
        self._before = {"size": tree_root.size, "root": tree_root.root}
        self._next = next(self._rows, None)

    def beyond(self) -> Iterator[str]:
        """Yield the roots of trees that are larger than the ledger is."""
        while self._next is not None:
            yield f"the signed root of {self._next.size} covers missing seals"
            self._next = next(self._rows, None)
