"""Draw the neighbourhood of a payment: the positions of wallets, and the amounts between them.

Coordinates are whole numbers in a box of WIDTH by the returned height; a template draws them as SVG
with attributes and classes only, so that no style is written into the page.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from apps.compliance.aml.rules.profile import Move, Payment, Profile
from apps.compliance.aml.rules.signal_context import format_usd

# of the drawing, and below it of its parts, in units of the SVG's viewBox
WIDTH = 720
ROW = 34
TOP = 40
WIDE, HIGH = 112, 24  # of the box of a wallet
MOST = 8  # neighbours that are drawn of each of the two wallets
COLUMNS = {"own": 240, "counterparty": 480, "left": 80, "right": 640}


@dataclass(frozen=True, slots=True)
class DiagramLink:
    """All movements between two wallets, one way."""

    other: str
    out: int
    count: int
    amount: int
    last: int


def build_network_diagram(
    *,
    wallet: str,
    counterparty: str,
    own: Profile,
    other: Profile,
    payment: Payment,
    near: Mapping[str, bool],
) -> dict[str, Any]:
    """Return nodes, edges and the bounds of a drawing: texts and whole numbers.

    The wallet and its counterparty are in the middle, the wallets that each paid recently outside,
    at most eight of each, the latest first; `more` is the number of others.
    """
    links = {
        "left": _merge_moves(own.recent, leave=counterparty),
        "right": _merge_moves(other.recent, leave=wallet),
    }
    rows = max(1, *(min(MOST, len(diagram_links)) for diagram_links in links.values()))
    middle = TOP + (rows - 1) * ROW // 2
    nodes = [
        _build_node(wallet, COLUMNS["own"], middle, "own", near),
        _build_node(counterparty, COLUMNS["counterparty"], middle, "counterparty", near),
    ]
    edges = [
        _build_edge(nodes[0], nodes[1], payment.sender == wallet, payment.amount, 1, this=True)
    ]
    for side, hub in (("left", nodes[0]), ("right", nodes[1])):
        # flagged wallets first: they are the reason for the review
        shown = sorted(links[side], key=lambda diagram_link: diagram_link.other not in near)[:MOST]
        # each side is centred by its own number of wallets
        top = middle - (len(shown) - 1) * ROW // 2
        for place, link in enumerate(shown):
            node = _build_node(link.other, COLUMNS[side], top + place * ROW, side, near)
            nodes.append(node)
            edges.append(_build_edge(hub, node, bool(link.out), link.amount, link.count))
    return {
        "nodes": nodes,
        "edges": edges,
        "width": WIDTH,
        "height": 2 * TOP + (rows - 1) * ROW,
        "more": sum(max(0, len(diagram_links) - MOST) for diagram_links in links.values()),
    }


def _merge_moves(moves: Iterable[Move], *, leave: str) -> list[DiagramLink]:
    """Return the movements with each wallet and each way as one, the latest first."""
    diagram_links: dict[tuple[str, int], DiagramLink] = {}
    for move in moves:
        if move.other == leave:
            continue
        key = move.other, move.out
        before = diagram_links.get(key, DiagramLink(move.other, move.out, 0, 0, 0))
        diagram_links[key] = DiagramLink(
            move.other, move.out, before.count + 1, before.amount + move.amount, move.at
        )
    return sorted(diagram_links.values(), key=lambda link: (-link.last, link.other, link.out))


def _build_node(wallet: str, x: int, y: int, role: str, near: Mapping[str, bool]) -> dict[str, Any]:
    standing = "" if wallet not in near else "listed" if near[wallet] else "confirmed"
    # as many characters as fit into the box of a wallet
    short = wallet if len(wallet) <= 14 else f"{wallet[:6]}…{wallet[-4:]}"
    box = {"x": x, "y": y, "left": x - WIDE // 2, "top": y - HIGH // 2, "base": y + 4}
    return {"wallet": wallet, "short": short, "role": role, "standing": standing} | box


def _build_edge(
    hub: dict[str, Any],
    end: dict[str, Any],
    out: bool,
    amount: int,
    count: int,
    *,
    this: bool = False,
) -> dict[str, Any]:
    """Return an edge from who sends to who receives; it ends where the nodes' boxes begin."""
    start, stop = (hub, end) if out else (end, hub)
    turn = 1 if stop["x"] > start["x"] else -1
    words = f"{format_usd(amount)}" if count == 1 else f"{count} payments, {format_usd(amount)}"
    return {
        # half of a box (WIDE), and 4 more at the end, where the arrow points
        "x1": start["x"] + turn * 56,
        "y1": start["y"],
        "x2": stop["x"] - turn * 60,
        "y2": stop["y"],
        "words": words,
        "said": f"{start['wallet']} to {stop['wallet']}: {words}",
        "this": this,
    }
