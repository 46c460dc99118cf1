"""What an institution reads of its payments, and of its accounts at the bank."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from itertools import islice
from typing import Any

from apps.banking import adapter
from apps.banking.adapter import NoBank
from apps.banking.models import Send
from apps.banking.projection import faults, proved
from apps.banking.rules.statements import Entry, amount_of, line
from apps.banking.sends import (
    NO_ACCOUNT_OF_OURS,
    AccountNotYours,
    accounts_of,
    insist_on_account,
    said,
    shared,
)
from apps.core.callers import Caller
from apps.core.pagination import Paged
from apps.core.problems import NO_SUCH_ID, NotFound, Unavailable
from apps.upstreams.http import UpstreamError

BACK = timedelta(days=30)
NOT_THERE = 404
BALANCES = {"availableBalance": "available_balance", "currentBalance": "current_balance"}


class BankSilent(Unavailable):
    """The bank does not answer."""

    code, title = "bank_unavailable", "The bank does not answer"


def by_id(
    *, asked: Mapping[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return a payment of the caller as it stands; see SendOut."""
    rows = Send.objects.select_related("recipient").filter(owner=caller.ref)
    found = rows.filter(send_id=asked["payment_id"]).first()
    if found is None:
        raise NotFound(NO_SUCH_ID)
    return said(proved([found])[0])


def listed(*, asked: Mapping[str, Any], gathered: None, caller: Caller, now: datetime) -> Paged:
    """Return the caller's payments, newest first; see SendsOut."""
    rows = Send.objects.select_related("recipient").filter(owner=caller.ref)
    return Paged(rows, show=_shown)


def _shown(page: Sequence[Send]) -> list[dict[str, Any]]:
    broken = faults(page)
    return [said(one) for one in page if one.pk not in broken]


def accounts(
    *, asked: Mapping[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return the accounts that the caller pays from, as the bank has them; see BankAccountsOut."""
    own = {str(one) for one in accounts_of(caller.ref)}
    with _asking():
        found = [one for one in adapter.accounts() if one.get("id") in own]
    return {"accounts": [_account(one) for one in found]}


def _account(one: Mapping[str, Any]) -> dict[str, Any]:
    """Return an account; what is on a shared one tells what others paid."""
    told = {} if shared() else BALANCES
    held = {name: amount_of(one.get(theirs)) for theirs, name in told.items()}
    texts = {name: str(one.get(name) or "")[:100] for name in ("name", "status", "kind")}
    known = {name: amount for name, amount in held.items() if amount is not None}
    return {"account_id": str(one["id"])} | texts | known


def transactions(
    *, asked: Mapping[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return a page of an account's statement; see BankTransactionsOut."""
    account = _account_of(asked, caller)
    today = now.date()
    until: date = asked.get("until") or max(today, asked.get("since") or today)
    since: date = asked.get("since") or max(date.min + BACK, until) - BACK
    limit, offset = asked["limit"], asked["offset"]
    with _asking():
        found = _lines(str(account), caller, since=since, until=until, limit=limit, offset=offset)
    lines = [one for one in map(line, found) if isinstance(one, Entry)]
    told: dict[str, Any] = {
        "account_id": str(account),
        "since": since.isoformat(),
        "until": until.isoformat(),
        "items": _with_payments(lines, caller),
        "limit": limit,
        "offset": offset,
    }
    told |= {"next_offset": offset + limit} if len(found) == limit else {}
    return told | ({"withheld": len(found) - len(lines)} if len(lines) < len(found) else {})


def _lines(
    account: str, caller: Caller, *, since: date, until: date, limit: int, offset: int
) -> list[Any]:
    """Return a page of a statement; of a shared account, of the caller's payments alone."""
    if not shared():
        return adapter.page(account, since=since, until=until, limit=limit, offset=offset)
    rows = Send.objects.filter(owner=caller.ref).exclude(bank_id="")
    own = set(rows.values_list("bank_id", flat=True))
    found = adapter.transactions(account, since=since, until=until)
    mine = (one for one in found if isinstance(one, dict) and one.get("id") in own)
    return list(islice(mine, offset, offset + limit))


def _account_of(asked: Mapping[str, Any], caller: Caller) -> uuid.UUID:
    """Return the account that is asked for; AccountNotYours (403) for another's."""
    if asked.get("account_id"):
        insist_on_account(asked["account_id"], caller)
        account: uuid.UUID = asked["account_id"]
        return account
    own = accounts_of(caller.ref)
    if not own:
        raise AccountNotYours("BANK_ACCOUNTS gives you no account.")
    return own[0]


def _with_payments(entries: Sequence[Entry], caller: Caller) -> list[dict[str, Any]]:
    """Return lines as they are told, with the payments of the caller that they are."""
    rows = Send.objects.filter(owner=caller.ref, bank_id__in=[one.bank_id for one in entries])
    paid = {bank_id: str(found) for bank_id, found in rows.values_list("bank_id", "send_id")}
    return [
        {
            "transaction_id": one.bank_id,
            "amount": one.amount,
            "status": one.status,
            "note": one.note,
            "created_at": one.at,
        }
        | ({"payment_id": paid[one.bank_id]} if one.bank_id in paid else {})
        for one in entries
    ]


@contextmanager
def _asking() -> Iterator[None]:
    """Ask the bank; NoBank and BankSilent (503), AccountNotYours (403) for one it does not have."""
    if not adapter.address():
        raise NoBank("No bank is configured here, or it is not up yet.")
    try:
        yield
    except UpstreamError as error:
        if error.permanent and error.status == NOT_THERE:
            raise AccountNotYours(NO_ACCOUNT_OF_OURS) from None
        raise BankSilent("The bank does not answer: ask again.") from None
