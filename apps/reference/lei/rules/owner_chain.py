"""Build a chain of owners from what entities state about their parents. Pure.

Specification: document 1 sections 2.6, 2.7; DESIGN.md section 4, Owners.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from apps.reference.lei import legal_name_check
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

# no real group is deeper; a longer chain is reported, and its known part is screened
MAX_DEPTH = 50
NOT_CHECKED = "NOT_CHECKED"  # what an entity says of its parents was altered


@dataclass(frozen=True, slots=True)
class OwnerStatement:
    """What one entity states about one kind of parent: an LEI or the reason why it names none."""

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
        owner_statement = ruling.get((statement.lei, statement.kind))
        if owner_statement is None or (statement.age, bool(statement.parent)) > (
            owner_statement.age,
            bool(owner_statement.parent),
        ):
            ruling[statement.lei, statement.kind] = statement
    return ruling


def collect_ownership_ties(
    subject: str, statements: Iterable[OwnerStatement]
) -> tuple[OwnershipTie, ...]:
    """Return who owns whom from the subject upwards, as the newest statements have it.

    An entity may name several parents of a kind at the same time: all of them are its owners.
    """
    owner_statements = list(statements)
    ruling = newest_statements(owner_statements)
    above: dict[str, list[OwnershipTie]] = {}
    for owner_statement in owner_statements:
        if (
            owner_statement.parent
            and owner_statement.age == ruling[owner_statement.lei, owner_statement.kind].age
        ):
            above.setdefault(owner_statement.lei, []).append(
                OwnershipTie(
                    owner_statement.lei,
                    owner_statement.parent,
                    owner_statement.kind,
                    owner_statement.share,
                )
            )
    ownership_ties: dict[OwnershipTie, None] = {}
    seen, waiting = {subject}, [subject]
    # the list grows while it is walked; `seen` ends circles
    for here in waiting:
        for tie in above.get(here, ()):
            ownership_ties[tie] = None
            if tie.parent not in seen:
                seen.add(tie.parent)
                waiting.append(tie.parent)
    return tuple(ownership_ties)


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
        owner_statement = statements.get((here, "DIRECT"))
        if owner_statement is None or not owner_statement.parent:
            return _Walk(tuple(path), owner_statement)
        if owner_statement.parent in seen or len(path) == MAX_DEPTH:
            return _Walk(
                tuple(path),
                owner_statement,
                "CYCLE" if owner_statement.parent in seen else "TOO_LONG",
            )
        path.append(owner_statement.parent)
        seen.add(owner_statement.parent)
        here = owner_statement.parent
    return _Walk(tuple(path), None)


def _find_ultimate_parent(subject: str, statements: Statements, walk: _Walk) -> tuple[str, str]:
    """Return (LEI, "") or ("", reason) for the ultimate parent.

    When the subject does not say, the chain of direct parents does: its top is the ultimate
    parent if the top itself declares that it has none.
    """
    # what the subject itself states counts first
    owner_statement = statements.get((subject, "ULTIMATE"))
    if owner_statement is not None and (
        owner_statement.parent or not walk.path or owner_statement.reason == NOT_CHECKED
    ):
        return owner_statement.parent, owner_statement.reason
    # then what its parents state of their own ultimate parent
    for lei in walk.path:
        above = statements.get((lei, "ULTIMATE"))
        if above is not None and above.parent:
            return ("", "CYCLE") if above.parent == subject else (above.parent, "")
    if owner_statement is not None and hides_owner(owner_statement.reason):
        return "", owner_statement.reason
    if walk.broken:
        return "", walk.broken
    if not walk.path:
        return "", walk.end.reason if walk.end else "NOT_REPORTED"
    # last, the top of the walk, unless it hides its own owner
    top = statements.get((walk.path[-1], "ULTIMATE")) or walk.end
    if top is None:
        return "", "NOT_REPORTED"
    return ("", top.reason) if hides_owner(top.reason) else (walk.path[-1], "")


def build_owner_chain(
    *,
    subject: str,
    owner_statements: Iterable[OwnerStatement],
    held_entities: Mapping[str, HeldEntity],
    now: datetime,
    levels: int = 3,
    deep: bool = False,
) -> OwnerChain:
    """Return the chain of owners: subject, then upwards to the ultimate parent.

    `levels` 2 gives subject and ultimate parent (document 1 section 2.7), 3 the direct parent
    too (section 8); `deep` adds everything between. An entity that is direct and ultimate
    parent appears once, as the ultimate one. Every other owner on record is in `further`.
    """
    owner_statements = list(owner_statements)
    statements = newest_statements(owner_statements)
    tied = collect_ownership_ties(subject, owner_statements)
    # the direct parents upwards, up to the ultimate parent that the subject itself states
    stated_top = statements.get((subject, "ULTIMATE"))
    walk = _walk_upwards(subject, statements, stated_top.parent if stated_top else "")
    top, reason = _find_ultimate_parent(subject, statements, walk)
    if top and any(tie.parent == subject for tie in tied):
        top, reason = "", "CYCLE"  # an owner names the subject as its own: there is no top
    # gaps among the owners that are shown
    gaps: list[OwnerGap] = []
    direct = statements.get((subject, "DIRECT"))
    if levels > 2 or deep:
        if direct is None:
            gaps.append(OwnerGap("DIRECT_PARENT", "NOT_REPORTED"))
        elif not direct.parent:
            gaps.append(OwnerGap("DIRECT_PARENT", direct.reason))
    if not top:
        gaps.append(OwnerGap("ULTIMATE_PARENT", reason))
    untraced: tuple[OwnerGap, ...] = ()
    if deep and top and walk.path and top not in walk.path:
        walk_end_reason = walk.broken or (walk.end.reason if walk.end else "NOT_REPORTED")
        untraced = (OwnerGap("INTERMEDIATE", walk_end_reason),)
    # the entities that are shown, with their roles
    chain_members = _list_chain_members(subject, top, walk, levels=levels, deep=deep)
    nodes = tuple(_build_node(lei, role, held_entities, now) for lei, role in chain_members)
    # the owners on record that are not shown, the nearest first
    shown = {lei for lei, _ in chain_members}
    role_by_owner: dict[str, Role] = {}
    for tie in tied:
        if tie.parent not in shown:
            own = tie.child == subject
            role: Role = "INTERMEDIATE" if not own else "DIRECT_PARENT"
            if own and tie.kind == "ULTIMATE":
                role = "ULTIMATE_PARENT"
            role_by_owner.setdefault(tie.parent, role)
    others = list(role_by_owner.items())
    further = tuple(_build_node(lei, role, held_entities, now) for lei, role in others)
    gaps += [OwnerGap(node.role, "NOT_CHECKED") for node in (*nodes, *further) if not node.known]
    # an answer is as old as its oldest part, shown or not
    age = _oldest_part([*chain_members, *others], statements, held_entities)
    due = _first_renewal((lei for lei, _ in (*chain_members, *others)), held_entities, now)
    return OwnerChain(
        subject, nodes, tuple(dict.fromkeys(gaps)), *age, further, tied, due, untraced
    )


def _first_renewal(
    leis: Iterable[str], held_entities: Mapping[str, HeldEntity], now: datetime
) -> date | None:
    """Return the first renewal date of those in force: the day after, it may be LAPSED."""
    entities = (held_entities[lei].entity for lei in leis if lei in held_entities)
    days = (
        entity.next_renewal
        for entity in entities
        if is_in_force(registration_status_at(entity, now))
    )
    return min((day for day in days if day is not None), default=None)


def _list_chain_members(
    subject: str, top: str, walk: _Walk, *, levels: int, deep: bool
) -> list[tuple[str, Role]]:
    """Return the chain's members; without an ultimate parent, up to the highest known owner."""
    between = [lei for lei in walk.path if lei != top]
    roles: list[tuple[str, Role]] = [
        (lei, "INTERMEDIATE" if place else "DIRECT_PARENT") for place, lei in enumerate(between)
    ]
    kept_roles = roles if deep else roles[: levels - 2]
    if not top and roles and roles[-1] not in kept_roles:
        kept_roles = [*kept_roles, roles[-1]]
    if top and top != subject:
        kept_roles = [*kept_roles, (top, "ULTIMATE_PARENT")]
    return [(subject, "SUBJECT"), *kept_roles]


