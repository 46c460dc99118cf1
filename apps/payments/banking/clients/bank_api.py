"""The bank over HTTP, in the provider's format under neutral names (docs/data-sources.md).

Nothing here decides: the caller has a row with the request, and repeats the request with the same
key.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.conf import settings

from apps.payments.banking.models.transactions import MAX_ID_LENGTH
from apps.platform.common.problems import Unavailable
from apps.platform.upstreams.auth import BearerAuth
from apps.platform.upstreams.http import Upstream, UpstreamError

DEADLINE = 20.0  # seconds for a whole call
PAGE_SIZE = 500  # transactions of one request
MAX_PAGES = 200  # 100,000 transactions: a bank that pages without end must not hold a worker
# statuses that say nothing about the request itself: our token, our rate, the bank's own trouble
STATUSES_WITHOUT_REFUSAL = frozenset({401, 403, 408, 425, 429})
# in VAR_DIR: the address of a sandbox's simulator
SIMULATOR_FILE = "bank-simulator.json"


class BankNotConfigured(Unavailable):
    """No bank is configured."""

    code, title = "no_bank", "No bank is configured"


class RefusedByBank(Exception):
    """The bank refuses the request, and would again; `status` is its own."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the bank answered {status}")
        self.status = status


class BankApi(Upstream):
    """The bank's API."""

    name = "bank"
    timeout = (3.0, 15.0)
    patience = DEADLINE
    largest = 5 * 1024 * 1024

    def __init__(self) -> None:
        self.base_url, self.auth = get_bank_url(), BearerAuth(settings.BANK_API_TOKEN)


def get_bank_url() -> str:
    """Return the bank's address; empty without one. A sandbox without a bank has its simulator."""
    if settings.BANK_API_URL or settings.PRODUCTION:
        return str(settings.BANK_API_URL).rstrip("/")
    path = settings.VAR_DIR / SIMULATOR_FILE
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    # not started yet, or just being replaced: as good as no bank for this moment
    except (OSError, ValueError):
        return ""
    return str(document.get("url", ""))


def is_bank_configured() -> bool:
    """Tell whether there is a bank, or the simulator that a sandbox starts beside itself."""
    return bool(settings.BANK_API_URL) or not settings.PRODUCTION


@dataclass(frozen=True, slots=True)
class AcceptedPayment:
    """A payment that the bank has accepted: its id, and its status in the bank's terms."""

    bank_id: str
    status: str


def save_recipient(body: Mapping[str, Any], *, key: str) -> str:
    """Save a recipient; return the bank's id. RefusedByBank, UpstreamError."""
    return _parse_bank_id(_post_to_bank("/recipients", dict(body) | {"idempotencyKey": key}))


def send_payment(account_id: str, body: Mapping[str, Any]) -> AcceptedPayment:
    """Send money, once for the `idempotencyKey` of the body. RefusedByBank, UpstreamError."""
    answer = _post_to_bank(f"/account/{account_id}/transactions", body)
    return AcceptedPayment(_parse_bank_id(answer), str(answer.get("status", ""))[:20])


def fetch_accounts() -> list[dict[str, Any]]:
    """Return the accounts of our token, with their balances. UpstreamError."""
    rows = _parse_rows(BankApi().get_json("/accounts", deadline=DEADLINE), "accounts")
    return [row for row in rows if isinstance(row, dict)]


def iterate_transactions(account_id: str, *, since: date, until: date) -> Iterator[Any]:
    """Yield the transactions of an account, page by page, both days included. UpstreamError."""
    offset = 0
    for _ in range(MAX_PAGES):
        transactions_page = fetch_transactions_page(
            account_id, since=since, until=until, limit=PAGE_SIZE, offset=offset
        )
        yield from transactions_page
        # the provider pages an account's transactions by offset
        offset += len(transactions_page)
        if len(transactions_page) < PAGE_SIZE:
            return
    raise UpstreamError("bank: more pages of transactions than are read", permanent=True)


def fetch_transactions_page(
    account_id: str, *, since: date, until: date, limit: int, offset: int
) -> list[Any]:
    """Return a page of an account's transactions, both days included. UpstreamError."""
    parameters = {"start": since.isoformat(), "end": until.isoformat()}
    parameters |= {"limit": str(limit), "offset": str(offset)}
    path = f"/account/{account_id}/transactions"
    return _parse_rows(
        BankApi().get_json(path, params=parameters, deadline=DEADLINE), "transactions"
    )


def _post_to_bank(path: str, body: Mapping[str, Any]) -> dict[str, Any]:
    try:
        answer = BankApi().post_json(path, json=_convert_decimals(body))
    except UpstreamError as error:
        if (
            error.permanent
            and 400 <= error.status < 500
            and error.status not in STATUSES_WITHOUT_REFUSAL
        ):
            # only an answer about the request itself ends it: anything else may have been executed
            raise RefusedByBank(error.status) from None
        raise
    if not isinstance(answer, dict):
        raise UpstreamError("bank: the answer is not an object")
    return answer


def _convert_decimals(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a body for JSON, with amounts as numbers."""
    return {
        # the provider takes JSON numbers; amounts have two decimals and fewer than 15 digits here
        name: float(value) if isinstance(value, Decimal) else value
        for name, value in body.items()
    }


def _parse_bank_id(answer: Mapping[str, Any]) -> str:
    bank_id = answer.get("id")
    # an id that our column cannot hold would be cut and never be found again
    if not isinstance(bank_id, str) or not 0 < len(bank_id) <= MAX_ID_LENGTH:
        raise UpstreamError("bank: the answer has no id")
    return bank_id


def _parse_rows(answer: Any, name: str) -> list[Any]:
    rows = answer.get(name) if isinstance(answer, dict) else None
    if not isinstance(rows, list):
        raise UpstreamError(f"bank: the answer holds no {name}")
    return rows
