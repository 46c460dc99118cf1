"""The state that the bank's reports add up to: merge patches (RFC 7396), by version. Pure."""

from collections.abc import Iterable, Mapping
from typing import Any


def apply_merge_patch(state: Any, patch: Any) -> Any:
    """Return a state with a patch applied; null removes a member, all but objects replace."""
    if not isinstance(patch, Mapping):
        return patch
    merged = dict(state) if isinstance(state, Mapping) else {}
    for name, value in patch.items():
        # RFC 7396: null removes, and a list is replaced as a whole
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = apply_merge_patch(merged.get(name), value)
    return merged


def fold_patches(patches: Iterable[tuple[int, str, Any]]) -> dict[str, Any]:
    """Return the state after all patches: (version, delivery id, patch), in any order.

    An older patch that arrives late fills in what newer ones do not mention, and undoes none of
    them.
    """
    # of two with the same version the id decides, so that any order of arrival gives one state
    state: Any = {}
    # deliveries come at least once and in any order; only resourceVersion orders them
    for _, _, patch in sorted(patches, key=lambda patch_row: patch_row[:2]):
        state = apply_merge_patch(state, patch)
    # a patch that is no object would replace the whole state
    return state if isinstance(state, dict) else {}
