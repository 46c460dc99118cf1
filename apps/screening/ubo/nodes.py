"""The parties of an ownership chain, screened: for the report and for the combined screen."""

from collections.abc import Iterable
from dataclasses import dataclass

from apps.lei.values import Chain, Node
from apps.watchlists import lookup
from apps.watchlists.actions import Encounter
from apps.watchlists.engine import Engine
from apps.watchlists.lookup import Match
from apps.watchlists.models import PartyKind
from apps.watchlists.rules import BLOCK_SCORE, PARTIAL_SCORE


@dataclass(frozen=True, slots=True)
class Screened:
    """A node with what the sanctions lists say; `score` None when it could not be screened."""

    node: Node
    score: int | None
    matches: tuple[Match, ...]

    @property
    def status(self) -> str:
        """Return MATCH, PARTIAL, CLEAR or NOT_CHECKED."""
        if self.score is None:
            return "NOT_CHECKED"
        if self.score >= BLOCK_SCORE:
            return "MATCH"
        return "PARTIAL" if self.score >= PARTIAL_SCORE else "CLEAR"


def screen_nodes(*, chain: Chain, lists: Engine) -> tuple[Screened, ...]:
    """Screen each entity of a chain by its legal names and, exactly, by its LEI."""
    return tuple(_screen(node, lists) for node in chain.nodes)


def _screen(node: Node, lists: Engine) -> Screened:
    found: dict[str, Match] = {}
    for name in (node.name, *node.also) if node.known else ("",):
        for match in lookup.sanctions(engine=lists, name=name, schema="Organization", lei=node.lei):
            rival = found.get(match.ref)
            if rival is None or match.score > rival.score:
                found[match.ref] = match
    ranked = tuple(sorted(found.values(), key=lambda match: (-match.score, match.ref)))
    score = ranked[0].score if ranked else 0 if node.known else None
    return Screened(node, score, ranked[: lookup.SHOWN])


def encounters(nodes: Iterable[Node]) -> list[Encounter]:
    """Return the known entities, to be noted: a later change of the lists is held against them."""
    return [
        Encounter(
            kind=PartyKind.SCREENED if node.role == "SUBJECT" else PartyKind.OWNER,
            schema="Organization",
            name=node.name,
            country=node.country,
            reference=f"lei:{node.lei}",
        )
        for node in nodes
        if node.known
    ]
