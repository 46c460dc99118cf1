"""The simulated bank itself: accounts, recipients, payments by key, and its reports."""

import json
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

ACCOUNT = "3f2b8c1e-6d0a-4b6e-9a57-0c1d2e3f4a5b"
SAVINGS = "7a1d2c3b-4e5f-4a6b-8c7d-9e0f1a2b3c4d"
OPENING = Decimal(10_000_000)
CENT = Decimal("0.01")
METHODS = ("ach", "check", "domesticWire", "internationalWire")
PublishEvent = Callable[[dict[str, Any]], None]


class RequestRefused(Exception):
    """The request is refused, with an HTTP status."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


class SimulatedBank:
    """One bank; `tell` is called with each event in the webhook's format. Thread-safe."""

    def __init__(self, tell: PublishEvent | None = None) -> None:
        self.tell: PublishEvent = tell or (lambda _: None)
        self.lock = threading.RLock()
        self.balances = {ACCOUNT: OPENING, SAVINGS: OPENING}
        self.recipients: dict[str, dict[str, Any]] = {}
        self.paid: dict[str, list[dict[str, Any]]] = {ACCOUNT: [], SAVINGS: []}
        self.by_key: dict[str, tuple[str, dict[str, Any]]] = {}
        self.calls = 0
        self._versions: dict[str, int] = {}

    def kept(self) -> dict[str, Any]:
        """Return the bank's whole state as JSON."""
        with self.lock:
            return {
                "balances": {
                    account_id: str(balance) for account_id, balance in self.balances.items()
                },
                "recipients": self.recipients,
                "paid": self.paid,
                "byKey": self.by_key,
                "versions": self._versions,
            }

    def hold(self, state: Mapping[str, Any]) -> None:
        """Restore the state of an earlier bank."""
        with self.lock:
            self.balances = {
                account_id: Decimal(balance) for account_id, balance in state["balances"].items()
            }
            self.recipients, self.paid = dict(state["recipients"]), dict(state["paid"])
            self.by_key = {
                key: (request_digest, result)
                for key, (request_digest, result) in state["byKey"].items()
            }
            self._versions = dict(state["versions"])

    def accounts(self) -> dict[str, Any]:
        """Return the accounts with their balances."""
        names = {ACCOUNT: "Operating", SAVINGS: "Reserve"}
        return {
            "accounts": [
                {
                    "id": account_id,
                    "name": names[account_id],
                    "status": "active",
                    "kind": "checking",
                    "availableBalance": convert_to_json_number(balance),
                    "currentBalance": convert_to_json_number(balance),
                }
                for account_id, balance in self.balances.items()
            ]
        }

    def transactions(self, account: str, *, limit: int, offset: int) -> dict[str, Any]:
        """Return a page of an account's transactions, the oldest first."""
        with self.lock:
            booked = self._account(account)
            page = booked[offset : offset + max(0, min(limit, 500))]
            return {
                "total": len(booked),
                "transactions": [dict(transaction) for transaction in page],
            }

    def save(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Save a recipient; a repeated key returns the same one."""
        if not body.get("name") or not isinstance(body.get("emails"), list):
            raise RequestRefused(400, "name and emails are required")
        if not (body.get("electronicRoutingInfo") or body.get("internationalWireRoutingInfo")):
            raise RequestRefused(400, "routing information is required")
        with self.lock:
            return self._once(body, lambda: self._saved(body))

    def _saved(self, body: Mapping[str, Any]) -> dict[str, Any]:
        saved = dict(body) | {"id": str(uuid.uuid4()), "status": "active"}
        self.recipients[saved["id"]] = saved
        return saved

    def send(self, account: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Pay a recipient; a repeated key returns the same payment."""
        with self.lock:
            self.calls += 1
            self._account(account)
            amount = _parse_amount(body.get("amount"))
            if body.get("recipientId") not in self.recipients:
                raise RequestRefused(400, "recipientId is unknown")
            if body.get("paymentMethod") not in METHODS:
                raise RequestRefused(400, "paymentMethod is unknown")
            wire = body["paymentMethod"] in ("domesticWire", "internationalWire")
            if wire and not body.get("purpose"):
                raise RequestRefused(400, "purpose is required")
            if not body.get("idempotencyKey"):
                raise RequestRefused(400, "idempotencyKey is required")
            return self._once(body, lambda: self._paid(account, amount, body))

    def _paid(self, account: str, amount: Decimal, body: Mapping[str, Any]) -> dict[str, Any]:
        if amount > self.balances[account]:
            raise RequestRefused(400, "the balance is too low")
        return self._book(
            account,
            -amount,
            note=str(body.get("note", "")),
            counterpartyId=body["recipientId"],
            kind=body["paymentMethod"],
            idempotencyKey=body["idempotencyKey"],
        )

    def deposit(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Deposit money into an account, as an incoming payment would."""
        with self.lock:
            account = str(body.get("accountId") or ACCOUNT)
            self._account(account)
            more = {name: body[name] for name in ("metadata",) if name in body}
            note = str(body.get("note", ""))
            return self._book(account, _parse_amount(body.get("amount")), note=note, **more)

    def finish(self, status: str = "sent") -> int:
        """Complete all pending payments; return how many."""
        with self.lock:
            pending = [
                row for rows in self.paid.values() for row in rows if row["status"] == "pending"
            ]
            for entry in pending:
                entry["status"] = status
                self._say("update", entry, {"status": status}, {"status": "pending"})
            return len(pending)

    def _book(self, account: str, amount: Decimal, **more: Any) -> dict[str, Any]:
        self.balances[account] += amount
        transaction = {
            "id": str(uuid.uuid4()),
            "accountId": account,
            "amount": convert_to_json_number(amount),
            "status": "pending",
            "createdAt": format_present_moment(),
            **more,
        }
        self.paid[account].append(transaction)
        self._say(
            "create",
            transaction,
            {name: transaction[name] for name in transaction if name != "id"},
            {},
        )
        return dict(transaction)

    def _account(self, account: str) -> list[dict[str, Any]]:
        if account not in self.paid:
            raise RequestRefused(404, "there is no such account")
        return self.paid[account]

    def _once(self, body: Mapping[str, Any], does: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        key, json_text = str(body.get("idempotencyKey", "")), json.dumps(body, sort_keys=True)
        if key and key in self.by_key:
            before, answer = self.by_key[key]
            # a key belongs to one request
            if before != json_text:
                raise RequestRefused(409, "the idempotencyKey was used for something else")
            return dict(answer)
        result = does()
        if key:
            self.by_key[key] = (json_text, result)
        return dict(result)

    def _say(
        self, operation: str, entry: Mapping[str, Any], patch: Mapping[str, Any], before: Any
    ) -> None:
        self._versions[entry["id"]] = version = self._versions.get(entry["id"], 0) + 1
        self.tell(
            {
                "id": str(uuid.uuid4()),
                "resourceType": "transaction",
                "resourceId": entry["id"],
                "operationType": operation,
                "resourceVersion": version,
                "occurredAt": format_present_moment(),
                "changedPaths": sorted(patch),
                "mergePatch": dict(patch),
                "previousValues": before,
            }
        )


def _parse_amount(value: Any) -> Decimal:
    try:
        amount = Decimal(str(value))
    except ArithmeticError:
        raise RequestRefused(400, "amount is not a number") from None
    if isinstance(value, str | bool) or not amount.is_finite() or amount < CENT:
        raise RequestRefused(400, "amount is at least 0.01")
    if amount != amount.quantize(CENT):
        raise RequestRefused(400, "amount has more than two decimals")
    return amount


def convert_to_json_number(amount: Decimal) -> int | float:
    """Return dollars as a JSON number; a double prints two decimals exactly."""
    return int(amount) if amount == amount.to_integral_value() else float(amount)


def format_present_moment() -> str:
    """Return the present moment in the provider's format."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
