"""Verify the access of institutions to production against its ledger."""

from collections.abc import Callable, Iterator

from apps.payments.settlement.institution_access.selectors import has_integrity_fault
from apps.payments.settlement.models import AccessRecord, SettlementAccess
from apps.platform.desk.versioned_terms import iter_owners_of_terms


def verify_settlement_access(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a fault for each access that is not as recorded, or is missing."""
    verified = 0
    for owner, row in iter_owners_of_terms(
        SettlementAccess.objects.all(), AccessRecord.objects.all()
    ):
        verified += row is not None
        if has_integrity_fault(owner, row):
            yield f"the settlement access of {owner} differs from its record"
    progress(verified)
