"""Reads who may settle: rows that are as they were recorded, and no others."""

import logging
from collections.abc import Callable, Iterator

from apps.payments.settlement.models import AccessRecord, SettlementAccess
from apps.platform.common.problems import Unavailable
from apps.platform.ledger.verification.hash_chain import filter_verified_records

logger = logging.getLogger(__name__)


class AccessIntegrityError(Unavailable):
    """Integrity check failed for the access that two people approved: somebody altered it."""

    code, title = "settlement_access_unproved", "Access integrity check failed"


def load_verified_access(owner: str) -> SettlementAccess | None:
    """Return an institution's access, None where it has none; AccessIntegrityError (503)."""
    row = SettlementAccess.objects.filter(owner=owner).first()
    if is_access_altered(owner, row):
        logger.error("the access of %s to settlement is not as it was recorded", owner)
        raise AccessIntegrityError(
            "Integrity check failed for your settlement access. Contact the operator."
        )
    return row


def is_access_altered(owner: str, row: SettlementAccess | None) -> bool:
    """Tell whether an access, or that there is none, differs from what was recorded last."""
    last = AccessRecord.objects.filter(owner=owner).order_by("-version", "-pk").first()
    if row is None:
        return last is not None
    if last is None or not filter_verified_records([last]):
        return True
    return (last.version, last.data["stands"]) != (row.version, row.stands)


def verify_settlement_access(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a fault in words for each access that is not as recorded, or is gone."""
    held = {
        settlement_access.owner: settlement_access
        for settlement_access in SettlementAccess.objects.order_by("pk")
    }
    recorded = set(AccessRecord.objects.values_list("owner", flat=True).distinct())
    for owner in sorted(recorded | held.keys()):
        if is_access_altered(owner, held.get(owner)):
            yield f"the access of {owner} to settlement is not as it was recorded"
    progress(len(held))
