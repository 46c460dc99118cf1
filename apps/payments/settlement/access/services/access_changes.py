"""Changes of who may settle: one officer proposes an access as it is to stand, another decides."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.access.keys import tenants
from apps.compliance.payees import wallets
from apps.payments.settlement.access import selectors
from apps.payments.settlement.access.services.close_orders import close_disallowed_orders
from apps.payments.settlement.models import AccessChange, AccessRecord, SettlementAccess
from apps.platform.common.problems import Conflict
from apps.platform.desk.note_validation import LONGEST_REASON, find_text_fault

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MOST_WALLETS = 50


class AccessConflict(Conflict):
    """The change contradicts what stands, or what is decided."""

    code, title = "settlement_access_conflict", "The access cannot be changed so"


def normalize_access(stated: dict[str, Any]) -> dict[str, Any]:
    """Return what is stated in its one form: wallets sorted, each once."""
    found = sorted({wallets.normalize_wallet(wallet) for wallet in stated["wallets"]})
    return {"owner": stated["owner"], "allowed": bool(stated["allowed"]), "wallets": found}


def find_access_faults(stated: dict[str, Any]) -> list[tuple[str, str]]:
    """Return field and sentence for what may not stand so; `stated` as `normalize_access` gives
    it.
    """
    found = []
    if not tenants.is_client(stated["owner"]):
        found.append(("owner", "This is no client."))
    if stated["allowed"] and not stated["wallets"]:
        found.append(("wallets", "Who may settle has a wallet that it settles from."))
    if len(stated["wallets"]) > MOST_WALLETS:
        found.append(("wallets", f"At most {MOST_WALLETS} wallets."))
    return found + [
        ("wallets", said) for wallet in stated["wallets"] if (said := _wallet_fault(wallet))
    ]


def _wallet_fault(wallet: str) -> str:
    try:
        family = wallets.parse_wallet(wallet).family
    except wallets.BadWallet as error:
        return f"{wallet[:60]!r}: {error}"
    return "" if family is wallets.Family.EVM else f"{wallet[:60]!r} is no EVM wallet."


def draft_access_change(*, stated: dict[str, Any], reason: str) -> AccessChange:
    """Return a proposal that is not stored; AccessConflict for what may not stand so."""
    stated = normalize_access(stated)
    for _, sentence in find_access_faults(stated):
        raise AccessConflict(sentence)
    settlement_access = SettlementAccess.objects.filter(owner=stated["owner"]).first()
    if settlement_access is not None and settlement_access.stated() == stated:
        raise AccessConflict("It stands so already: nothing would change.")
    return AccessChange(
        **stated, based_on=settlement_access.version if settlement_access else 0, reason=reason
    )


def propose_access_change(
    *, stated: dict[str, Any], reason: str, by: "User", now: datetime
) -> AccessChange:
    """Propose an access as it is to stand; AccessConflict when that cannot be."""
    if fault := find_text_fault(reason, most=LONGEST_REASON):
        raise AccessConflict(f"The reason: {fault}")
    change = draft_access_change(stated=stated, reason=reason)
    change.propose(
        by=by, now=now, taken=AccessConflict("A change of this access is proposed already.")
    )
    return change


@transaction.atomic
def approve_access_change(
    *, change: AccessChange, by: "User", now: datetime, note: str = ""
) -> SettlementAccess:
    """Put an access into force as another officer; AccessConflict when it moved on since.

    Also when the access that stands is not as it was recorded.
    """
    change.settle(approved=True, by=by, note=note, now=now, refused=AccessConflict)
    settlement_access = (
        SettlementAccess.objects.select_for_update().filter(owner=change.owner).first()
    )
    if (settlement_access.version if settlement_access else 0) != change.based_on:
        raise AccessConflict("The access has changed since. Propose the change again.")
    if selectors.is_access_altered(change.owner, settlement_access):
        raise AccessConflict("Integrity check failed for this access. Contact an administrator.")
    row = settlement_access or SettlementAccess(owner=change.owner)
    row.allowed, row.wallets = change.allowed, change.wallets
    row.version, row.changed_at = change.based_on + 1, now
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
    close_disallowed_orders(row, now=now)
    return row


@transaction.atomic
def reject_access_change(*, change: AccessChange, by: "User", now: datetime, note: str) -> None:
    """Turn a proposal down, with the reason."""
    change.settle(approved=False, by=by, note=note, now=now, refused=AccessConflict)
