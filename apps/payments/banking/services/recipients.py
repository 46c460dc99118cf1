"""Recipients at the bank: POST /bank/recipients, and the job that saves them there.

Our row is written first, so that nothing is lost; a job saves it at the bank. A repeated recipient
is the same one.
"""

import json
import logging
import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from apps.payments.banking import encryption
from apps.payments.banking.clients import bank_api
from apps.payments.banking.clients.bank_api import BankNotConfigured, RefusedByBank
from apps.payments.banking.integrity import verify_rows
from apps.payments.banking.models import Recipient
from apps.payments.banking.record_transition import record_new_row, record_transition
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from apps.platform.common.problems import Conflict
from apps.platform.crypto import macs
from apps.platform.crypto.canonical import canonical_digest
from apps.platform.jobs import job_queue
from apps.platform.ledger.recorded_transitions import ConcurrentUpdate
from apps.platform.upstreams.http import UpstreamError

logger = logging.getLogger(__name__)
SAVE_JOB = "banking.save_recipient"
WIRE_METHOD = "internationalWire"


class RecipientDiffers(Conflict):
    """A recipient with this id was saved with other details."""

    code, title = "recipient_differs", "Recipient saved with other details"


def account_token(routing: str, account: str) -> str:
    """Return a keyed digest of an account at a bank, by which it is recognised."""
    return macs.keyed_digest(what="bank account", of=[routing, account])


def conclude_recipient(
    *, asked: Mapping[str, Any], gathered: Any, caller: Caller, now: datetime
) -> Answer:
    """Store a recipient and have it saved at the bank; see RecipientOut."""
    if not bank_api.is_bank_configured():
        raise BankNotConfigured("No bank is configured here, so nothing can be sent.")
    body = build_provider_body(asked)
    electronic = asked.get("electronic_routing_info")
    wire: Mapping[str, Any] = asked.get("international_wire_routing_info") or {}
    number = electronic["account_number"] if electronic else wire["iban"]
    routing = electronic["routing_number"] if electronic else wire["swift_code"]
    # ISO 13616: an IBAN begins with the country of the account
    country = electronic["address"]["country"] if electronic else number[:2]
    row = Recipient(
        # the caller's own id makes a repeat safe; without one each call is a new recipient
        recipient_id=asked.get("recipient_id") or uuid.uuid4(),
        owner=caller.ref,
        kind="ACH" if electronic else "WIRE",
        name=asked["name"],
        country=country,
        tail=number[-4:],
        token=account_token(routing, number),
        fingerprint=macs.keyed_digest(what="bank recipient", of=[canonical_digest(body)]),
        saved_at=now,
    )
    row.details = encryption.encrypt_bytes(json.dumps(body).encode(), bound=row.bound)
    recipient = Recipient.objects.filter(owner=caller.ref, recipient_id=row.recipient_id).first()
    if recipient is None:
        try:
            with transaction.atomic():
                record_new_row(row, "NEW", now=now)
            job_queue.enqueue_job(job=SAVE_JOB, key=str(row.pk), now=now)
            return Answer(serialize_recipient(row), status=201)
        except IntegrityError:
            # the same recipient at the same moment: the other one counts
            recipient = Recipient.objects.get(owner=caller.ref, recipient_id=row.recipient_id)
    if recipient.fingerprint != row.fingerprint:
        raise RecipientDiffers("A recipient with this recipientId was saved with other details.")
    return Answer(serialize_recipient(verify_rows([recipient])[0]), status=200)


def build_provider_body(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return a recipient as the bank's API takes it."""
    provider_body: dict[str, Any] = {"name": asked["name"], "emails": list(asked["emails"])}
    if electronic_routing_info := asked.get("electronic_routing_info"):
        provider_body["defaultPaymentMethod"] = asked.get("default_payment_method") or "ach"
        provider_body["electronicRoutingInfo"] = {
            "routingNumber": electronic_routing_info["routing_number"],
            "accountNumber": electronic_routing_info["account_number"],
            "electronicAccountType": electronic_routing_info["electronic_account_type"],
            "address": {
                "address1": electronic_routing_info["address"]["address1"],
                "city": electronic_routing_info["address"]["city"],
                "region": electronic_routing_info["address"].get("region", ""),
                "postalCode": electronic_routing_info["address"]["postal_code"],
                "country": electronic_routing_info["address"]["country"],
            },
        }
    elif wire := asked.get("international_wire_routing_info"):
        bank = wire.get("bank_details") or {}
        provider_body["defaultPaymentMethod"] = WIRE_METHOD
        provider_body["internationalWireRoutingInfo"] = {
            "iban": wire["iban"],
            "swiftCode": wire["swift_code"],
            "bankDetails": {
                "bankName": bank.get("bank_name", ""),
                "bankCityState": bank.get("bank_city_state", ""),
                "bankCountry": bank.get("bank_country", ""),
            },
        }
    return provider_body


def serialize_recipient(row: Recipient) -> dict[str, Any]:
    """Serialize a recipient, with only the last four characters of its account."""
    return {
        "id": str(row.recipient_id),
        "recipient_id": str(row.recipient_id),
        "name": row.name,
        "kind": row.kind,
        "account_ending": row.tail,
        "status": {"NEW": "PENDING"}.get(row.state, row.state),
        "saved_at": row.saved_at,
    }


def save_pending_recipient(key: str, now: datetime) -> None:
    """Save a recipient at the bank; the job `banking.save_recipient`, whose key is its number."""
    row = Recipient.objects.filter(pk=int(key or 0), state="NEW").first()
    if row is not None:
        ensure_recipient_saved(verify_rows([row])[0], now=now)


def ensure_recipient_saved(row: Recipient, *, now: datetime) -> bool:
    """Save a recipient at the bank unless it is saved; return whether it is; UpstreamError."""
    if row.state == "NEW":
        try:
            _save_at_bank(row, now=now)
        except ConcurrentUpdate:  # another run saved it concurrently: its result counts
            row.refresh_from_db()
            verify_rows([row])
    return row.state == "SAVED"


def _save_at_bank(row: Recipient, *, now: datetime) -> None:
    """Save a recipient at the bank, and note the outcome; UpstreamError, ConcurrentUpdate."""
    try:
        bank_id = bank_api.save_recipient(row.opened(), key=row.bank_key)
    except RefusedByBank as error:
        with transaction.atomic():
            record_transition(row, "REFUSED", now=now, facts={"status": error.status})
        return
    except UpstreamError as error:
        # not part of the proved row: it only says why it waits
        Recipient.objects.filter(pk=row.pk).update(trouble=str(error)[:300])
        raise
    with transaction.atomic():
        # a payment to an id that belongs to another row would go to the wrong recipient. With one
        # key the bank gives two runs the same id, so this row itself may have it by now
        if Recipient.objects.filter(bank_id=bank_id).exclude(pk=row.pk).exists():
            record_transition(row, "REFUSED", now=now, facts={"bankId": bank_id})
            logger.error("the bank saved %s by the id of another", row.subject)
        else:
            record_transition(row, "SAVED", now=now, bank_id=bank_id)
