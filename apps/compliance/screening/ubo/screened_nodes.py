"""The parties of an ownership chain, screened: for the report and for the combined screen."""

from collections.abc import Iterable
from dataclasses import dataclass

from apps.compliance.screening.rules.owners import (
    EntityPlace,
    NodeFact,
    describe_holdings,
    is_controlled_by_listed,
    worst_country_label,
    worst_places,
)
from apps.reference.countries.rules import Listings
from apps.reference.lei.values import OwnerChain, OwnerNode
from apps.reference.watchlists import lookup
from apps.reference.watchlists.engine import Engine
from apps.reference.watchlists.matches import ListMatch
from apps.reference.watchlists.models import PartyKind
from apps.reference.watchlists.rules.score_limits import BLOCK_SCORE, PARTIAL_SCORE
from apps.reference.watchlists.services.screened_parties import PartyEncounter
from apps.reference.watchlists.subjects import Subject


@dataclass(frozen=True, slots=True)
class ScreenedNode:
    """A node with what the sanctions lists say; `score` None when it could not be screened.

    `unread` are sentences why a name of it was not fully checked.
    """

    node: OwnerNode
    score: int | None
    matches: tuple[ListMatch, ...]
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
        # a match counts even if the name was read in part; its absence does not
        return "NOT_CHECKED" if self.unread else "CLEAR"


def screen_nodes(*, chain: OwnerChain, lists: Engine) -> tuple[ScreenedNode, ...]:
    """Screen each entity of a chain, shown or not, by its legal names and, exactly, by its LEI."""
    return tuple(_screen_node(node, lists) for node in chain.everybody)


def build_node_facts(
    *, chain: OwnerChain, screened: Iterable[ScreenedNode], listings: Listings
) -> tuple[NodeFact, ...]:
    """Return the facts of each entity of a chain for the rules."""
    screened_nodes = tuple(screened)
    listed = {node.node.lei for node in screened_nodes if node.status == "MATCH"}
    controls = is_controlled_by_listed(subject=chain.subject, listed=listed, ties=chain.ties)
    holdings = describe_holdings(
        ties=chain.ties, names={node.lei: node.name for node in chain.everybody}
    )
    return tuple(
        _build_node_fact(
            node,
            listings,
            # the subject itself is the party: a listed subject needs no share
            controls=controls or node.node.lei == chain.subject,
            holds=holdings.get(node.node.lei, ()),
        )
        for node in screened_nodes
    )


def _build_node_fact(
    screened_node: ScreenedNode, listings: Listings, *, controls: bool, holds: tuple[str, ...]
) -> NodeFact:
    node = screened_node.node
    entity_places = [
        EntityPlace(f"{what} {code}", code, listings.standing(code)) for what, code in node.places
    ]
    worst = worst_places(entity_places)
    return NodeFact(
        role=node.role,
        lei=node.lei,
        name=node.name,
        score=screened_node.score,
        label=worst_country_label(place.label for place in entity_places),
        controls=controls,
        label_country=worst[0].country if worst else "",
        where=", ".join(place.words for place in worst),
        holds=holds,
        embargoed=any(listings.embargoed(code) for _, code in node.places),
    )


def _screen_node(node: OwnerNode, lists: Engine) -> ScreenedNode:
    # of an unknown entity only the LEI is searched: its name would be the LEI itself
    name, aliases = (node.name, node.also) if node.known else ("", ())
    kind = "" if node.natural else "company"
    subject = Subject(name=name, aliases=aliases, entity_type=kind, lei=node.lei)
    sanctions = lookup.match_sanctions(engine=lists, subject=subject)
    # without a record no match means nothing, while a listed LEI is a match all the same
    score = sanctions.score if sanctions.matches or node.known else None
    return ScreenedNode(node, score, sanctions.matches[: lookup.SHOWN], sanctions.unread)


def collect_unread_names(screened: Iterable[ScreenedNode]) -> tuple[str, ...]:
    """Return why names of a chain's entities were not fully checked."""
    return tuple(
        f"{screened_node.node.role} {screened_node.node.name}: {why}"
        for screened_node in screened
        for why in screened_node.unread
    )


def build_owner_encounters(nodes: Iterable[OwnerNode], *, owner: str = "") -> list[PartyEncounter]:
    """Return the known entities as encounters, to be screened against later list changes."""
    return [
        PartyEncounter(
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
