"""What a submission is to a wallet: registration, upgrade, change (document 1 section 3). Pure."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from apps.reference.lei.name_agreement import is_same_name

Step = Literal["REGISTER", "UPGRADE", "CHANGE", "SAME", "OTHER_ENTITY"]
# from approval until a new entity counts: time for the previous one to object
COOLING_OFF = timedelta(hours=72)
# the steps that are screened; SAME changes nothing, so nothing is checked
CHECKED: frozenset[Step] = frozenset({"REGISTER", "UPGRADE", "CHANGE", "OTHER_ENTITY"})


@dataclass(frozen=True, slots=True)
class RegisteredEntity:
    """The active registration of a wallet, as far as a submission is compared with it."""

    legal_name: str
    lei: str = ""
    aliases: tuple[str, ...] = ()
    country: str = ""


@dataclass(frozen=True, slots=True)
class SubmittedEntity:
    """The entity submitted for a wallet; `aliases` None keeps the existing ones."""

    legal_name: str
    country: str
    lei: str = ""
    aliases: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class StepRule:
    """When a submission is which step."""

    ref: str
    title: str
    when: Callable[[RegisteredEntity | None, SubmittedEntity], bool]
    step: Step


def _is_another_name(
    registered_entity: RegisteredEntity | None, submitted: SubmittedEntity
) -> bool:
    return registered_entity is not None and not is_same_name(
        registered_entity.legal_name, submitted.legal_name
    )


def _is_another_lei(registered_entity: RegisteredEntity | None, submitted: SubmittedEntity) -> bool:
    return (
        registered_entity is not None
        and bool(registered_entity.lei and submitted.lei)
        and registered_entity.lei != submitted.lei
    )


def _is_first_lei(registered_entity: RegisteredEntity | None, submitted: SubmittedEntity) -> bool:
    return registered_entity is not None and bool(submitted.lei) and not registered_entity.lei


def _is_changed(registered_entity: RegisteredEntity | None, submitted: SubmittedEntity) -> bool:
    if registered_entity is None:
        return False
    # None keeps the aliases; the order counts, because it is kept
    return submitted.country != registered_entity.country or submitted.aliases not in (
        None,
        registered_entity.aliases,
    )


def is_another_entity(registered_entity: RegisteredEntity, submitted: SubmittedEntity) -> bool:
    """Return whether a submission names another entity than a registration: by name or by LEI."""
    return _is_another_name(registered_entity, submitted) or _is_another_lei(
        registered_entity, submitted
    )


STEPS = (  # first match wins
    StepRule("1 §3", "The wallet has no active registration", lambda h, g: h is None, "REGISTER"),
    StepRule(
        "D §4 2.3 another name",
        "The wallet is registered under another name",
        _is_another_name,
        "OTHER_ENTITY",
    ),
    StepRule(
        "D §4 2.3 another LEI",
        "The wallet is registered under another LEI",
        _is_another_lei,
        "OTHER_ENTITY",
    ),
    StepRule("1 §3", "It is registered without an LEI; one is given", _is_first_lei, "UPGRADE"),
    StepRule("D §4 2.3 further names", "Aliases or country differ", _is_changed, "CHANGE"),
    StepRule("D §4 2.3 again", "The same was submitted before", lambda h, g: True, "SAME"),
)


def classify_submission(
    registered_entity: RegisteredEntity | None, submitted: SubmittedEntity
) -> StepRule:
    """Return the step that a submission is, given the wallet's current state."""
    return next(rule for rule in STEPS if rule.when(registered_entity, submitted))
