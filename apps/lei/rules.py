"""When an LEI counts, and whose it is. Pure.

Specification: document 1 section 2.7; DESIGN.md section 4, Fail closed. How a chain of owners is
put together is in `owners`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.lei import names
from apps.lei.values import Entity, Lookup

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


def of_another(found: Lookup, given: Iterable[str]) -> str:
    """Return who holds an LEI when none of the names given is one of theirs, else an empty text.

    Former and trading names are theirs too: under one the LEI does not count, and still is not
    somebody else's.
    """
    entity = _record(found)
    if entity is None or any(names.bears(name, entity) for name in given):
        return ""
    return entity.legal_name
