"""The endpoints of the banking connector (document 2 sections 2.5 and 4)."""

from typing import Any

from apps.access.models import Kind
from apps.aml.weighing import WeightsUnproved
from apps.banking import ach, receiving, recipients, sends
from apps.banking.adapter import NoBank
from apps.banking.projection import BankRowUnproved
from apps.banking.serializers import (
    AchIn,
    AchOut,
    BankEventIn,
    RecipientIn,
    RecipientOut,
    SendIn,
    SendOut,
    WebhookOut,
    body,
)
from apps.core.endpoints import Access, Endpoint
from apps.core.problems import NotFound
from apps.watchlists.engine import ListsStale, ListsUnavailable

SERVICE = "settlement"
INSTITUTION = Access(keys=(Kind.INSTITUTION,))
RECIPIENT: dict[str, Any] = {
    "recipientId": "0b6f2f0a-4a3e-4f4b-9d5e-2f7c1a9b8e10",
    "name": "Blue Heron Stationery Limited",
    "emails": ["ap@example.com"],
    "electronicRoutingInfo": {
        "routingNumber": "021000021",
        "accountNumber": "1234567890",
        "electronicAccountType": "businessChecking",
        "address": {
            "address1": "1 Main Street",
            "city": "New York",
            "region": "NY",
            "postalCode": "10001",
            "country": "US",
        },
    },
}

ENDPOINTS = (
    Endpoint(
        name="bank-webhook",
        method="POST",
        path="bank-webhook",
        service=SERVICE,
        spec="2 §2.5",
        about="Takes a delivery of the bank’s webhook, and routes payments that are tagged.\n\n"
        "`Bank-Signature` proves the raw body. A note with `svc:<wallet>`, or the metadata "
        "`svc_recipient` or `svc_route=true`, asks for settlement; `destination_currency=EUR` for "
        "EURC. The same `id` again is answered the same. What cannot be quoted now is `waiting` "
        "and tried again; `held` waits for an officer.",
        access=Access(bank=True),
        asks=BankEventIn,
        make=receiving.make,
        answers=WebhookOut,
        example={
            "id": "5a1f6a0e-6f4b-4f0e-9d6a-0b8a3a1c9d11",
            "resourceType": "transaction",
            "resourceId": "1d3042b6-af63-4f0e-89d2-3503f2fcfef7",
            "operationType": "create",
            "resourceVersion": 1,
            "occurredAt": "2026-11-20T12:00:00Z",
            "changedPaths": ["amount", "status", "note"],
            "mergePatch": {
                "amount": 125.50,
                "status": "sent",
                "note": "invoice 42 svc:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            },
            "previousValues": {},
        },
        readers={"application/json": body},
        conclude=receiving.conclude,
        idempotent=False,
        problems=(BankRowUnproved,),
    ),
    Endpoint(
        name="bank-recipients",
        method="POST",
        path="bank/recipients",
        service=SERVICE,
        spec="2 §2.5",
        about="Saves a recipient, of ACH or of international wires, here and at the bank.\n\n"
        "Payments name it by its id: routing numbers are given here alone, kept encrypted and not "
        "told again. The same `recipientId` with other details is 409.",
        access=INSTITUTION,
        asks=RecipientIn,
        answers=RecipientOut,
        example=RECIPIENT,
        conclude=recipients.conclude,
        statuses=(201, 200),
        problems=(NoBank, recipients.RecipientDiffers, BankRowUnproved),
    ),
    Endpoint(
        name="bank-send",
        method="POST",
        path="bank/send",
        service=SERVICE,
        spec="2 §2.5",
        about="Sends money from an account at the bank to a saved recipient.\n\n"
        "It is PENDING until the bank has taken it: the same `idempotencyKey` again tells how it "
        "stands, and never sends twice. A domestic wire says its `purpose`; the categories Vendor, "
        "Contractor and Other are explained in `additionalInfo`. `svcRoute` tags the payment for "
        "settlement.",
        access=INSTITUTION,
        asks=SendIn,
        make=sends.make,
        answers=SendOut,
        example={
            "accountId": str(sends.SANDBOX_ACCOUNT),
            "recipientId": RECIPIENT["recipientId"],
            "amount": 12.50,
            "paymentMethod": "ach",
            "note": "invoice 42",
        },
        conclude=sends.conclude,
        statuses=(202, 200),
        after="bank-recipients",
        problems=(
            NoBank,
            NotFound,
            sends.AccountNotYours,
            sends.MayNotSend,
            sends.NoRoute,
            sends.KeyReused,
            ListsUnavailable,
            ListsStale,
            BankRowUnproved,
        ),
    ),
    Endpoint(
        name="bank-ach-authorize",
        method="POST",
        path="bank/ach-authorize",
        service=SERVICE,
        spec="2 §2.5",
        about="Judges an ACH payment, and has it sent where nothing stands against it.\n\n"
        "APPROVED is sent once; FLAGGED waits for an officer, who has it sent or not; BLOCKED is "
        "403 and must not proceed. Send an `Idempotency-Key`: the same call again is the same "
        "payment.",
        access=INSTITUTION,
        asks=AchIn,
        make=ach.Asked,
        answers=AchOut,
        example={
            "recipientId": RECIPIENT["recipientId"],
            "amount": 25,
            "accountName": RECIPIENT["name"],
            "routingNumber": "021000021",
            "accountNumber": "1234567890",
            "memo": "invoice 42",
        },
        conclude=ach.conclude,
        after="bank-recipients",
        problems=(
            NoBank,
            NotFound,
            ach.AchBlocked,
            sends.AccountNotYours,
            ListsUnavailable,
            ListsStale,
            WeightsUnproved,
            BankRowUnproved,
        ),
    ),
)
