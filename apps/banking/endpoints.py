"""The endpoints of the banking connector (document 2 sections 2.5 and 4)."""

from typing import Any

from apps.access.models import Kind
from apps.aml.weighing import WeightsUnproved
from apps.banking import ach, reads, receiving, recipients, sends, tools
from apps.banking.adapter import NoBank
from apps.banking.projection import BankRowUnproved
from apps.banking.screens import DetailsUnreadable
from apps.banking.serializers.accounts import (
    BankAccountsOut,
    BankTransactionsOut,
    BankTransactionsQuery,
)
from apps.banking.serializers.payments import AchIn, AchOut, SendIn, SendOut, SendsOut
from apps.banking.serializers.recipients import RecipientIn, RecipientOut
from apps.banking.serializers.telling import BankEventIn, WebhookOut, body
from apps.chain.projection import OrderUnproved
from apps.core.endpoints import Access, Endpoint, Head, Id
from apps.core.idempotency import LONGEST_KEY
from apps.core.pagination import PageQuery
from apps.core.problems import NotFound
from apps.core.shapes import Identifier
from apps.payments.manifest import KEPT
from apps.watchlists.engine import ListsStale, ListsUnavailable

SERVICE = "settlement"
INSTITUTION = Access(keys=(Kind.INSTITUTION,))
KEY = {"header_key": Head("Idempotency-Key", "The same is one payment.", LONGEST_KEY)}
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
        gather=receiving.gather,
        conclude=receiving.conclude,
        idempotent=False,
        problems=(BankRowUnproved, OrderUnproved),
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
        heads=KEY,
        conclude=sends.conclude,
        statuses=(202, 200),
        after="bank-recipients",
        problems=(
            NoBank,
            NotFound,
            sends.AccountNotYours,
            sends.MayNotSend,
            sends.NoRoute,
            sends.WiresAlone,
            sends.KeyReused,
            ListsUnavailable,
            ListsStale,
            WeightsUnproved,
            DetailsUnreadable,
            BankRowUnproved,
        ),
    ),
    Endpoint(
        name="bank-sends",
        method="GET",
        path="bank/sends",
        service=SERVICE,
        spec="2 §2.5",
        about="Lists your payments by the bank, newest first, page by page.",
        access=INSTITUTION,
        asks=PageQuery,
        answers=SendsOut,
        conclude=reads.listed,
    ),
    Endpoint(
        name="bank-payment",
        method="GET",
        path="bank/send/<str:payment_id>",
        service=SERVICE,
        spec="2 §2.5",
        about="Gives a payment by the bank as it stands.\n\n"
        "What the bank tells by its webhook moves it: SETTLED, RETURNED or FAILED.",
        access=INSTITUTION,
        ids={"payment_id": Id(Identifier(), "The payment.", made_by=("bank-send", "id"))},
        answers=SendOut,
        conclude=reads.by_id,
        problems=(NotFound, BankRowUnproved),
    ),
    Endpoint(
        name="bank-accounts",
        method="GET",
        path="bank/accounts",
        service=SERVICE,
        spec="2 §4 agent tools",
        about="Gives the accounts that you pay from, with their balances, as the bank has them.",
        access=INSTITUTION,
        answers=BankAccountsOut,
        conclude=reads.accounts,
        problems=(NoBank, reads.BankSilent),
    ),
    Endpoint(
        name="bank-transactions",
        method="GET",
        path="bank/transactions",
        service=SERVICE,
        spec="2 §4 agent tools",
        about="Gives a page of the statement of an account that you pay from.\n\n"
        "The last thirty days unless `since` and `until` say otherwise.",
        access=INSTITUTION,
        asks=BankTransactionsQuery,
        answers=BankTransactionsOut,
        example={"limit": 20},
        conclude=reads.transactions,
        problems=(NoBank, reads.BankSilent, sends.AccountNotYours),
    ),
    Endpoint(
        name="manifest",
        method="GET",
        path="manifest",
        service=SERVICE,
        spec="2 §4 agent tools",
        about="Tells programs what this service settles, and its calls as tools. Free.",
        access=Access(open=True),
        answers=tools.SettlementManifestOut,
        conclude=tools.conclude,
        headers=KEPT,
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
        heads=KEY,
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
            sends.WiresAlone,
            sends.KeyReused,
            ListsUnavailable,
            ListsStale,
            WeightsUnproved,
            DetailsUnreadable,
            BankRowUnproved,
        ),
    ),
)
