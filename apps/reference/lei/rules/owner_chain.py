"""How a chain of owners is put together from what entities say of their parents. Pure.

Specification: document 1 sections 2.6, 2.7; DESIGN.md section 4, Owners.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from apps.reference.lei import legal_names
from apps.reference.lei.rules.registration import hides_owner, is_in_force, registration_status_at
from apps.reference.lei.values import (
    HeldEntity,
    OwnerChain,
    OwnerGap,
    OwnerNode,
    OwnershipTie,
    ParentKind,
    Role,
)

# no real group is deeper; what is longer is told as such, and what stands in it is screened
MAX_DEPTH = 50
NOT_CHECKED = "NOT_CHECKED"  # what an entity says of its parents was altered


@dataclass(frozen=True, slots=True)
class OwnerStatement:
    """What one entity says of one kind of parent: an LEI or the reason why it names none."""

    lei: str
    kind: ParentKind
    parent: str = ""
    reason: str = ""
    as_of: datetime | None = None
    sample: bool = False
    share: Decimal | None = None

    @property
    def age(self) -> tuple[bool, float]:
        """Return what tells a newer statement from an older one; real data outranks the sample."""
        return not self.sample, self.as_of.timestamp() if self.as_of else 0.0


Statements = Mapping[tuple[str, str], OwnerStatement]


def newest_statements(
    statements: Iterable[OwnerStatement],
) -> dict[tuple[str, str], OwnerStatement]:
    """Return the ruling statement of each entity and kind.

    The newest wins; at the same time an owner outranks an exception, and real data the sample.
    """

    ruling: dict[tuple[str, str], OwnerStatement] = {}
    for statement in statements:
        held = ruling.get((statement.lei, statement.kind))
        if held is None or (statement.age, bool(statement.parent)) > (held.age, bool(held.parent)):
            ruling[statement.lei, statement.kind] = statement
    return ruling


def collect_ownership_ties(
    subject: str, statements: Iterable[OwnerStatement]
) -> tuple[OwnershipTie, ...]:
    """Return who owns whom from the subject upwards, as the newest statements have it.

    An entity may name several parents of a kind at the same time: all of them are its owners.
    """
    said = list(statements)
    ruling = newest_statements(said)
    above: dict[str, list[OwnershipTie]] = {}
    for one in said:
        if one.parent and one.age == ruling[one.lei, one.kind].age:
            above.setdefault(one.lei, []).append(
                OwnershipTie(one.lei, one.parent, one.kind, one.share)
            )
    found: dict[OwnershipTie, None] = {}
    seen, waiting = {subject}, [subject]
    for here in waiting:
        for tie in above.get(here, ()):
            found[tie] = None
            if tie.parent not in seen:
                seen.add(tie.parent)
                waiting.append(tie.parent)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Walk:
    """The direct parents upwards from the subject, and why the walk ended."""

    path: tuple[str, ...]
    end: OwnerStatement | None
    broken: str = ""


def _walk_upwards(subject: str, statements: Statements, stop: str) -> _Walk:
    path: list[str] = []
    seen = {subject}
    here = subject
    while here != stop:
        said = statements.get((here, "DIRECT"))
        if said is None or not said.parent:
            return _Walk(tuple(path), said)
        if said.parent in seen or len(path) == MAX_DEPTH:
            return _Walk(tuple(path), said, "CYCLE" if said.parent in seen else "TOO_LONG")
        path.append(said.parent)
        seen.add(said.parent)
        here = said.parent
    return _Walk(tuple(path), None)


def _find_ultimate_parent(subject: str, statements: Statements, walk: _Walk) -> tuple[str, str]:
    """Return (LEI, "") or ("", reason) for the ultimate parent.

    When the subject does not say, the chain of direct parents does: its top is the ultimate
    parent if the top itself declares that it has none.
    """
    said = statements.get((subject, "ULTIMATE"))
    if said is not None and (said.parent or not walk.path or said.reason == NOT_CHECKED):
        return said.parent, said.reason
    for lei in walk.path:
        above = statements.get((lei, "ULTIMATE"))
        if above is not None and above.parent:
            return ("", "CYCLE") if above.parent == subject else (above.parent, "")
    if said is not None and hides_owner(said.reason):
        return "", said.reason
    if walk.broken:
        return "", walk.broken
    if not walk.path:
        return "", walk.end.reason if walk.end else "NOT_REPORTED"
    top = statements.get((walk.path[-1], "ULTIMATE")) or walk.end
    if top is None:
        return "", "NOT_REPORTED"
    return ("", top.reason) if hides_owner(top.reason) else (walk.path[-1], "")


def _find_direct_gaps(
    subject: str, statements: Statements, levels: int, deep: bool
) -> list[OwnerGap]:
    gaps: list[OwnerGap] = []
    direct = statements.get((subject, "DIRECT"))
    if levels > 2 or deep:
        if direct is None:
            gaps.append(OwnerGap("DIRECT_PARENT", "NOT_REPORTED"))
        elif not direct.parent:
            gaps.append(OwnerGap("DIRECT_PARENT", direct.reason))
    return gaps


def build_owner_chain(
    *,
    subject: str,
    said: Iterable[OwnerStatement],
    held: Mapping[str, HeldEntity],
    now: datetime,
    levels: int = 3,
    deep: bool = False,
) -> OwnerChain:
    """Return the chain of owners: subject, then upwards to the ultimate parent.

    `levels` 2 gives subject and ultimate parent (document 1 section 2.7), 3 the direct parent
    too (section 8); `deep` adds everything between. An entity that is direct and ultimate
    parent appears once, as the ultimate one. Every other owner on record is in `further`.
    """
    said = list(said)
    statements, tied = newest_statements(said), collect_ownership_ties(subject, said)
    top_said = statements.get((subject, "ULTIMATE"))
    walk = _walk_upwards(subject, statements, top_said.parent if top_said else "")
    top, reason = _find_ultimate_parent(subject, statements, walk)
    if top and any(tie.parent == subject for tie in tied):
        top, reason = "", "CYCLE"  # an owner names the subject as its own: nobody is at the top
    gaps = _find_direct_gaps(subject, statements, levels, deep)
    if not top:
        gaps.append(OwnerGap("ULTIMATE_PARENT", reason))
    untraced: tuple[OwnerGap, ...] = ()
    if deep and top and walk.path and top not in walk.path:
        untraced = (OwnerGap("INTERMEDIATE", _walk_end_reason(walk)),)
    chain_members = _list_chain_members(subject, top, walk, levels=levels, deep=deep)
    nodes = tuple(_build_node(lei, role, held, now) for lei, role in chain_members)
    others = _list_other_owners(subject, tied, {lei for lei, _ in chain_members})
    further = tuple(_build_node(lei, role, held, now) for lei, role in others)
    gaps += [OwnerGap(node.role, "NOT_CHECKED") for node in (*nodes, *further) if not node.known]
    age = _oldest_part([*chain_members, *others], statements, held)
    due = _first_renewal((lei for lei, _ in (*chain_members, *others)), held, now)
    return OwnerChain(
        subject, nodes, tuple(dict.fromkeys(gaps)), *age, further, tied, due, untraced
    )


def _first_renewal(
    leis: Iterable[str], held: Mapping[str, HeldEntity], now: datetime
) -> date | None:
    """Return the first renewal date of those in force: the day after, it may be LAPSED."""
    entities = (held[lei].entity for lei in leis if lei in held)
    days = (
        entity.next_renewal
        for entity in entities
        if is_in_force(registration_status_at(entity, now))
    )
    return min((day for day in days if day is not None), default=None)


def _list_other_owners(
    subject: str, tied: Iterable[OwnershipTie], shown: Collection[str]
) -> list[tuple[str, Role]]:
    """Return the owners on record that are not shown, the nearest first."""
    found: dict[str, Role] = {}
    for tie in tied:
        if tie.parent not in shown:
            own = tie.child == subject
            role: Role = "INTERMEDIATE" if not own else "DIRECT_PARENT"
            if own and tie.kind == "ULTIMATE":
                role = "ULTIMATE_PARENT"
            found.setdefault(tie.parent, role)
    return list(found.items())


def _list_chain_members(
    subject: str, top: str, walk: _Walk, *, levels: int, deep: bool
) -> list[tuple[str, Role]]:
    """Return who stands in the chain; with no ultimate parent known, the highest known owner."""
    between = [lei for lei in walk.path if lei != top]
    roles: list[tuple[str, Role]] = [
        (lei, "INTERMEDIATE" if place else "DIRECT_PARENT") for place, lei in enumerate(between)
    ]
    kept = roles if deep else roles[: levels - 2]
    if not top and roles and roles[-1] not in kept:
        kept = [*kept, roles[-1]]
    if top and top != subject:
        kept = [*kept, (top, "ULTIMATE_PARENT")]
    return [(subject, "SUBJECT"), *kept]


def _walk_end_reason(walk: _Walk) -> str:
    if walk.broken:
        return walk.broken
    return walk.end.reason if walk.end else "NOT_REPORTED"


def _build_node(lei: str, role: Role, held: Mapping[str, HeldEntity], now: datetime) -> OwnerNode:
    found = held.get(lei)
    if found is None:
        return OwnerNode(lei, lei, role, known=False)
    entity = found.entity
    return OwnerNode(
        lei,
        entity.legal_name,
        role,
        entity.jurisdiction,
        entity.country,
        also=legal_names.list_all_names(entity)[1:],
        status=registration_status_at(entity, now),
        headquarters=entity.headquarters,
        category=entity.category,
    )


def _oldest_part(
    shown: Iterable[tuple[str, Role]], statements: Statements, held: Mapping[str, HeldEntity]
) -> tuple[datetime | None, bool]:
    """Return how old the oldest part is, and whether any part is bundled sample data."""
    leis = [lei for lei, _ in shown]
    records = [held[lei] for lei in leis if lei in held]
    said = [one for (lei, _), one in statements.items() if lei in leis]
    times = [record.as_of for record in records] + [one.as_of for one in said if one.as_of]
    sample = any(record.source == "SAMPLE" for record in records) or any(one.sample for one in said)
    return min(times, default=None), sample
