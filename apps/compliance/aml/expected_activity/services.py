"""Changes of expected activity: one senior officer proposes a declaration, another decides."""

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction

from apps.access.keys import tenant_names
from apps.compliance.aml.expected_activity import selectors
from apps.compliance.aml.models import (
    ActivityChange,
    ActivityDeclaration,
    ActivityRecord,
    DeclaredAccount,
)
from apps.compliance.aml.rules.accounts import normalize_account
from apps.compliance.aml.rules.declared_lines import find_line_faults
from apps.compliance.payees import wallets
from apps.platform.common.problems import Conflict
from apps.platform.desk.note_validation import LONGEST_REASON, find_text_fault
from apps.platform.desk.versioned_terms import lock_terms

if TYPE_CHECKING:
    from django.contrib.auth.models import User

# wallets and LEIs of one declaration
MOST_ACCOUNTS = 200
LEI = "lei:"


class ActivityConflict(Conflict):
    """The change conflicts with the current declaration or a decision."""

    code, title = "expected_activity_conflict", "This change of expected activity is not possible"


def normalize_declaration(stated: dict[str, Any]) -> dict[str, Any]:
    """Normalize a declaration: accounts sorted, each once; lines by kind."""
    accounts = sorted({_normalize_account(account) for account in stated["accounts"]})
    lines = sorted((dict(line) for line in stated["lines"]), key=lambda line: line["kind"])
    return {"owner": stated["owner"], "accounts": accounts, "lines": lines}


def _normalize_account(text: str) -> str:
    if text.lower().startswith(LEI):
        return LEI + text[len(LEI) :].strip().upper()
    try:
        return wallets.parse_wallet(normalize_account(text)).address
    except wallets.BadWallet:
        # left as it was typed: `_account_fault` quotes it
        return text


def declaration_faults(stated: dict[str, Any]) -> list[tuple[str, str]]:
    """Return field and sentence for each fault; `stated` as normalized."""
    faults = []
    if not tenant_names.is_client(stated["owner"]):
        faults.append(("owner", "No client has this reference."))
    if len(stated["accounts"]) > MOST_ACCOUNTS:
        faults.append(("accounts", f"At most {MOST_ACCOUNTS} wallets and LEIs."))
    faults += [
        ("accounts", fault) for account in stated["accounts"] if (fault := _account_fault(account))
    ]
    # an account has one declaration: else a screen would have to choose between two
    declared_accounts = DeclaredAccount.objects.filter(account__in=stated["accounts"])
    for declared_account in declared_accounts.exclude(declaration__owner=stated["owner"]).order_by(
        "account"
    ):
        faults.append(
            (
                "accounts",
                f"{declared_account.account!r} belongs to another institution's declaration.",
            )
        )
    return faults + [("lines", line_fault) for line_fault in find_line_faults(stated["lines"])]


def _account_fault(text: str) -> str:
    if text.startswith(LEI):
        lei = text.removeprefix(LEI)
        good = len(lei) == 20 and lei.isascii() and lei.isalnum()
        return "" if good else f"{text[:60]!r} is not an LEI: 20 letters and digits after lei:."
    try:
        wallets.parse_wallet(text)
    except wallets.BadWallet as error:
        return f"{text[:60]!r}: {error}"
    return ""


def draft_change(*, stated: dict[str, Any], reason: str) -> ActivityChange:
    """Return an unsaved proposal; raises ActivityConflict for an invalid one."""
    stated = normalize_declaration(stated)
    for _, sentence in declaration_faults(stated):
        raise ActivityConflict(sentence)
    activity_declaration = ActivityDeclaration.objects.filter(owner=stated["owner"]).first()
    if activity_declaration is not None and activity_declaration.stated() == stated:
        raise ActivityConflict("No change: this is already declared.")
    if activity_declaration is None and not stated["lines"]:
        raise ActivityConflict("Nothing is declared yet: give a line for each kind of payment.")
    return ActivityChange(
        **stated,
        based_on=activity_declaration.version if activity_declaration else 0,
        reason=reason,
    )


def propose_change(
    *, stated: dict[str, Any], reason: str, by: "User", now: datetime
) -> ActivityChange:
    """Propose a declaration; raises ActivityConflict for an invalid one."""
    if fault := find_text_fault(reason, most=LONGEST_REASON):
        raise ActivityConflict(f"The reason: {fault}")
    change = draft_change(stated=stated, reason=reason)
    change.propose(
        by=by, now=now, taken=ActivityConflict("A change of this declaration is already proposed.")
    )
    return change


@transaction.atomic
def approve_change(
    *, change: ActivityChange, by: "User", now: datetime, note: str = ""
) -> ActivityDeclaration:
    """Put a declaration into force as another officer; ActivityConflict when it moved on since."""
    # settled first: it locks the proposal and refuses its author and one that was altered
    change.settle(approved=True, by=by, note=note, now=now, refused=ActivityConflict)
    row = lock_terms(
        ActivityDeclaration.objects.all(),
        change,
        of="owner",
        is_altered=partial(selectors.has_integrity_fault, change.owner),
        refused=ActivityConflict,
        thing="declaration",
    )
    row.apply_change(change, now=now)
    row.save()
    # point the accounts of a declaration to it, and no others
    row.declared.all().delete()
    try:
        # a savepoint: on PostgreSQL a failed insert would end the whole transaction
        with transaction.atomic():
            DeclaredAccount.objects.bulk_create(
                DeclaredAccount(account=account, declaration=row)
                for account in sorted(selectors.accounts_of(row))
            )
    except IntegrityError as error:
        raise ActivityConflict(
            "Another institution has declared one of the wallets since."
        ) from error
    ActivityRecord.write(
        payload={
            "stands": row.stands,
            "stated": row.stated(),
            "changeId": change.pk,
            **change.grounds_of_approval(by),
        },
        now=now,
        owner=row.owner,
        version=row.version,
    )
    return row


@transaction.atomic
def reject_change(*, change: ActivityChange, by: "User", now: datetime, note: str) -> None:
    """Turn a proposal down, with the reason."""
    change.settle(approved=False, by=by, note=note, now=now, refused=ActivityConflict)
