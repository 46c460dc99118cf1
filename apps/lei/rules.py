"""When an LEI counts, and how an ownership chain is put together. Pure.

Specification: document 1 sections 2.6, 2.7; DESIGN.md section 4, Fail closed.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.lei import names
from apps.lei.values import Chain, Entity, Gap, Held, Lookup, Node, ParentKind, Role

# no real group is deeper; a longer walk is a loop of records that contradict each other
MAX_DEPTH = 12
NEGATIVE_ANSWER_LASTS = timedelta(hours=24)
COPY_SPEAKS_FOR = timedelta(hours=48)

# reasons that say: there is no legal entity above. Every other reason hides one.
HARMLESS_REASONS = frozenset({"NATURAL_PERSONS", "NO_KNOWN_PERSON", "NON_CONSOLIDATING"})


def hides_owner(reason: str) -> bool:
    """Tell whether a reporting exception hides an owner; unknown reasons do."""
    return reason not in HARMLESS_REASONS


def status_at(entity: Entity, now: datetime) -> str:
    """Return the registration status at `now`.

    ISSUED holds until the renewal date; a record that was not renewed since is LAPSED even
    when our copy is older than the lapse.
    """
    due = entity.next_renewal
    if entity.registration_status == "ISSUED" and due is not None and due < now.date():
        return "LAPSED"
    return entity.registration_status


@dataclass(frozen=True, slots=True)
class CountRule:
    """One reason why an LEI does not count, or the rule that it does."""

    ref: str
    when: Callable[[Lookup, str, datetime], bool]
    counts: bool
    reason: str


def _record(found: Lookup) -> Entity | None:
    return found.record.entity if found.record else None


def _not_issued(found: Lookup, name: str, now: datetime) -> bool:
    entity = _record(found)
    return entity is None or status_at(entity, now) != "ISSUED"


def _inactive(found: Lookup, name: str, now: datetime) -> bool:
    entity = _record(found)
    return entity is None or entity.entity_status not in ("", "ACTIVE")


def _other_name(found: Lookup, name: str, now: datetime) -> bool:
    entity = _record(found)
    return entity is None or not names.agrees(name, entity)


COUNT_RULES = (  # first match wins; DESIGN.md section 4, Fail closed
    CountRule(
        "D4.lei.1",
        lambda f, n, t: f.status == "NOT_CHECKED",
        False,
        "LEI {lei} not checked",
    ),
    CountRule(
        "D4.lei.2",
        lambda f, n, t: f.status == "UNKNOWN",
        False,
        "LEI {lei} is not registered",
    ),
    CountRule("D4.lei.3", _not_issued, False, "LEI {lei} is {status}, not ISSUED"),
    CountRule("D4.lei.4", _inactive, False, "the entity of LEI {lei} is {entity}"),
    CountRule(
        "D4.lei.5",
        _other_name,
        False,
        "LEI {lei} belongs to {holder}, another legal name",
    ),
    CountRule("D4.lei.6", lambda f, n, t: True, True, ""),
)


def counts(found: Lookup, name: str, now: datetime) -> tuple[bool, str]:
    """Return whether the LEI counts for `name`, and if not the reason to show."""
    rule = next(rule for rule in COUNT_RULES if rule.when(found, name, now))
    entity = _record(found)
    reason = rule.reason.format(
        lei=found.lei,
        status=status_at(entity, now) if entity else "",
        entity=entity.entity_status if entity else "",
        holder=entity.legal_name if entity else "",
    )
    return rule.counts, reason


# --- ownership ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Statement:
    """What one entity says of one kind of parent: an LEI or the reason why it names none."""

    lei: str
    kind: ParentKind
    parent: str = ""
    reason: str = ""
    as_of: datetime | None = None
    sample: bool = False


Statements = Mapping[tuple[str, str], Statement]


def newest(statements: Iterable[Statement]) -> dict[tuple[str, str], Statement]:
    """Return the ruling statement of each entity and kind.

    The newest wins; at the same time an owner outranks an exception, and real data the sample.
    """

    def rank(one: Statement) -> tuple[bool, float, bool]:
        return (
            not one.sample,
            one.as_of.timestamp() if one.as_of else 0.0,
            bool(one.parent),
        )

    ruling: dict[tuple[str, str], Statement] = {}
    for one in statements:
        held = ruling.get((one.lei, one.kind))
        if held is None or rank(one) > rank(held):
            ruling[one.lei, one.kind] = one
    return ruling


@dataclass(frozen=True, slots=True)
class _Walk:
    """The direct parents upwards from the subject, and why the walk ended."""

    path: tuple[str, ...]
    end: Statement | None
    cycle: bool


def _walk(subject: str, statements: Statements, stop: str) -> _Walk:
    path: list[str] = []
    seen = {subject}
    here = subject
    while here != stop:
        said = statements.get((here, "DIRECT"))
        if said is None or not said.parent:
            return _Walk(tuple(path), said, cycle=False)
        if said.parent in seen or len(path) == MAX_DEPTH:
            return _Walk(tuple(path), said, cycle=True)
        path.append(said.parent)
        seen.add(said.parent)
        here = said.parent
    return _Walk(tuple(path), None, cycle=False)


def _ultimate(subject: str, statements: Statements, walk: _Walk) -> tuple[str, str]:
    """Return (LEI, "") or ("", reason) for the ultimate parent.

    When the subject does not say, the chain of direct parents does: its top is the ultimate
    parent if the top itself declares that it has none.
    """
    said = statements.get((subject, "ULTIMATE"))
    if said is not None and (said.parent or not walk.path):
        return said.parent, said.reason
    for lei in walk.path:
        above = statements.get((lei, "ULTIMATE"))
        if above is not None and above.parent:
            return ("", "CYCLE") if above.parent == subject else (above.parent, "")
    if said is not None and hides_owner(said.reason):
        return "", said.reason
    if walk.cycle:
        return "", "CYCLE"
    if not walk.path:
        return "", walk.end.reason if walk.end else "NOT_REPORTED"
    top = statements.get((walk.path[-1], "ULTIMATE")) or walk.end
    if top is None:
        return "", "NOT_REPORTED"
    return ("", top.reason) if hides_owner(top.reason) else (walk.path[-1], "")


def _gaps(subject: str, statements: Statements, levels: int, deep: bool) -> list[Gap]:
    gaps: list[Gap] = []
    direct = statements.get((subject, "DIRECT"))
    if levels > 2 or deep:
        if direct is None:
            gaps.append(Gap("DIRECT_PARENT", "NOT_REPORTED"))
        elif not direct.parent:
            gaps.append(Gap("DIRECT_PARENT", direct.reason))
    return gaps


def build_chain(
    *,
    subject: str,
    statements: Statements,
    held: Mapping[str, Held],
    levels: int = 3,
    deep: bool = False,
) -> Chain:
    """Return the chain of owners: subject, then upwards to the ultimate parent.

    `levels` 2 gives subject and ultimate parent (document 1 section 2.7), 3 the direct parent
    too (section 8); `deep` adds everything between. An entity that is direct and ultimate
    parent appears once, as the ultimate one.
    """
    said = statements.get((subject, "ULTIMATE"))
    walk = _walk(subject, statements, said.parent if said and said.parent else "")
    top, reason = _ultimate(subject, statements, walk)
    gaps = _gaps(subject, statements, levels, deep)
    if not top:
        gaps.append(Gap("ULTIMATE_PARENT", reason))
    if deep and top and walk.path and top not in walk.path:
        gaps.append(Gap("INTERMEDIATE", _broken(walk)))
    shown = _shown(subject, top, walk, levels=levels, deep=deep)
    nodes = tuple(_node(lei, role, held) for lei, role in shown)
    gaps += [Gap(node.role, "NOT_CHECKED") for node in nodes if not node.known]
    return Chain(subject, nodes, tuple(gaps), *_age(shown, statements, held))


def _shown(
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


def _broken(walk: _Walk) -> str:
    if walk.cycle:
        return "CYCLE"
    return walk.end.reason if walk.end else "NOT_REPORTED"


def _node(lei: str, role: Role, held: Mapping[str, Held]) -> Node:
    found = held.get(lei)
    if found is None:
        return Node(lei, lei, role, known=False)
    entity = found.entity
    return Node(
        lei,
        entity.legal_name,
        role,
        entity.jurisdiction,
        entity.country,
        also=names.legal_names(entity)[1:],
        status=entity.registration_status,
    )


def _age(
    shown: Iterable[tuple[str, Role]], statements: Statements, held: Mapping[str, Held]
) -> tuple[datetime | None, bool]:
    """Return how old the oldest part is, and whether any part is bundled sample data."""
    leis = [lei for lei, _ in shown]
    records = [held[lei] for lei in leis if lei in held]
    said = [one for (lei, _), one in statements.items() if lei in leis]
    times = [one.as_of for one in records] + [one.as_of for one in said if one.as_of]
    sample = any(one.source == "SAMPLE" for one in records) or any(one.sample for one in said)
    return min(times, default=None), sample
