"""Order the owners of a screened party from the party upward. Pure."""

from collections.abc import Iterator, Sequence
from typing import Any

Row = dict[str, Any]
Ties = Sequence[Sequence[Any]]  # child, parent, DIRECT or ULTIMATE, share


def order_owners_upward(chain: Sequence[Row], ties: Ties) -> Iterator[tuple[Row, int, str]]:
    """Yield every entity once with its level and, in words, what it owns; owned entities first.

    Level 0 is the subject; an owner of an entity of level n has level n + 1.
    """
    rows = {row["lei"]: row for row in chain}
    if not rows:
        return
    # Direct owners are followed first: an ultimate parent that is one of theirs is above them.
    # One that nobody on the way names as direct stands above the last of the way: who consolidates
    # an entity in the end consolidates its direct parents too (GLEIF, Level 2 data).
    subject = next(iter(rows))
    levels: dict[str, int] = {}
    waiting = [(subject, 0)]
    while waiting:
        # a stack: the owners of one direct parent come before the next direct parent
        here, at = waiting.pop()
        if here in levels:
            continue
        levels[here] = at
        # reversed, so that the first parent on record is popped first
        waiting += [(parent, at + 1) for parent in reversed(_list_parents(here, ties, "DIRECT"))]
    for child in reversed(list(levels)):
        for parent in _list_parents(child, ties, "ULTIMATE"):
            if parent not in levels:
                levels = _insert_parent(levels, _last_direct_owner(child, ties), parent)
    for lei, level in levels.items():
        if lei in rows:
            yield rows[lei], level, _describe_holdings(lei, rows, ties)
    for lei, row in rows.items():
        # entities that no statement connects, as in records without ties
        if lei not in levels:
            yield row, 1, ""


def _last_direct_owner(lei: str, ties: Ties) -> str:
    """Return the last of the direct owners above an entity, itself where they part or go round."""
    seen = [lei]
    while above := _list_parents(seen[-1], ties, "DIRECT"):
        if len(above) > 1 or above[0] in seen:
            return lei
        seen += above
    return seen[-1]


def _insert_parent(levels: dict[str, int], child: str, parent: str) -> dict[str, int]:
    """Put a parent right behind its child, whose other owners then follow."""
    reordered: dict[str, int] = {}
    for lei, level in levels.items():
        reordered[lei] = level
        if lei == child:
            reordered[parent] = level + 1
    return reordered


def _list_parents(child: str, ties: Ties, kind: str) -> list[str]:
    return [tie[1] for tie in ties if tie[0] == child and tie[2] == kind]


def _describe_holdings(lei: str, rows: dict[str, Row], ties: Ties) -> str:
    """Say whom an owner owns: directly if anybody says so, else through others."""
    for kind, words in (("DIRECT", "owns"), ("ULTIMATE", "owns, through others,")):
        owned = [tie[0] for tie in ties if tie[1] == lei and tie[2] == kind]
        if owned:
            names = dict.fromkeys(
                rows[owner]["name"] if owner in rows else owner for owner in owned
            )
            return f"{words} {' and '.join(names)}"
    return ""
