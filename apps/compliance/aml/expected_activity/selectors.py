"""Reads expected activity: declarations that are as they were recorded, and no others."""

import logging
from collections.abc import Callable, Iterator

from apps.compliance.aml.models import ActivityDeclaration, ActivityRecord, DeclaredAccount
from apps.compliance.aml.rules.expected_activity import ExpectedActivity
from apps.platform.desk.versioned_terms import differs_from_newest_record, iter_owners_of_terms

logger = logging.getLogger(__name__)


def load_expected_activity(account: str) -> ExpectedActivity | None:
    """Return the expected activity of an account; None if not declared, or altered.

    One query where nothing is declared. A declaration only makes a screen milder, so that without
    one that is proved the screen is made as of an unknown wallet.
    """
    row = ActivityDeclaration.objects.filter(declared__account=account).first()
    if row is None:
        return None
    # the accounts in rows of their own are only an index: the declaration itself must name this one
    if has_integrity_fault(row.owner, row) or account not in accounts_of(row):
        logger.error("integrity check failed for the expected activity of %s", row.owner)
        return None
    return row.expected


def accounts_of(row: ActivityDeclaration) -> set[str]:
    """Return the accounts of a declaration, including the one without a wallet."""
    # payments without a wallet come under this account (screening.requests.INSTITUTION_ITSELF)
    return {f"institution:{row.owner}", *row.accounts} if row.lines else set()


def has_integrity_fault(owner: str, row: ActivityDeclaration | None) -> bool:
    """Return whether a declaration, or its absence, differs from the newest record."""
    return differs_from_newest_record(row, ActivityRecord.objects.filter(owner=owner))


def verify_activity_declarations(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a fault in words for each declaration that differs from its record or is missing."""
    verified = 0
    for owner, row in iter_owners_of_terms(
        ActivityDeclaration.objects.all(), ActivityRecord.objects.all()
    ):
        verified += row is not None
        if has_integrity_fault(owner, row):
            yield f"the expected activity of {owner} differs from its record"
        elif row is not None and set(
            DeclaredAccount.objects.filter(declaration=row).values_list("account", flat=True)
        ) != accounts_of(row):
            yield f"the accounts of the expected activity of {owner} differ from the record"
    progress(verified)
