"""The parties of an ownership chain, screened: for the report and for the combined screen."""

from collections.abc import Iterable
from dataclasses import dataclass

from apps.countries.rules import Listings
from apps.lei.values import Chain, Node
from apps.screening.rules.owners import (
    NodeFact,
    Place,
    controlled,
    gravest,
    holdings,
    worst_places,
)
from apps.watchlists import lookup
from apps.watchlists.encounters import Encounter
from apps.watchlists.engine import Engine
from apps.watchlists.found import Match
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
        if self.score >= PARTIAL_SCORE:
            return "PARTIAL"
        return "NOT_CHECKED" if self.unread else "CLEAR"


def screen_nodes(*, chain: Chain, lists: Engine) -> tuple[Screened, ...]:
    """Screen each entity of a chain, shown or not, by its legal names and, exactly, by its LEI."""
    return tuple(_screen(node, lists) for node in chain.everybody)


def node_facts(
    *, chain: Chain, screened: Iterable[Screened], listings: Listings
) -> tuple[NodeFact, ...]:
    """Return what the rules are told of each entity of a chain."""
    found = tuple(screened)
    listed = {one.node.lei for one in found if one.status == "MATCH"}
    controls = controlled(subject=chain.subject, listed=listed, ties=chain.ties)
    held = holdings(ties=chain.ties, names={node.lei: node.name for node in chain.everybody})
    return tuple(
        _fact(
            one,
            listings,
            controls=controls or one.node.lei == chain.subject,
            holds=held.get(one.node.lei, ()),
        )
        for one in found
    )


def _fact(one: Screened, listings: Listings, *, controls: bool, holds: tuple[str, ...]) -> NodeFact:
    node = one.node
    known = [Place(f"{what} {code}", code, listings.standing(code)) for what, code in node.places]
    worst = worst_places(known)
    return NodeFact(
        role=node.role,
        lei=node.lei,
        name=node.name,
        score=one.score,
        label=gravest(place.label for place in known),
        controls=controls,
        label_country=worst[0].country if worst else "",
        where=", ".join(place.words for place in worst),
        holds=holds,
        embargoed=any(listings.embargoed(code) for _, code in node.places),
    )


def _screen(node: Node, lists: Engine) -> Screened:
    name, aliases = (node.name, node.also) if node.known else ("", ())
    kind = "" if node.natural else "company"
    subject = Subject(name=name, aliases=aliases, entity_type=kind, lei=node.lei)
    found = lookup.sanctions(engine=lists, subject=subject)
    score = found.score if found.matches or node.known else None
    return Screened(node, score, found.matches, found.unread)


def unread(screened: Iterable[Screened]) -> tuple[str, ...]:
    """Return why names of a chain's entities were not fully checked."""
    return tuple(
        f"{one.node.role} {one.node.name}: {why}" for one in screened for why in one.unread
    )


def encounters(nodes: Iterable[Node], *, owner: str = "") -> list[Encounter]:
    """Return the known entities, to be noted: a later change of the lists is held against them."""
    return [
        Encounter(
            kind=PartyKind.SCREENED if node.role == "SUBJECT" else PartyKind.OWNER,
            schema="Unknown" if node.natural else "Organization",
            name=node.name,
            country=node.country,
            reference=f"lei:{node.lei}",
            owner=owner,
            lei=node.lei,
        )
        for node in nodes
        if node.known
    ]
