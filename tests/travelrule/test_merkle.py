"""The Merkle tree of RFC 9162: roots, inclusion and consistency, against the RFC's own words."""

import hashlib

import pytest

from apps.payments.travelrule.export import verify_export as offline
from apps.payments.travelrule.proofs.merkle import (
    EMPTY_ROOT,
    Frontier,
    compute_root,
    consistency_path,
    inclusion_path,
    leaf_hash,
    node_hash,
)

LEAVES = [bytes([number]) * 3 for number in range(70)]


def mth(leaves: list[bytes]) -> bytes:
    """Return the root as section 2.1.1 writes it down, by recursion."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaf_hash(leaves[0])
    k = 1
    while 2 * k < len(leaves):
        k *= 2
    return node_hash(mth(leaves[:k]), mth(leaves[k:]))


def node(level: int, index: int) -> bytes:
    return mth(LEAVES[index << level : (index + 1) << level])


def test_the_empty_tree_has_the_hash_of_nothing() -> None:
    assert compute_root(node, 0) == EMPTY_ROOT == Frontier().root()


@pytest.mark.parametrize("size", range(1, 70))
def test_roots_are_those_of_the_definition(size: int) -> None:
    tree = Frontier()
    tree.extend(leaf_hash(leaf) for leaf in LEAVES[:size])
    assert compute_root(node, size) == tree.root() == mth(LEAVES[:size])


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7, 8, 9, 31, 33, 64, 65])
def test_every_leaf_has_an_inclusion_proof_that_the_offline_verifier_takes(size: int) -> None:
    root = compute_root(node, size)
    for index in range(size):
        path = inclusion_path(node, index, size)
        assert offline.is_included(leaf_hash(LEAVES[index]), index, size, path, root)
        other = (index + 1) % (size + 1)
        assert not offline.is_included(leaf_hash(LEAVES[other]), index, size, path, root)
        assert not offline.is_included(leaf_hash(LEAVES[index]), index, size, [*path, root], root)
        if size > 1:
            assert not offline.is_included(leaf_hash(LEAVES[index]), index, size, path[:-1], root)


@pytest.mark.parametrize("second", [1, 2, 3, 5, 8, 13, 64, 65])
def test_every_earlier_tree_has_a_consistency_proof(second: int) -> None:
    later = compute_root(node, second)
    for first in range(1, second + 1):
        path = consistency_path(node, first, second)
        earlier = compute_root(node, first)
        assert offline.is_consistent(first, second, path, earlier, later)
        assert not offline.is_consistent(first, second, path, bytes(32), later)
        assert not offline.is_consistent(first, second, path, earlier, bytes(32))


@pytest.mark.parametrize(("index", "size"), [(-1, 4), (4, 4)])
def test_a_leaf_beyond_the_tree_has_no_proof(index: int, size: int) -> None:
    with pytest.raises(ValueError, match="no such leaf"):
        inclusion_path(node, index, size)


@pytest.mark.parametrize(("first", "second"), [(0, 4), (5, 4)])
def test_a_tree_that_is_not_earlier_has_no_proof(first: int, second: int) -> None:
    with pytest.raises(ValueError, match="no earlier tree"):
        consistency_path(node, first, second)
