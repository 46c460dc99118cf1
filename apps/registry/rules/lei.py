"""The state of an LEI in the words of the API (DESIGN.md section 4, 2.3). Pure."""

from datetime import datetime

from apps.lei.rules import status_at
from apps.lei.values import Entity

ACTIVE, LAPSED, RETIRED, NONE, UNVERIFIED = "ACTIVE", "LAPSED", "RETIRED", "NONE", "UNVERIFIED"
NOT_IN_FORCE = (LAPSED, RETIRED, UNVERIFIED)
LEI_STATUSES = (ACTIVE, LAPSED, RETIRED, NONE, UNVERIFIED)

# GLEIF's registration statuses (LEI-CDF 3.1); one that is not here is UNVERIFIED
OF_GLEIF = {
    "ISSUED": ACTIVE,
    "PENDING_TRANSFER": ACTIVE,  # it is live, and moves to another issuer
    "PENDING_ARCHIVAL": ACTIVE,
    "LAPSED": LAPSED,
    "RETIRED": RETIRED,
    "MERGED": RETIRED,
    "DUPLICATE": RETIRED,
    "ANNULLED": RETIRED,
    "CANCELLED": RETIRED,
}


def lei_status(entity: Entity | None, *, lei: str, now: datetime) -> str:
    """Return the state of an LEI at a moment; `entity` is what is held of it.

    Of an entity that has ended the LEI is RETIRED, whatever its own registration says.
    """
    if not lei:
        return NONE
    if entity is None:
        return UNVERIFIED
    if entity.entity_status not in ("", "ACTIVE"):
        return RETIRED
    return OF_GLEIF.get(status_at(entity, now), UNVERIFIED)
