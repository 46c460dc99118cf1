"""Changes of settlement access: one officer proposes the new access, another decides."""

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.access.keys import tenant_names
from apps.compliance.payees import wallets
from apps.payments.settlement.institution_access import selectors
from apps.payments.settlement.institution_access.services.close_disallowed_orders import (
    close_disallowed_orders,
)
from apps.payments.settlement.models import AccessChange, AccessRecord, SettlementAccess
from apps.platform.common.problems import Conflict
from apps.platform.desk.note_validation import LONGEST_REASON, find_text_fault
from apps.platform.desk.versioned_terms import lock_terms

if TYPE_CHECKING:
    from django.contrib.auth.models import User

# of one institution; not shown in the specification
MOST_WALLETS = 50


class AccessConflict(Conflict):
    """The change contradicts the current access or an earlier decision."""

    code, title = "settlement_access_conflict", "This change of settlement access is not possible"


def normalize_access(stated: dict[str, Any]) -> dict[str, Any]:
    """Return the stated terms in canonical form: wallets sorted, each once."""
    wallets_sorted = sorted({wallets.normalize_wallet(wallet) for wallet in stated["wallets"]})
    return {"owner": stated["owner"], "allowed": bool(stated["allowed"]), "wallets": wallets_sorted}


def find_access_faults(stated: dict[str, Any]) -> list[tuple[str, str]]:
    """Return field and sentence for each fault; `stated` is what `normalize_access` returns."""
    access_faults = []
    if not tenant_names.is_client(stated["owner"]):
        access_faults.append(("owner", "This is not a client."))
    if stated["allowed"] and not stated["wallets"]:
        access_faults.append(
            ("wallets", "An institution that may settle needs a wallet to settle from.")
        )
    if len(stated["wallets"]) > MOST_WALLETS:
        access_faults.append(("wallets", f"At most {MOST_WALLETS} wallets."))
    return access_faults + [
        ("wallets", fault) for wallet in stated["wallets"] if (fault := _wallet_fault(wallet))
    ]


def _wallet_fault(wallet: str) -> str:
    try:
        family = wallets.parse_wallet(wallet).family
    except wallets.BadWallet as error:
        return f"{wallet[:60]!r}: {error}"
    return "" if family is wallets.Family.EVM else f"{wallet[:60]!r} is not an EVM wallet."


def draft_access_change(*, stated: dict[str, Any], reason: str) -> AccessChange:
    """Return an unsaved proposal; AccessConflict for an invalid one."""
    stated = normalize_access(stated)
    for _, sentence in find_access_faults(stated):
        raise AccessConflict(sentence)
    settlement_access = SettlementAccess.objects.filter(owner=stated["owner"]).first()
    if settlement_access is not None and settlement_access.stated() == stated:
        raise AccessConflict("No change: these are already the current values.")
    return AccessChange(
        **stated, based_on=settlement_access.version if settlement_access else 0, reason=reason
    )


def propose_access_change(
    *, stated: dict[str, Any], reason: str, by: "User", now: datetime
) -> AccessChange:
    """Propose a new access; AccessConflict if that is not possible."""
    if fault := find_text_fault(reason, most=LONGEST_REASON):
        raise AccessConflict(f"The reason: {fault}")
    change = draft_access_change(stated=stated, reason=reason)
    change.propose(
        by=by, now=now, taken=AccessConflict("A change of this access is already proposed.")
    )
    return change


@transaction.atomic
def approve_access_change(
    *, change: AccessChange, by: "User", now: datetime, note: str = ""
) -> SettlementAccess:
    """Put an access into force as another officer; AccessConflict if it has changed since.

    AccessConflict also if the current access is not as recorded.
    """
    change.settle(approved=True, by=by, note=note, now=now, refused=AccessConflict)
    row = lock_terms(
        SettlementAccess.objects.all(),
        change,
        of="owner",
        is_altered=partial(selectors.has_integrity_fault, change.owner),
        refused=AccessConflict,
        thing="access",
    )
    # in force from here on: the record that proves it is part of the same transaction
    row.apply_change(change, now=now)
    row.save()
    AccessRecord.write(
        payload={
            "stands": row.stands,
            "changeId": change.pk,
            **change.grounds_of_approval(by),
        },
        now=now,
        owner=row.owner,
        version=row.version,
    )
    # transfers that the new terms no longer allow must not settle
    close_disallowed_orders(row, now=now)
    return row


@transaction.atomic
def reject_access_change(*, change: AccessChange, by: "User", now: datetime, note: str) -> None:
    """Reject a proposal, with the reason."""
    change.settle(approved=False, by=by, note=note, now=now, refused=AccessConflict)
