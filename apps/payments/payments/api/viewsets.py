"""Viewsets of payments (document 2 sections 2 and 4)."""

from dataclasses import replace
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiCallback
from rest_framework.decorators import action
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from apps.access.keys.models import KeyKind
from apps.payments.callbacks.signatures import SIGNED_HEADERS
from apps.payments.chain.expected_transfers import TooManyHashes
from apps.payments.chain.integrity import OrderIntegrityError
from apps.payments.payments import batches, manifest, rates
from apps.payments.payments.api.parsers import (
    MESSAGE_PARSERS,
    VERSION,
    InstructionParser,
    MessageXMLParser,
    VersionMissing,
    is_iso20022_message,
)
from apps.payments.payments.callback_urls import CallbackUrlRefused
from apps.payments.payments.instructions import InstructionIn, build_instruction
from apps.payments.payments.integrity import PaymentIntegrityError
from apps.payments.payments.pain001.serializers import MessageIn, MessageOut
from apps.payments.payments.pain001.services.answer_message import answer_message
from apps.payments.payments.pain001.services.receive_message import (
    MessageBody,
    MessageIdTaken,
    MessageRefused,
    inspect_message,
)
from apps.payments.payments.selectors import own_payments
from apps.payments.payments.serializers import (
    EventsOut,
    EventsQuery,
    PaymentOut,
    ReferenceQuery,
    TransactionIn,
)
from apps.payments.payments.services.accept_payment import OwnWallet, ReferenceTaken
from apps.payments.payments.services.initiate_payment import (
    RailMissing,
    initiate_payment,
    require_settlement_rail,
)
from apps.payments.payments.services.note_transaction import (
    InvalidTransactionHash,
    note_payment_transaction,
)
from apps.platform.api.operations import Access, Operation, PathParameter, operation
from apps.platform.api.shapes import Identifier
from apps.platform.api.viewsets import OperationViewSet
from apps.platform.common.problems import NotFound

INSTITUTION = Access(keys=(KeyKind.INSTITUTION,))
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

OUTCOME = OpenApiCallback(
    "callbackUrl",
    "{$request.body#/callbackUrl}",
    {
        "post": {
            "summary": "The final state of the payment: SETTLED, BLOCKED or FAILED. Signed: "
            "docs/callbacks.md.",
            "parameters": [
                {
                    "name": name,
                    "in": "header",
                    "required": True,
                    "description": about,
                    "schema": {"type": "string"},
                }
                for name, about in SIGNED_HEADERS.items()
            ],
            "requestBody": {
                "required": True,
                "content": {
                    "application/json": {
                        "schema": {"$ref": f"#/components/schemas/{PaymentOut.__name__}"}
                    }
                },
            },
            "responses": {"2XX": {"description": "Delivered; the body is not needed."}},
        }
    },
)


