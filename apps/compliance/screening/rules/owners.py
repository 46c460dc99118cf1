"""Whether listed owners control a party, and how the countries of owners are listed. Pure.

Specification: document 1 section 2.7, check rule 5; DESIGN.md section 4, Owners. OFAC's 50 percent
rule (guidance of 2014-08-13): a party that blocked persons own to 50 % or more in the aggregate is
blocked, through every level.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from apps.reference.countries.rules import EMBARGO, NOT_PROVIDED, STANDARD
from apps.reference.lei.values import OwnershipTie

HALF = Decimal(50)  # OFAC, 50 percent rule: half is enough
WHOLE = Decimal(100)
# how grave the country of an owner is, gravest first, and what it adds to the risk of a screen
COUNTRY_RISKS = {
    "CALL_FOR_ACTION": 100,
    EMBARGO: 60,
    "INCREASED_MONITORING": 60,
    "EU_HIGH_RISK": 50,
}
STANDINGS = (*COUNTRY_RISKS, NOT_PROVIDED, STANDARD)


@dataclass(frozen=True, slots=True)
class NodeFact:
    """One entity of a chain: `score` in whole percents, None when it was not screened.

    `label` is how listed its countries are, `label_country` the first that bears it, and `where`
    says what is there. `controls` is false for an owner whose known share in the party, with that
    of other listed owners, is less than half; `holds` says what it has of whom.
    `embargoed` tells whether any of its countries is under a comprehensive programme.
    """

    role: str
    lei: str
    name: str
    score: int | None
    label: str = STANDARD
    controls: bool = True
    label_country: str = ""
    where: str = ""
    holds: tuple[str, ...] = ()
    embargoed: bool = False

    @property
    def said(self) -> str:
        """Name the entity in a sentence."""
        return f"{self.role} {self.name} ({self.lei})"

    @property
    def matched(self) -> str:
        """Say how well it matches a listed party, and what it holds."""
        return ", ".join((self.said, f"matched at {self.score} %", *self.holds))

    @property
    def placed(self) -> str:
        """Say by what it is of a listed country."""
        where = f", {self.where}" if self.where else ""
        return f"{self.said}{where}: {self.label}"


def worst_country_label(labels: Iterable[str]) -> str:
    """Return the most serious of some countries' listings; NOT_PROVIDED if there are none."""
    distinct_labels = set(labels)
    return next((standing for standing in STANDINGS if standing in distinct_labels), NOT_PROVIDED)


@dataclass(frozen=True, slots=True)
class EntityPlace:
    """What an entity has in a country, in words, and the listing of that country."""

    words: str
    country: str
    label: str


def worst_places(places: Iterable[EntityPlace]) -> list[EntityPlace]:
    """Return the places with the most serious listing; none if no place is listed."""
    entity_places = list(places)
    worst = worst_country_label(place.label for place in entity_places)
    return [place for place in entity_places if place.label == worst and worst in COUNTRY_RISKS]


def nodes_in_listed_countries(nodes: Iterable[NodeFact]) -> list[NodeFact]:
    """Return the entities of listed countries."""
    return [node for node in nodes if node.label in COUNTRY_RISKS]


def is_controlled_by_listed(
    *, subject: str, listed: Collection[str], ties: Iterable[OwnershipTie]
) -> bool:
    """Return whether listed owners hold half of the subject or more, or control it."""
    shares = _collect_shares(list(ties))
    blocked = set(listed) - {subject}
    grown = True
    while grown:
        # an entity that listed owners control counts as listed itself, one level below
        below = {child for child in shares if _holds_half(shares[child], blocked)} - blocked
        if subject in below:
            return True
        blocked |= below
        grown = bool(below)
    return False


def describe_holdings(
    *, ties: Iterable[OwnershipTie], names: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    """Describe what each owner holds of which entity; a record without a share says so."""
    sentences: dict[str, list[str]] = {}
    for child, parents in _collect_shares(list(ties)).items():
        of = names.get(child, child)
        for parent, share in parents.items():
            text = f"consolidates {of} (no share on record)"
            if share is not None:
                text = f"holds {format_percent(share)} % of {of}"
            sentences.setdefault(parent, []).append(text)
    return {parent: tuple(texts) for parent, texts in sentences.items()}


def missing_shares(ties: Iterable[OwnershipTie]) -> dict[str, Decimal]:
    """Return the entities whose owners on record hold less than 100 %, with that share.

    Only if every owner's share is known.
    """
    ownership_ties = list(ties)
    missing: dict[str, Decimal] = {}
    for child, parents in _collect_shares(ownership_ties).items():
        direct = {
            tie.parent for tie in ownership_ties if tie.child == child and tie.kind == "DIRECT"
        }
        above = _owners_above(direct, ownership_ties)
        owner_shares = [share for parent, share in parents.items() if parent in direct - {child}]
        # an ultimate parent above a direct one holds through it, and is not counted in addition
        owner_shares += [
            s for parent, s in parents.items() if parent not in {child, *direct, *above}
        ]
        shares = [share for share in owner_shares if share is not None]
        if owner_shares and len(shares) == len(owner_shares) and sum(shares) < WHOLE:
            missing[child] = sum(shares, Decimal(0))
    return missing


def _owners_above(start: Collection[str], ties: Iterable[OwnershipTie]) -> set[str]:
    """Return the owners above some entities."""
    ownership_ties = list(ties)
    seen, waiting = set(start), list(start)
    for here in waiting:
        new = {tie.parent for tie in ownership_ties if tie.child == here} - seen
        seen |= new
        waiting += sorted(new)
    return seen - set(start)


def format_percent(share: Decimal) -> str:
    """Write a share in percent without needless zeros."""
    return format(share.normalize(), "f")


def _holds_half(parents: Mapping[str, Decimal | None], blocked: Collection[str]) -> bool:
    # a statement without a share is one of control: GLEIF's Level 2 records accounting
    # consolidation
    shares = [share for parent, share in parents.items() if parent in blocked]
    return (
        None in shares or sum((share for share in shares if share is not None), Decimal(0)) >= HALF
    )


def _collect_shares(ties: list[OwnershipTie]) -> dict[str, dict[str, Decimal | None]]:
    """Return what each parent holds of each child, None where no statement says how much.

    The ultimate parent's statement is not counted if the shares on the way to it are known.
    """
    shares: dict[str, dict[str, Decimal | None]] = {}
    for tie in ties:
        # two statements about one pair: the larger share counts
        if tie.kind == "DIRECT" or tie.share is not None:
            shares_of_child = shares.setdefault(tie.child, {})
            known = [
                share for share in (shares_of_child.get(tie.parent), tie.share) if share is not None
            ]
            shares_of_child[tie.parent] = max(known, default=None)
    for tie in ties:
        # ultimate parents without a share: they control, unless known shares lead up to them
        if tie.parent not in shares.get(tie.child, {}) and not _has_known_path(tie, shares):
            shares.setdefault(tie.child, {})[tie.parent] = None
    return shares


def _has_known_path(tie: OwnershipTie, shares: Mapping[str, Mapping[str, Decimal | None]]) -> bool:
    """Return whether a way of known shares leads from a child to its ultimate parent."""
    seen, waiting = {tie.child}, [tie.child]
    for here in waiting:
        for parent, share in shares.get(here, {}).items():
            if share is not None and parent not in seen:
                seen.add(parent)
                waiting.append(parent)
    return tie.parent in seen
