"""The state of an LEI in the words of the API (DESIGN.md section 4, 2.3). Pure."""

from datetime import datetime

from apps.reference.lei.rules.registration import registration_status_at, standing_of_status
from apps.reference.lei.values import Entity

ACTIVE, LAPSED, RETIRED, NONE, UNVERIFIED = "ACTIVE", "LAPSED", "RETIRED", "NONE", "UNVERIFIED"
NOT_IN_FORCE = (LAPSED, RETIRED, UNVERIFIED)
LEI_STATUSES = (ACTIVE, LAPSED, RETIRED, NONE, UNVERIFIED)


def lei_status(entity: Entity | None, *, lei: str, now: datetime) -> str:
    """Return the state of an LEI at a time; `entity` is its record.

    Of an entity that has ended the LEI is RETIRED, whatever its own registration says.
    """
    if not lei:
        return NONE
    if entity is None:
        return UNVERIFIED
    # GLEIF leaves the status of some entities empty
    if entity.entity_status not in ("", "ACTIVE"):
        return RETIRED
    return standing_of_status(registration_status_at(entity, now))
