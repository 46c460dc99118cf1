"""Decide what the status of an LEI means, when an LEI counts, and whose it is. Pure.

Specification: document 1 section 2.7; DESIGN.md section 4, Fail closed. How a chain of owners is
put together is in `owner_chain`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from apps.reference.lei import legal_name_check
from apps.reference.lei.values import Entity, LeiLookup

# how long GLEIF's answer that there is no such LEI counts
NEGATIVE_ANSWER_LASTS = timedelta(hours=24)
# a whole copy this young shows that an LEI which it lacks is not registered
COPY_SPEAKS_FOR = timedelta(hours=48)

# reasons that say: there is no legal entity above. Every other reason hides one.
HARMLESS_REASONS = frozenset({"NATURAL_PERSONS", "NO_KNOWN_PERSON", "NON_CONSOLIDATING"})


def hides_owner(reason: str) -> bool:
    """Return whether a reporting exception hides an owner; unknown reasons do."""
    return reason not in HARMLESS_REASONS


LeiStanding = Literal["ACTIVE", "LAPSED", "RETIRED", "UNVERIFIED"]


@dataclass(frozen=True, slots=True)
class RegistrationStatus:
    """A registration status of GLEIF, its meaning, and the standing of the LEI."""

    code: str
    meaning: str
    stands: LeiStanding
    pending: bool = False


# GLEIF, LEI-CDF 3.1, RegistrationStatusEnum, with those of earlier versions. The one table of
# them: every check of whether an LEI is in force uses it (tests/lei/test_statuses.py)
STATUSES: tuple[RegistrationStatus, ...] = (
    RegistrationStatus("ISSUED", "validated and issued", "ACTIVE"),
    RegistrationStatus(
        "PENDING_TRANSFER",
        "in force; its transfer to another issuer was requested",
        "ACTIVE",
        pending=True,
    ),
    RegistrationStatus(
        "PENDING_ARCHIVAL",
        "in force; about to be transferred to another issuer, then no longer pending",
        "ACTIVE",
        pending=True,
    ),
    RegistrationStatus("LAPSED", "not renewed by its renewal date", "LAPSED"),
    RegistrationStatus("RETIRED", "the entity has ceased to exist, without a successor", "RETIRED"),
    RegistrationStatus("MERGED", "the entity was merged into another", "RETIRED"),
    RegistrationStatus("DUPLICATE", "replaced by another LEI of the same entity", "RETIRED"),
    RegistrationStatus("ANNULLED", "found to be erroneous after issue", "RETIRED"),
    RegistrationStatus("CANCELLED", "abandoned before issue", "RETIRED"),
    RegistrationStatus("TRANSFERRED", "now managed by another issuer", "UNVERIFIED"),
    RegistrationStatus("PUBLISHED", "published, not yet validated", "UNVERIFIED"),
    RegistrationStatus("PENDING_VALIDATION", "requested, not yet validated", "UNVERIFIED"),
)
_STANDING_BY_STATUS: dict[str, LeiStanding] = {status.code: status.stands for status in STATUSES}
IN_FORCE = tuple(status.code for status in STATUSES if status.stands == "ACTIVE")
PENDING = tuple(status.code for status in STATUSES if status.pending)


def standing_of_status(status: str) -> LeiStanding:
    """Return the standing of an LEI by its registration status; UNVERIFIED for an unknown one."""
    return _STANDING_BY_STATUS.get(status, "UNVERIFIED")


def is_in_force(status: str) -> bool:
    """Return whether an LEI of a registration status is in force."""
    return standing_of_status(status) == "ACTIVE"


def registration_status_at(entity: Entity, now: datetime) -> str:
    """Return the registration status at `now`.

    An LEI is in force until its renewal date; a record not renewed since is LAPSED even when our
    copy is older than the lapse, or a transfer hides it.
    """
    due = entity.next_renewal
    if is_in_force(entity.registration_status) and due is not None and due < now.date():
        return "LAPSED"
    return entity.registration_status


@dataclass(frozen=True, slots=True)
class CountRule:
    """One reason why an LEI does not count, or the rule that it does."""

    ref: str
    when: Callable[[LeiLookup, str, datetime], bool]
    counts: bool
    reason: str


def _entity_of(lei_lookup: LeiLookup) -> Entity | None:
    return lei_lookup.record.entity if lei_lookup.record else None


def _is_not_in_force(lei_lookup: LeiLookup, name: str, now: datetime) -> bool:
    entity = _entity_of(lei_lookup)
    return entity is None or not is_in_force(registration_status_at(entity, now))


def _is_inactive(lei_lookup: LeiLookup, name: str, now: datetime) -> bool:
    entity = _entity_of(lei_lookup)
    # empty: not stated
    return entity is None or entity.entity_status not in ("", "ACTIVE")


def _is_other_name(lei_lookup: LeiLookup, name: str, now: datetime) -> bool:
    entity = _entity_of(lei_lookup)
    return entity is None or not legal_name_check.is_legal_name(name, entity)


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
    CountRule("D4.lei.3", _is_not_in_force, False, "LEI {lei} is {status}, not ISSUED"),
    CountRule("D4.lei.4", _is_inactive, False, "the entity of LEI {lei} is {entity}"),
    CountRule(
        "D4.lei.5",
        _is_other_name,
        False,
        "LEI {lei} belongs to {holder}, a different legal name",
    ),
    CountRule("D4.lei.6", lambda f, n, t: True, True, ""),
)


def judge_lei(lei_lookup: LeiLookup, name: str, now: datetime) -> tuple[bool, str]:
    """Return whether the LEI counts for `name`, and if not the reason to show."""
    rule = next(rule for rule in COUNT_RULES if rule.when(lei_lookup, name, now))
    entity = _entity_of(lei_lookup)
    reason = rule.reason.format(
        lei=lei_lookup.lei,
        status=registration_status_at(entity, now) if entity else "",
        entity=entity.entity_status if entity else "",
        holder=entity.legal_name if entity else "",
    )
    return rule.counts, reason


def find_other_holder(lei_lookup: LeiLookup, names: Iterable[str]) -> str:
    """Return the holder of an LEI if none of the given names is theirs, else an empty text.

    Former and trading names are theirs too: with one of them the LEI does not count, but it is not
    another company's either.
    """
    entity = _entity_of(lei_lookup)
    if entity is None or any(legal_name_check.is_any_name(name, entity) for name in names):
        return ""
    return entity.legal_name
