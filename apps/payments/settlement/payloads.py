"""A settlement in the words of the API (document 2 section 2.4)."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from apps.payments.chain import orders
from apps.payments.chain.integrity import INTEGRITY_FAILED, OrderIntegrityError
from apps.payments.settlement import expected_transfer
from apps.payments.settlement.models import Settlement
from apps.payments.settlement.rules import messages
from apps.payments.settlement.rules.flow import BLOCKED_REASON
from apps.payments.settlement.rules.routes import NETWORK

PENDING = ("SEEN", "CONFIRMING", "CONFLICT")
SANDBOX = "sandbox"


def serialize_settlement(row: Settlement, now: datetime) -> dict[str, Any]:
    """Return the values of SettleOut; one query of the chain where a transfer is expected."""
    said: dict[str, Any] = {
        "settlement_id": row.settlement_id,
        "status": messages.API_STATUSES[row.state],
        "sandbox": row.sandbox,
        "amount": row.amount,
        "source_currency": row.source,
        "destination_currency": row.destination,
        "recipient_address": row.recipient,
        "asset": row.asset,
        "network": SANDBOX if row.sandbox else NETWORK,
        "decision": _decision_of(row),
        "checks": [_serialize_check(one) for one in row.found.get("told", ())],
        "submitted_at": row.asked_at,
    }
    if row.reference:
        said["reference_id"] = row.reference
    if row.settled_at is not None:
        said["settled_at"] = row.settled_at
    if row.price:
        said |= {"quote": _serialize_quote(row.price), "execution": _serialize_execution(row)}
    said |= _oracle_fields(row) | _state_fields(row)
    if not row.sandbox and row.price:
        said |= _transfer_fields(row)
    if row.state == "EXPIRED" or said.get("note") == messages.ENDED_NOTE:
        said.pop("execution", None)  # nobody is to execute it any more
    return said


def _decision_of(row: Settlement) -> str:
    if row.state == "BLOCKED":
        return "BLOCKED"
    return "HOLD" if row.state in ("HELD", "RELEASED") else "PROCEED"


def _state_fields(row: Settlement) -> dict[str, Any]:
    """Return what is told of a state: of BLOCKED one sentence, whatever blocked it."""
    if row.state == "BLOCKED":
        return {"block_reason": BLOCKED_REASON}
    notes = {"RELEASED": messages.RELEASED_NOTE, "AWAITING_SETTLEMENT": messages.EXECUTE_NOTE}
    rehearsed = messages.HELD_SANDBOX_NOTE if row.state == "HELD" else messages.SANDBOX_NOTE
    note = rehearsed if row.sandbox else notes.get(row.state, "")
    said = {"note": note} if note else {}
    return said | ({"reasoning": row.reasoning} if row.state == "HELD" else {})


def _oracle_fields(row: Settlement) -> dict[str, Any]:
    oracle = row.found.get("oracle", {})
    if not oracle:
        return {}
    return {"oracle_status": oracle["status"], "oracle_score": Decimal(oracle["score"])}


def _serialize_check(one: Mapping[str, Any]) -> dict[str, Any]:
    return dict(one) | {"checked_at": datetime.fromtimestamp(one["checked_at"], UTC)}


def _serialize_quote(price: Mapping[str, Any]) -> dict[str, Any]:
    crossed = {"destination_rate": price["assetRate"]} if "assetRate" in price else {}
    return crossed | {
        "quote_id": price["quoteId"],
        "fees_usd": dict(price["parts"]),
        "total_fee_usd": price["feeUsd"],
        "fee": price["fee"],
        "net": price["net"],
        "exchange_rate": price["rate"],
    }


def _serialize_execution(row: Settlement) -> dict[str, Any]:
    execution = expected_transfer.execution_of_settlement(row)
    return {
        "chain_id": execution.chain_id,
        "network": SANDBOX if row.sandbox else execution.network,
        "asset": execution.asset,
        "asset_address": execution.asset_address,
        "recipient": execution.recipient,
        "amount": format(execution.amount, "f"),
        "amount_minor": str(execution.amount_minor),
        "reference": execution.reference,
        "deadline": execution.deadline,
    }


def _transfer_fields(row: Settlement) -> dict[str, Any]:
    """Return how far the transfer is; one that was found and is not final is `confirming`.

    OrderIntegrityError (503) where the order was altered or is not there: it was made with the
    price.
    """
    try:
        transfer_status = orders.load_transfer_status(row.order_id)
    except orders.OrderNotFound:
        raise OrderIntegrityError(INTEGRITY_FAILED) from None
    told: dict[str, Any] = {
        "confirmations": transfer_status.confirmations,
        "needed": transfer_status.needed,
    }
    told |= {"tx_hash": transfer_status.tx_hash} if transfer_status.tx_hash else {}
    told |= {"note": transfer_status.why} if transfer_status.why else {}
    said: dict[str, Any] = {"confirmation": told}
    if row.state == "AWAITING_SETTLEMENT" and transfer_status.closed:
        said["note"] = messages.ENDED_NOTE
    if row.state == "AWAITING_SETTLEMENT" and transfer_status.state == "CONFIRMING":
        said["status"] = messages.CONFIRMING
    if row.state == "AWAITING_SETTLEMENT" and transfer_status.state == "CONFLICT":
        said["note"] = messages.UNCLEAR_NOTE
    return said
