"""The parties of an ownership chain, screened: for the report and for the combined screen."""

from collections.abc import Iterable
from dataclasses import dataclass

from apps.lei.values import Chain, Node
from apps.watchlists import lookup
from apps.watchlists.encounters import Encounter
from apps.watchlists.engine import Engine
from apps.watchlists.lookup import Match
from apps.watchlists.models import PartyKind
from apps.watchlists.rules import BLOCK_SCORE, PARTIAL_SCORE
from apps.watchlists.subjects import Subject


@dataclass(frozen=True, slots=True)
class Screened:
    """A node with what the sanctions lists say; `score` None when it could not be screened.

    `unread` are sentences why a name of it was not fully checked.
    """

    node: Node
    score: int | None
    matches: tuple[Match, ...]
    unread: tuple[str, ...] = ()

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
    name, aliases = (node.name, node.also) if node.known else ("", ())
    subject = Subject(name=name, aliases=aliases, entity_type="company", lei=node.lei)
    found = lookup.sanctions(engine=lists, subject=subject)
    score = found.score if found.matches or node.known else None
    return Screened(node, score, found.matches, found.unread)


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
