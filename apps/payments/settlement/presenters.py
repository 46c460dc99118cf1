"""A settlement in the words of the API (document 2 section 2.4)."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from apps.payments.chain import expected_transfers
from apps.payments.chain.integrity import INTEGRITY_FAILED, OrderIntegrityError
from apps.payments.settlement import expected_transfer
from apps.payments.settlement.models import Settlement
from apps.payments.settlement.rules import status_notes
from apps.payments.settlement.rules.flow import BLOCKED_REASON
from apps.payments.settlement.rules.payout_stablecoins import NETWORK

PENDING = ("SEEN", "CONFIRMING", "CONFLICT")
SANDBOX = "sandbox"


def serialize_settlement(row: Settlement, now: datetime) -> dict[str, Any]:
    """Return the values of SettleOut; one query of the chain where a transfer is expected."""
    # by the state and not by the checks: an officer may have rejected what they only held
    if row.state == "BLOCKED":
        decision = "BLOCKED"
    else:
        decision = "HOLD" if row.state in ("HELD", "RELEASED") else "PROCEED"
    payload: dict[str, Any] = {
        "settlement_id": row.settlement_id,
        "status": status_notes.API_STATUSES[row.state],
        "sandbox": row.sandbox,
        "amount": row.amount,
        "source_currency": row.source,
        "destination_currency": row.destination,
        "recipient_address": row.recipient,
        "asset": row.asset,
        "network": SANDBOX if row.sandbox else NETWORK,
        "decision": decision,
        "checks": [_serialize_check(check) for check in row.found.get("told", ())],
        "submitted_at": row.asked_at,
    }
    if row.reference:
        payload["reference_id"] = row.reference
    if row.settled_at is not None:
        payload["settled_at"] = row.settled_at
    if row.price:
        price = row.price
        crossed = {"destination_rate": price["assetRate"]} if "assetRate" in price else {}
        payload |= {
            "quote": crossed
            | {
                "quote_id": price["quoteId"],
                "fees_usd": dict(price["parts"]),
                "total_fee_usd": price["feeUsd"],
                "fee": price["fee"],
                "net": price["net"],
                "exchange_rate": price["rate"],
            },
            "execution": _serialize_execution(row),
        }
    # empty if the oracle did not answer
    oracle = row.found.get("oracle", {})
    oracle_fields = (
        {}
        if not oracle
        else {"oracle_status": oracle["status"], "oracle_score": Decimal(oracle["score"])}
    )
    payload |= oracle_fields | _state_fields(row)
    if not row.sandbox and row.price:
        payload |= _transfer_fields(row)
    if row.state == "EXPIRED" or payload.get("note") == status_notes.ENDED_NOTE:
        payload.pop("execution", None)  # it must not be executed any more
    return payload


def _state_fields(row: Settlement) -> dict[str, Any]:
    """Return the public fields of a state: BLOCKED has one sentence, whatever blocked it."""
    if row.state == "BLOCKED":
        return {"block_reason": BLOCKED_REASON}
    notes = {
        "RELEASED": status_notes.RELEASED_NOTE,
        "AWAITING_SETTLEMENT": status_notes.EXECUTE_NOTE,
    }
    rehearsed = status_notes.HELD_SANDBOX_NOTE if row.state == "HELD" else status_notes.SANDBOX_NOTE
    note = rehearsed if row.sandbox else notes.get(row.state, "")
    note_fields = {"note": note} if note else {}
    return note_fields | ({"reasoning": row.reasoning} if row.state == "HELD" else {})


def _serialize_check(payload: Mapping[str, Any]) -> dict[str, Any]:
    return dict(payload) | {"checked_at": datetime.fromtimestamp(payload["checked_at"], UTC)}


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
    """Return the transfer's progress; found but not yet final is `confirming`.

    Raises OrderIntegrityError (503) if the order was altered or is missing: it was made with the
    price.
    """
    try:
        transfer_status = expected_transfers.load_transfer_status(row.order_id)
    except expected_transfers.OrderNotFound:
        raise OrderIntegrityError(INTEGRITY_FAILED) from None
    transfer: dict[str, Any] = {
        "confirmations": transfer_status.confirmations,
        "needed": transfer_status.needed,
    }
    transfer |= {"tx_hash": transfer_status.tx_hash} if transfer_status.tx_hash else {}
    transfer |= {"note": transfer_status.why} if transfer_status.why else {}
    transfer_fields: dict[str, Any] = {"confirmation": transfer}
    if row.state == "AWAITING_SETTLEMENT" and transfer_status.closed:
        transfer_fields["note"] = status_notes.ENDED_NOTE
    if row.state == "AWAITING_SETTLEMENT" and transfer_status.state == "CONFIRMING":
        # not a state of the table: only the answer has it, while the chain may still drop the
        # transfer
        transfer_fields["status"] = status_notes.CONFIRMING
    if row.state == "AWAITING_SETTLEMENT" and transfer_status.state == "CONFLICT":
        transfer_fields["note"] = status_notes.UNCLEAR_NOTE
    return transfer_fields
