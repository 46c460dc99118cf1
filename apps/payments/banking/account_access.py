"""Which accounts at the bank a caller may use."""

import uuid

from django.conf import settings

from apps.payments.banking.simulator import bank
from apps.platform.api.callers import Caller
from apps.platform.common.problems import DomainError

NO_ACCOUNT_OF_OURS = "The bank has no such account of ours."
SANDBOX_ACCOUNT, SANDBOX_RESERVE = uuid.UUID(bank.ACCOUNT), uuid.UUID(bank.SAVINGS)


class AccountNotYours(DomainError):
    """The institution does not pay from this account."""

    status, code, title = 403, "account_not_yours", "The account is not yours"


def are_accounts_shared() -> bool:
    """Tell whether institutions share the sample accounts: in a sandbox without BANK_ACCOUNTS.

    Each of them then sees only its own payments.
    """
    return not settings.BANK_ACCOUNTS and not settings.PRODUCTION


def list_own_accounts(ref: str) -> list[uuid.UUID]:
    """Return the accounts that an institution pays from; if they are shared, the sample."""
    # BANK_ACCOUNTS maps an account to the ref of its institution
    own = [uuid.UUID(account) for account, whose in settings.BANK_ACCOUNTS.items() if whose == ref]
    return own or ([SANDBOX_ACCOUNT] if are_accounts_shared() else [])


def check_account_access(account_id: uuid.UUID, caller: Caller) -> None:
    """Raise AccountNotYours (403) unless the caller pays from an account."""
    if not are_accounts_shared():
        if account_id not in list_own_accounts(caller.ref):
            raise AccountNotYours("BANK_ACCOUNTS does not give you this account.")
    # shared accounts: the simulator's two are known here; with a real bank only the bank itself can
    # say which accounts exist
    elif not settings.BANK_API_URL and account_id not in (SANDBOX_ACCOUNT, SANDBOX_RESERVE):
        raise AccountNotYours(NO_ACCOUNT_OF_OURS)
