"""Read settlement access, only from rows that match their records."""

import logging

from apps.payments.settlement.models import AccessRecord, SettlementAccess
from apps.platform.common.problems import Unavailable
from apps.platform.desk.versioned_terms import differs_from_newest_record

logger = logging.getLogger(__name__)


class AccessIntegrityError(Unavailable):
    """Integrity check failed for the access that two people approved: it was altered."""

    code, title = "settlement_access_unproved", "Access integrity check failed"


def load_verified_access(owner: str) -> SettlementAccess | None:
    """Return an institution's access, None if it has none; AccessIntegrityError (503)."""
    row = SettlementAccess.objects.filter(owner=owner).first()
    if has_integrity_fault(owner, row):
        logger.error("the settlement access of %s failed its integrity check", owner)
        raise AccessIntegrityError(
            "Integrity check failed for your settlement access. Contact the operator."
        )
    return row


def has_integrity_fault(owner: str, row: SettlementAccess | None) -> bool:
    """Tell whether an access, or its absence, differs from the last record."""
    return differs_from_newest_record(row, AccessRecord.objects.filter(owner=owner))
