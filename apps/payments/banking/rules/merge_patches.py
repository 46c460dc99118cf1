"""The state that the bank's reports add up to: merge patches (RFC 7396), by version. Pure."""

from collections.abc import Iterable, Mapping
from typing import Any


def apply_merge_patch(state: Any, patch: Any) -> Any:
    """Return a state with a patch applied; null removes a member, all but objects replace."""
    if not isinstance(patch, Mapping):
        return patch
    merged = dict(state) if isinstance(state, Mapping) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = apply_merge_patch(merged.get(name), value)
    return merged


def fold_patches(patches: Iterable[tuple[int, str, Any]]) -> dict[str, Any]:
    """Return the state after all patches: (version, delivery id, patch), in any order.

    An older patch that arrives late is put in its place: it fills in what newer ones do not
    mention, and undoes none of them. Between two of the same version the id decides, whichever came
    first.
    """
    state: Any = {}
    for _, _, patch in sorted(patches, key=lambda patch_row: patch_row[:2]):
        state = apply_merge_patch(state, patch)
    return state if isinstance(state, dict) else {}
