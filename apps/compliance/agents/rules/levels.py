"""The level of an agent: how well its owner is known. Pure.

Specification: document 1 section 2.10. A level follows from the owner's statements and from GLEIF's
data on the LEI today, never from an agent's request.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from apps.reference.lei.name_agreement import SAME_ENTITY_FROM
from apps.reference.lei.rules.registration import PENDING, is_in_force

Level = Literal["ANONYMOUS", "REGISTERED", "VERIFIED"]
LeiLookupState = Literal["NONE", "KNOWN", "UNKNOWN", "NOT_CHECKED"]


@dataclass(frozen=True, slots=True)
class Tier:
    """What a level is worth: `cap` in USD a day and for one payment, None where there is none."""

    level: Level
    score: int
    cap: Decimal | None
    upgrade: str


TIERS: dict[str, Tier] = {
    tier.level: tier
    for tier in (
        Tier(
            "ANONYMOUS",
            20,
            Decimal(1_000),
            "Register again with ownerEntity and ownerEmail for 25,000 USD a day and a mandate, or "
            "with an ownerLei that is in force for no platform cap.",
        ),
        Tier(
            "REGISTERED",
            60,
            Decimal(25_000),
            "Register again with the owner's ownerLei, in force and of the same name, for no "
            "platform cap.",
        ),
        Tier("VERIFIED", 95, None, ""),
    )
}


@dataclass(frozen=True, slots=True)
class AgentOwner:
    """The owner's statements, and GLEIF's data on the LEI on the day of the request.

    `status` is the registration status (ISSUED, LAPSED, …), `standing` that of the entity,
    `holder` its legal name; `agreement` how surely `entity` names the holder, in 0..100, None when
    no name was stated or nothing is known of the LEI.
    """

    entity: str = ""
    email: bool = False
    lei: str = ""
    asked: LeiLookupState = "NONE"
    status: str = ""
    standing: str = ""
    holder: str = ""
    agreement: int | None = None
    reachable: bool = True  # whether an LEI registry is set up at all


@dataclass(frozen=True, slots=True)
class LeiRule:
    """One rule: its condition, the resulting level, and its sentence."""

    code: str
    ref: str
    title: str
    when: Callable[[AgentOwner], bool]
    says: str


# why an LEI does not verify an owner; the first that holds
LEI_RULES = (
    LeiRule(
        "lei.none",
        "1 §2.10",
        "no LEI was stated",
        lambda o: not o.lei,
        "",
    ),
    LeiRule(
        "lei.not_checked",
        "D §4",
        "the LEI could not be looked up",
        lambda o: o.asked == "NOT_CHECKED",
        "LEI {lei} could not be checked now: the LEI registry {silence}.",
    ),
    LeiRule(
        "lei.unknown",
        "1 §2.10",
        "the LEI is not in the LEI registry",
        # after NOT_CHECKED: an LEI that could not be looked up is not called unknown
        lambda o: o.asked != "KNOWN",
        "LEI {lei} is not in the LEI registry.",
    ),
    LeiRule(
        "lei.not_issued",
        "1 §2.10",
        "the LEI is not in force",
        lambda o: not is_in_force(o.status),
        "LEI {lei} is {status}, not ISSUED.",
    ),
    LeiRule(
        "lei.inactive",
        "1 §2.10",
        "the entity of the LEI is not active",
        # GLEIF leaves the status of some entities empty
        lambda o: o.standing not in ("", "ACTIVE"),
        "The entity of LEI {lei} is {standing}.",
    ),
    LeiRule(
        "lei.other_name",
        "D §4 agents",
        f"ownerEntity scores less than {SAME_ENTITY_FROM} of 100 against GLEIF's name",
        lambda o: o.agreement is not None and o.agreement < SAME_ENTITY_FROM,
        "LEI {lei} belongs to {holder}, which ownerEntity does not match: the names score "
        f"{{agreement}} of 100, and {SAME_ENTITY_FROM} is required.",
    ),
)


@dataclass(frozen=True, slots=True)
class LevelRule:
    """One way to a level."""

    code: str
    ref: str
    title: str
    when: Callable[[AgentOwner], bool]
    level: Level
    says: str


def lei_counts(owner: AgentOwner) -> bool:
    """Return whether the LEI verifies the owner."""
    return not any(rule.when(owner) for rule in LEI_RULES)


LEVEL_RULES = (  # the first that holds
    LevelRule(
        "level.verified",
        "1 §2.10",
        "an LEI in force whose entity matches ownerEntity, if that is stated",
        lei_counts,
        "VERIFIED",
        "LEI {lei} is ISSUED{pending} to {named}.",
    ),
    LevelRule(
        "level.registered",
        "1 §2.10",
        "ownerEntity and ownerEmail",
        lambda o: bool(o.entity) and o.email,
        "REGISTERED",
        "The owner is self-attested.",
    ),
    LevelRule(
        "level.anonymous",
        "1 §2.10",
        "neither",
        lambda o: True,
        "ANONYMOUS",
        "The owner is unknown.",
    ),
)
HALF = "ownerEntity and ownerEmail count only together: {missing} is missing."


@dataclass(frozen=True, slots=True)
class LevelJudgement:
    """The level, the reason for it, and how to reach the next one (empty at the top)."""

    level: Level
    note: str
    upgrade: str
    lei_verified: bool


def judge_owner(owner: AgentOwner) -> LevelJudgement:
    """Return the level of an agent by what is known of its owner."""
    level_rule = next(rule for rule in LEVEL_RULES if rule.when(owner))
    # also below VERIFIED, where the note says what the LEI lacks
    against = next((rule for rule in LEI_RULES if rule.when(owner)), None)
    notes = [level_rule.says, _missing_owner_part(owner) if level_rule.level == "ANONYMOUS" else ""]
    notes.append(against.says if against else "")
    note = " ".join(part for part in notes if part).format(
        lei=owner.lei,
        status=owner.status,
        pending=f" ({owner.status})" if owner.status in PENDING else "",
        standing=owner.standing,
        holder=owner.holder,
        named=owner.holder.removesuffix("."),  # the sentence has its own full stop
        agreement=owner.agreement,
        silence="does not answer" if owner.reachable else "is not configured here",
    )
    return LevelJudgement(level_rule.level, note, TIERS[level_rule.level].upgrade, against is None)


def _missing_owner_part(owner: AgentOwner) -> str:
    if bool(owner.entity) == owner.email:
        return ""
    return HALF.format(missing="ownerEmail" if owner.entity else "ownerEntity")


def clamp_limit(wish: Decimal | None, cap: Decimal | None) -> Decimal | None:
    """Return the lower of two limits in USD; None is no limit."""
    limits = [limit for limit in (wish, cap) if limit is not None]
    return min(limits) if limits else None


def can_hold_mandates(level: str) -> bool:
    """Return whether agents of a level may hold a mandate (1 §2.10, mandate rules)."""
    return level != "ANONYMOUS"


def is_fatf_compliant(*, level: str, mandated: bool, reviewed: bool) -> bool:
    """Return whether a payment of the agent names a verified originator with a mandate (D §4).

    Not while officers review whether the owner is a listed party (`reviewed`).
    """
    return level == "VERIFIED" and mandated and not reviewed
