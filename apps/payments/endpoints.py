"""The endpoints of payments (document 2 sections 2 and 4)."""

from typing import Any

from apps.access.models import Kind
from apps.callbacks.signing import HEADERS
from apps.chain.orders import TooManyHashes
from apps.chain.projection import OrderUnproved
from apps.core.endpoints import Access, CallsBack, Endpoint, Id
from apps.core.problems import NotFound
from apps.core.shapes import Identifier
from apps.payments import batches, manifest, rates, reads
from apps.payments.accepting import OwnWallet, ReferenceTaken
from apps.payments.addresses import BadCallback
from apps.payments.initiating import RailMissing, gather, initiate
from apps.payments.instructions import InstructionIn, instruction_of
from apps.payments.pain001 import formats
from apps.payments.projection import PaymentUnproved
from apps.payments.serializers import PaymentOut

SERVICE = "integration"
INSTITUTION = Access(keys=(Kind.INSTITUTION,))
EXAMPLE: dict[str, Any] = {
    "tmsReference": "INV-2026-0042",
    "amount": "250.00",
    "currency": "USD",
    "settlementAsset": "USDC",
    "creditor": {
        "name": "Blue Heron Stationery Limited",
        "walletAddress": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    },
    "debtor": {
        "name": "Microsoft Corporation",
        "lei": "INR2EJN1ERAN0W5ZP974",
        "walletAddress": "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    },
}

OUTCOME = CallsBack(
    field="callbackUrl",
    about="The payment at its end: SETTLED, BLOCKED or FAILED. Signed: docs/callbacks.md.",
    body=PaymentOut,
    headers=HEADERS,
)

ENDPOINTS = (
    Endpoint(
        name="payment-initiate",
        method="POST",
        path="payments/initiate",
        service=SERVICE,
        spec="2 §4",
        about="Takes a payment instruction: it is durable when this answers.\n\n"
        "The outcome comes by callback, or is asked for by id or reference. The same instruction "
        "again is the same payment (200); another one under its reference is refused (409).\n\n"
        "Messages of ISO 20022 (pain.001) are taken too, by their Content-Type: `application/xml`, "
        "or JSON with the header `Version: pain.001.001.09`. The answer to XML is pain.002, unless "
        "`Accept` asks for JSON; in JSON it is the payment with `file` and `unmapped` beside it, "
        "or for several transactions these two alone: docs/pain001.md.",
        access=INSTITUTION,
        readers={"application/json": formats.native},
        instead=formats.messages("payments/initiate", INSTITUTION),
        also=formats.XML_TYPES[:1],
        calls_back=OUTCOME,
        asks=InstructionIn,
        make=instruction_of,
        answers=PaymentOut,
        example=EXAMPLE,
        gather=gather,
        conclude=initiate,
        statuses=(202, 200),
        problems=(ReferenceTaken, BadCallback, OwnWallet, RailMissing, PaymentUnproved),
    ),
    Endpoint(
        name="payment-batch",
        method="POST",
        path="payments/batch",
        service=SERVICE,
        spec="2 §4",
        about="Takes one to fifty instructions, each judged alone.\n\n"
        "The answer has one item for each, in order: its payment, or its problem. One that is "
        "refused loses no other; a batch that is too long, or no batch, is refused whole.",
        access=INSTITUTION,
        readers={"application/json": formats.native},
        instead=formats.messages("payments/batch", INSTITUTION),
        also=formats.XML_TYPES[:1],
        asks=batches.BatchIn,
        make=batches.batch_of,
        answers=batches.BatchOut,
        example={"payments": [EXAMPLE | {"tmsReference": "INV-2026-0043"}]},
        gather=gather,
        conclude=batches.conclude,
        statuses=(202, 200),
        problems=(RailMissing,),
    ),
    Endpoint(
        name="payment-by-reference",
        method="GET",
        path="payments",
        service=SERVICE,
        spec="2 §4",
        about="Gives the payment of yours that bears a reference.",
        access=INSTITUTION,
        asks=reads.ReferenceQuery,
        answers=PaymentOut,
        example={"tmsReference": EXAMPLE["tmsReference"]},
        after="payment-initiate",
        conclude=reads.by_reference,
        problems=(NotFound, PaymentUnproved, OrderUnproved),
    ),
    Endpoint(
        name="payment-events",
        method="GET",
        path="payments/events",
        service=SERVICE,
        spec="D §4 Payment status",
        about="Lists what happened to your payments, in order, to catch up with it.\n\n"
        "Ask again with the `cursor` of the last answer: what committed later comes later.",
        access=INSTITUTION,
        asks=reads.EventsQuery,
        answers=reads.EventsOut,
        conclude=reads.events,
    ),
    Endpoint(
        name="payment",
        method="GET",
        path="payments/<str:payment_id>",
        service=SERVICE,
        spec="2 §4",
        about="Gives a payment of yours as it stands.",
        access=INSTITUTION,
        ids={
            "payment_id": Id(
                Identifier(), "The svcPaymentId.", made_by=("payment-initiate", "svcPaymentId")
            )
        },
        answers=PaymentOut,
        conclude=reads.by_id,
        problems=(NotFound, PaymentUnproved, OrderUnproved),
    ),
    Endpoint(
        name="payment-transaction",
        method="POST",
        path="payments/<str:payment_id>/transaction",
        service=SERVICE,
        spec="2 §4",
        about="Tells which transaction carries a payment that waits for its transfer.\n\n"
        "Nobody needs to: transfers are found by themselves. A hash says where to look, and which "
        "of several alike is meant; it proves nothing. Where no transfer is awaited nothing "
        "changes. The answer is the payment as it stands.",
        access=INSTITUTION,
        ids={
            "payment_id": Id(
                Identifier(), "The svcPaymentId.", made_by=("payment-initiate", "svcPaymentId")
            )
        },
        asks=reads.TransactionIn,
        answers=PaymentOut,
        example={"txHash": "0x" + "5a" * 32},
        idempotent=False,
        conclude=reads.transaction,
        problems=(NotFound, PaymentUnproved, OrderUnproved, TooManyHashes, reads.NoHash),
    ),
    Endpoint(
        name="rate",
        method="GET",
        path="rates/<str:currency>",
        service=SERVICE,
        spec="2 §4",
        about="Gives the reference rate by which a payment in a currency is valued now.",
        access=INSTITUTION,
        ids={"currency": Id(rates.CODE, "An ISO 4217 code of money.", example="EUR", owned=False)},
        answers=rates.RateOut,
        gather=rates.gather,
        conclude=rates.conclude,
        problems=(rates.RateUnavailable,),
    ),
    Endpoint(
        name="manifest",
        method="GET",
        path="manifest",
        service=SERVICE,
        spec="2 §4",
        about="Tells programs what this service takes, and its calls as tools. Free.",
        access=Access(open=True),
        answers=manifest.ManifestOut,
        conclude=manifest.conclude,
        headers=manifest.KEPT,
    ),
)
