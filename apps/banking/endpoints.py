"""The endpoints of the banking connector (document 2 sections 2.5 and 4)."""

from apps.banking import receiving
from apps.banking.projection import BankRowUnproved
from apps.banking.serializers import BankEventIn, WebhookOut, body
from apps.core.endpoints import Access, Endpoint

SERVICE = "settlement"

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
)
