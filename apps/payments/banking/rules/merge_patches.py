"""The state of what the bank tells of: merge patches (RFC 7396), folded by version. Pure."""

from collections.abc import Iterable, Mapping
from typing import Any


def apply_merge_patch(state: Any, patch: Any) -> Any:
    """Return a state with a patch applied; null takes a member away, all but objects replace."""
    if not isinstance(patch, Mapping):
        return patch
    found = dict(state) if isinstance(state, Mapping) else {}
    for name, value in patch.items():
        if value is None:
            found.pop(name, None)
        else:
            found[name] = apply_merge_patch(found.get(name), value)
    return found


def fold_patches(patches: Iterable[tuple[int, str, Any]]) -> dict[str, Any]:
    """Return the state after all patches: (version, delivery id, patch), in whatever order.

    An older one that comes late is put where it belongs: it fills in what newer ones are silent
    of, and undoes none of them. Of two with one version the id decides, whichever came first.
    """
    state: Any = {}
    for _, _, patch in sorted(patches, key=lambda one: one[:2]):
        state = apply_merge_patch(state, patch)
    return state if isinstance(state, dict) else {}
