"""An institution's reads of its accounts at the bank."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import islice
from typing import Any

from apps.payments.banking.account_access import (
    NO_ACCOUNT_OF_OURS,
    AccountNotYours,
    are_accounts_shared,
    check_account_access,
    list_own_accounts,
)
from apps.payments.banking.clients import bank_api
from apps.payments.banking.clients.bank_api import BankNotConfigured
from apps.payments.banking.models import Send
from apps.payments.banking.rules.statement_lines import StatementEntry, parse_amount, parse_line
from apps.payments.banking.services.routed_sends import load_routings
from apps.platform.api.callers import Caller
from apps.platform.common.problems import Unavailable
from apps.platform.upstreams.http import UpstreamError

DEFAULT_PERIOD = timedelta(days=30)
HTTP_NOT_FOUND = 404
BALANCE_FIELDS = {"availableBalance": "available_balance", "currentBalance": "current_balance"}


class BankUnavailable(Unavailable):
    """The bank does not answer."""

    code, title = "bank_unavailable", "The bank does not answer"


def list_accounts(
    *, asked: Mapping[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return the accounts that the caller pays from, as the bank has them; see BankAccountsOut."""
    own = {str(account) for account in list_own_accounts(caller.ref)}
    with _translate_bank_errors():
        # our token sees every account of the operator
        accounts = [account for account in bank_api.fetch_accounts() if account.get("id") in own]
    return {"accounts": [_serialize_account(account, caller) for account in accounts]}


def _serialize_account(account: Mapping[str, Any], caller: Caller) -> dict[str, Any]:
    """Return an account; a shared one is shown as if only the caller paid from it."""
    others = (
        _sum_paid_by_others(str(account["id"]), caller) if are_accounts_shared() else Decimal(0)
    )
    balances = {name: parse_amount(account.get(theirs)) for theirs, name in BALANCE_FIELDS.items()}
    texts = {name: str(account.get(name) or "")[:100] for name in ("name", "status", "kind")}
    known = {name: amount + others for name, amount in balances.items() if amount is not None}
    return {"account_id": str(account["id"])} | texts | known


def _sum_paid_by_others(account: str, caller: Caller) -> Decimal:
    """Return what other institutions paid from a shared account, as far as the bank has it."""
    sends = Send.objects.filter(account_id=account, state__in=("SENT", "SETTLED"))
    # only a sandbox shares accounts, and it has few payments
    return sum(sends.exclude(owner=caller.ref).values_list("amount", flat=True), Decimal(0))


def list_statement_lines(
    *, asked: Mapping[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return a page of an account's statement; see BankTransactionsOut."""
    account = _choose_account(asked, caller)
    today = now.date()
    # a `since` in the future asks for an empty period, and is no error
    until: date = asked.get("until") or max(today, asked.get("since") or today)
    # not before the first day that Python has: `until` may be any date
    since: date = asked.get("since") or max(date.min + DEFAULT_PERIOD, until) - DEFAULT_PERIOD
    limit, offset = asked["limit"], asked["offset"]
    with _translate_bank_errors():
        statement_lines = _fetch_statement_lines(
            str(account), caller, since=since, until=until, limit=limit, offset=offset
        )
    lines = [line for line in map(parse_line, statement_lines) if isinstance(line, StatementEntry)]
    statement: dict[str, Any] = {
        "account_id": str(account),
        "since": since.isoformat(),
        "until": until.isoformat(),
        "items": _serialize_statement_lines(lines, caller),
        "limit": limit,
        "offset": offset,
    }
    statement |= {"next_offset": offset + limit} if len(statement_lines) == limit else {}
    return statement | (
        {"withheld": len(statement_lines) - len(lines)} if len(lines) < len(statement_lines) else {}
    )


def _fetch_statement_lines(
    account: str, caller: Caller, *, since: date, until: date, limit: int, offset: int
) -> list[Any]:
    """Return a page of a statement; of a shared account, only the caller's payments."""
    # the bank pages a statement; what only the caller may see of it is paged here
    if not are_accounts_shared():
        return bank_api.fetch_transactions_page(
            account, since=since, until=until, limit=limit, offset=offset
        )
    rows = Send.objects.filter(owner=caller.ref).exclude(bank_id="")
    own = set(rows.values_list("bank_id", flat=True))
    transactions = bank_api.iterate_transactions(account, since=since, until=until)
    mine = (
        transaction
        for transaction in transactions
        if isinstance(transaction, dict) and transaction.get("id") in own
    )
    return list(islice(mine, offset, offset + limit))


def _choose_account(asked: Mapping[str, Any], caller: Caller) -> uuid.UUID:
    """Return the requested account; AccountNotYours (403) for another institution's."""
    if asked.get("account_id"):
        check_account_access(asked["account_id"], caller)
        account: uuid.UUID = asked["account_id"]
        return account
    own = list_own_accounts(caller.ref)
    if not own:
        raise AccountNotYours("BANK_ACCOUNTS gives you no account.")
    return own[0]


def _serialize_statement_lines(
    entries: Sequence[StatementEntry], caller: Caller
) -> list[dict[str, Any]]:
    """Return statement lines for output, with the caller's payments that they match."""
    rows = Send.objects.filter(owner=caller.ref, bank_id__in=[entry.bank_id for entry in entries])
    paid = {
        bank_id: str(reference) for bank_id, reference in rows.values_list("bank_id", "send_id")
    }
    routed = load_routings(list(paid), owner=caller.ref)
    return [
        {
            "transaction_id": entry.bank_id,
            "amount": entry.amount,
            "status": entry.status,
            "note": entry.note,
            "created_at": entry.at,
        }
        | ({"payment_id": paid[entry.bank_id]} if entry.bank_id in paid else {})
        | ({"routing": routed[entry.bank_id]} if entry.bank_id in routed else {})
        for entry in entries
    ]


@contextmanager
def _translate_bank_errors() -> Iterator[None]:
    """Raise the API's problems for the bank's errors.

    BankNotConfigured and BankUnavailable (503), AccountNotYours (403) for an unknown account.
    """
    if not bank_api.get_bank_url():
        raise BankNotConfigured("No bank is configured here, or it is not running yet.")
    try:
        yield
    except UpstreamError as error:
        if error.permanent and error.status == HTTP_NOT_FOUND:
            raise AccountNotYours(NO_ACCOUNT_OF_OURS) from None
        raise BankUnavailable("The bank does not answer. Try again.") from None
