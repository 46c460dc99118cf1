"""Merge patches (RFC 7396), and their fold by version."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.payments.banking.rules.merge_patches import apply_merge_patch, fold_patches

CASES: list[tuple[Any, Any, Any]] = [  # RFC 7396 appendix A
    ({"a": "b"}, {"a": "c"}, {"a": "c"}),
    ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    ({"a": "b"}, {"a": None}, {}),
    ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    (["a", "b"], ["c", "d"], ["c", "d"]),
    ({"a": "b"}, ["c"], ["c"]),
    ({"a": "foo"}, None, None),
    ({"a": "foo"}, "bar", "bar"),
    ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
    ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
    ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.decimals(places=2),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner),
    max_leaves=6,
)
PATCHES = st.dictionaries(st.sampled_from("abcd"), VALUES, max_size=4)


@pytest.mark.parametrize(("state", "patch", "result"), CASES)
def test_a_patch_is_applied_as_the_standard_has_it(state: Any, patch: Any, result: Any) -> None:
    assert apply_merge_patch(state, patch) == result


def test_an_older_version_that_comes_late_fills_in_and_undoes_nothing() -> None:
    newer = (3, "c", {"status": "sent"})
    older = (1, "a", {"status": "pending", "amount": Decimal("1.50")})
    assert fold_patches([newer, older]) == {"status": "sent", "amount": Decimal("1.50")}


def test_what_a_newer_version_took_away_an_older_one_does_not_bring_back() -> None:
    assert fold_patches([(2, "b", {"note": None}), (1, "a", {"note": "svc:x"})]) == {}


def test_of_two_patches_of_one_version_the_id_decides_whichever_came_first() -> None:
    one, other = (1, "a", {"status": "processing"}), (1, "b", {"status": "sent"})
    assert fold_patches([one, other]) == fold_patches([other, one]) == {"status": "sent"}


@given(st.lists(st.tuples(st.integers(0, 4), st.uuids().map(str), PATCHES), max_size=6), st.data())
def test_in_whatever_order_deliveries_come_the_state_is_the_same(
    patches: list[Any], data: st.DataObject
) -> None:
    assert fold_patches(data.draw(st.permutations(patches))) == fold_patches(patches)


@given(PATCHES, PATCHES)
def test_the_same_patch_again_changes_nothing(state: dict[str, Any], patch: dict[str, Any]) -> None:
    once = apply_merge_patch(state, patch)
    assert apply_merge_patch(once, patch) == once


@given(
    st.lists(PATCHES, min_size=1, max_size=6),
    st.lists(st.integers(0, 5), max_size=6),
    st.sets(st.integers(0, 5)),
    st.data(),
)
def test_what_comes_twice_or_late_or_between_gaps_ends_in_the_same_state(
    patches: list[Any], twice: list[int], missing: set[int], data: st.DataObject
) -> None:
    told = [(3 * at, f"d{at}", one) for at, one in enumerate(patches) if at not in missing]
    again = [told[at] for at in twice if at < len(told)]
    come = data.draw(st.permutations([*told, *again]))
    state: Any = {}
    for _, _, patch in told:
        state = apply_merge_patch(state, patch)
    assert fold_patches(come) == state
