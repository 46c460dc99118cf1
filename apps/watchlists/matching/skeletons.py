"""How alike two tokens are of which one comes from a script without vowels."""

from rapidfuzz.distance import OSA

from apps.names.scripts.phonetics import bare_bones, skeleton
from apps.watchlists.matching.edits import Likeness

# Unvowelled scripts: equal skeletons, equal short ones, one letter apart, one of a short one.
SKELETON, SKELETON_SHORT, SKELETON_NEAR, SKELETON_NEAR_SHORT = 0.95, 0.88, 0.82, 0.74
SKELETON_ONE = 0.8  # equal but for letters that may stand for vowels


def by_skeleton(one: str, other: str) -> Likeness | None:
    """Return the likeness of two tokens of which one comes from a script without vowels."""
    left, right = skeleton(one), skeleton(other)
    if not left or not right:
        return None
    if left == right or skeleton(one.replace("th", "t")) == skeleton(other.replace("th", "t")):
        return Likeness(SKELETON if len(left) > 2 else SKELETON_SHORT, "skeleton")
    if bare_bones(one) == bare_bones(other) != "":
        return Likeness(SKELETON_ONE, "skeleton")
    longest = max(len(left), len(right))
    if longest < 3 or OSA.distance(left, right, score_cutoff=1) > 1:
        return None
    return Likeness(SKELETON_NEAR if longest > 4 else SKELETON_NEAR_SHORT, "skeleton")