def _build_node(
    lei: str, role: Role, held_entities: Mapping[str, HeldEntity], now: datetime
) -> OwnerNode:
    held_entity = held_entities.get(lei)
    if held_entity is None:
        return OwnerNode(lei, lei, role, known=False)
    entity = held_entity.entity
    return OwnerNode(
        lei,
        entity.legal_name,
        role,
        entity.jurisdiction,
        entity.country,
        also=legal_name_check.list_all_names(entity)[1:],
        status=registration_status_at(entity, now),
        headquarters=entity.headquarters,
        category=entity.category,
    )


def _oldest_part(
    shown: Iterable[tuple[str, Role]],
    statements: Statements,
    held_entities: Mapping[str, HeldEntity],
) -> tuple[datetime | None, bool]:
    """Return how old the oldest part is, and whether any part is bundled sample data."""
    leis = [lei for lei, _ in shown]
    records = [held_entities[lei] for lei in leis if lei in held_entities]
    owner_statements = [statement for (lei, _), statement in statements.items() if lei in leis]
    times = [record.as_of for record in records] + [
        statement.as_of for statement in owner_statements if statement.as_of
    ]
    sample = any(record.source == "SAMPLE" for record in records) or any(
        statement.sample for statement in owner_statements
    )
    return min(times, default=None), sample