class PaymentViewSet(OperationViewSet):
    """Payments and their instructions (document 2 section 4)."""

    shared = {"access": INSTITUTION}
    path_parameters = {
        "payment_id": PathParameter(
            Identifier(), "The svcPaymentId.", made_by=("payment-initiate", "svcPaymentId")
        )
    }

    def select_operation(self, request: HttpRequest, declared: Operation) -> Operation:
        """Return the operation as a message of ISO 20022 calls it, where the request is one."""
        if declared.name not in ("payment-initiate", "payment-batch") or not is_iso20022_message(
            request
        ):
            return declared
        return replace(
            declared,
            name="payment-message",
            request=MessageIn,
            response=MessageOut,
            # a message may hold thousands of transactions, and its bytes are kept
            max_body=settings.PAYMENT_FILE_MAX,
            query_parameters=frozenset({VERSION}),
            problems=(MessageRefused, MessageIdTaken, VersionMissing, PaymentIntegrityError),
        )

    def get_parsers(self) -> list[BaseParser]:
        is_message = hasattr(self, "operation") and self.operation.name == "payment-message"
        return [parser() for parser in MESSAGE_PARSERS] if is_message else super().get_parsers()

    def take_message(self) -> HttpResponseBase:
        """Take a message of pain.001 (document 2 section 1)."""
        return self.run(inspect_message, answer_message, require_message_body)

    @action(detail=False, methods=["post"], parser_classes=(InstructionParser, MessageXMLParser))
    @operation(
        "payment-initiate",
        spec="2 §4",
        callbacks=(OUTCOME,),
        request=InstructionIn,
        response=PaymentOut,
        example=EXAMPLE,
        statuses=(202, 200),
        problems=(
            ReferenceTaken,
            CallbackUrlRefused,
            OwnWallet,
            RailMissing,
            PaymentIntegrityError,
        ),
    )
    def initiate(self, request: Request) -> HttpResponseBase:
        """Accepts a payment instruction, which is stored durably when this answers.

        The outcome arrives by callback, or can be requested by id or reference. The same
        instruction again is the same payment (200); a different one under its reference is refused
        (409). Messages of ISO 20022 (pain.001) are accepted too, by their Content-Type:
        `application/xml`, or JSON with the header `Version: pain.001.001.09`. The answer to XML is
        pain.002, unless `Accept` requests JSON; in JSON it is the payment plus `file` and
        `unmapped`, or for several transactions only these two: docs/pain001.md.
        """
        if is_iso20022_message(request._request):
            return self.take_message()
        return self.run(require_settlement_rail, initiate_payment, build_instruction)

    @action(detail=False, methods=["post"], parser_classes=(InstructionParser, MessageXMLParser))
    @operation(
        "payment-batch",
        spec="2 §4",
        request=batches.BatchIn,
        response=batches.BatchOut,
        example={"payments": [EXAMPLE | {"tmsReference": "INV-2026-0043"}]},
        statuses=(202, 200),
        problems=(RailMissing,),
    )
    def batch(self, request: Request) -> HttpResponseBase:
        """Accepts one to fifty instructions, each judged on its own.

        The answer has one item for each, in order: its payment, or its problem. A refused
        instruction does not affect the others; a batch that is too long, or not a batch, is refused
        as a whole.
        """
        if is_iso20022_message(request._request):
            return self.take_message()
        return self.run(require_settlement_rail, batches.accept_batch, batches.build_batch_items)

    @operation(
        "payment-by-reference",
        spec="2 §4",
        request=ReferenceQuery,
        response=PaymentOut,
        example={"tmsReference": EXAMPLE["tmsReference"]},
        example_after="payment-initiate",
        problems=(NotFound, PaymentIntegrityError, OrderIntegrityError),
    )
    def list(self, request: Request) -> HttpResponseBase:
        """Returns your payment with a given reference."""
        return self.run(None, own_payments.read_payment_by_reference)

    @action(detail=False)
    @operation(
        "payment-events",
        spec="D §4 Payment status",
        request=EventsQuery,
        response=EventsOut,
    )
    def events(self, request: Request) -> HttpResponseBase:
        """Lists what happened to your payments, in order, so that you can catch up.

        Call it again with the `cursor` of the last answer: events that are committed later appear
        later.
        """
        return self.run(None, own_payments.read_payment_events)

    @operation(
        "payment",
        spec="2 §4",
        response=PaymentOut,
        problems=(NotFound, PaymentIntegrityError, OrderIntegrityError),
    )
    def retrieve(self, request: Request, payment_id: str) -> HttpResponseBase:
        """Returns the current state of one of your payments."""
        return self.run(None, own_payments.read_payment)

    @action(detail=True, methods=["post"])
    @operation(
        "payment-transaction",
        spec="2 §4",
        request=TransactionIn,
        response=PaymentOut,
        example={"txHash": "0x" + "5a" * 32},
        idempotent=False,
        problems=(
            NotFound,
            PaymentIntegrityError,
            OrderIntegrityError,
            TooManyHashes,
            InvalidTransactionHash,
        ),
    )
    def transaction(self, request: Request, payment_id: str) -> HttpResponseBase:
        """Names the transaction that carries a payment waiting for its transfer.

        This is optional: transfers are found automatically. A hash says where to look, and which of
        several identical transfers is meant; it proves nothing. If no transfer is awaited, nothing
        changes. The answer is the current state of the payment.
        """
        return self.run(None, note_payment_transaction)


def require_message_body(*, body: Any) -> MessageBody:
    """Return the message that came; MessageRefused (400) for no body at all."""
    # an empty request has no bytes to read
    if not isinstance(body, MessageBody):
        raise MessageRefused("The request has no body.")
    return body


class ReferenceRateViewSet(OperationViewSet):
    """Reference rates of currencies (document 2 section 4)."""

    path_parameters = {
        "currency": PathParameter(
            rates.CURRENCY_FIELD, "An ISO 4217 currency code.", example="EUR", owned=False
        )
    }

    @operation(
        "rate",
        spec="2 §4",
        access=INSTITUTION,
        response=rates.RateOut,
        problems=(rates.RateUnavailable,),
    )
    def retrieve(self, request: Request, currency: str) -> HttpResponseBase:
        """Returns the reference rate at which a payment in a currency is valued now."""
        return self.run(rates.load_reference_rate, rates.serialize_reference_rate)


class ManifestViewSet(OperationViewSet):
    """The description of the service for programs (document 2 section 4)."""

    @operation(
        "manifest",
        spec="2 §4",
        access=Access(open=True),
        response=manifest.ManifestOut,
        response_headers=manifest.MANIFEST_HEADERS,
    )
    def list(self, request: Request) -> HttpResponseBase:
        """Describes this service for programs: what it accepts, and its calls as tools. Free."""
        return self.run(None, manifest.build_manifest)
