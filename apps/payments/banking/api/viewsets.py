"""Viewsets of the banking connector (document 2 sections 2.5 and 4)."""

from functools import partial
from typing import Any

from django.http.response import HttpResponseBase
from rest_framework.request import Request

from apps.access.keys.models import KeyKind
from apps.compliance.aml.active_weights import WeightsIntegrityError
from apps.payments.banking import account_access
from apps.payments.banking.api.parsers import BankEventParser
from apps.payments.banking.authentication import HEADER
from apps.payments.banking.clients.bank_api import BankNotConfigured
from apps.payments.banking.integrity import BankRowIntegrityError
from apps.payments.banking.screening.recipients import RecipientUnreadable
from apps.payments.banking.selectors import bank_accounts, own_sends
from apps.payments.banking.serializers.accounts import (
    BankAccountsOut,
    BankTransactionsOut,
    BankTransactionsQuery,
)
from apps.payments.banking.serializers.payments import AchIn, AchOut, SendIn, SendOut, SendsOut
from apps.payments.banking.serializers.recipients import RecipientIn, RecipientOut
from apps.payments.banking.serializers.webhook import BankEventIn, WebhookOut
from apps.payments.banking.services import authorize_ach, create_send, receive_delivery, recipients
from apps.payments.chain.integrity import OrderIntegrityError
from apps.payments.payments.manifest import MANIFEST_HEADERS
from apps.payments.settlement import manifest
from apps.platform.api.operations import Access, PathParameter, operation
from apps.platform.api.pagination import PageQuery
from apps.platform.api.shapes import Identifier
from apps.platform.api.viewsets import OperationViewSet
from apps.platform.common.problems import NotFound
from apps.reference.watchlists.engine import ListsStale, ListsUnavailable

INSTITUTION = Access(keys=(KeyKind.INSTITUTION,))
# 503s of the checks: without their answer a payment is neither accepted nor refused
SCREENING_PROBLEMS = (
    ListsUnavailable,
    ListsStale,
    WeightsIntegrityError,
    RecipientUnreadable,
    BankRowIntegrityError,
)
RECIPIENT_EXAMPLE: dict[str, Any] = {
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


class BankWebhookViewSet(OperationViewSet):
    """Deliveries of the bank's webhook (document 2 section 2.5)."""

    parser_classes = (BankEventParser,)

    @operation(
        "bank-webhook",
        spec="2 §2.5",
        access=Access(signature=HEADER),
        request=BankEventIn,
        response=WebhookOut,
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
        idempotent=False,
        problems=(BankRowIntegrityError, OrderIntegrityError),
    )
    def create(self, request: Request) -> HttpResponseBase:
        """Accepts a delivery of the bank’s webhook, and routes payments that are tagged.

        `Bank-Signature` authenticates the raw body. A note with `svc:<wallet>`, or the metadata
        `svc_recipient` or `svc_route=true`, requests settlement; `destination_currency=EUR`
        requests EURC. The same `id` again returns the same answer. A payment that cannot be quoted
        now is `waiting` and tried again; `held` waits for an officer.
        """
        return self.run(
            receive_delivery.gather_delivery_checks,
            receive_delivery.conclude_delivery,
            receive_delivery.build_delivery_event,
        )


class BankRecipientViewSet(OperationViewSet):
    """Recipients of bank payments (document 2 section 2.5)."""

    @operation(
        "bank-recipients",
        spec="2 §2.5",
        access=INSTITUTION,
        request=RecipientIn,
        response=RecipientOut,
        example=RECIPIENT_EXAMPLE,
        statuses=(201, 200),
        problems=(BankNotConfigured, recipients.RecipientDiffers, BankRowIntegrityError),
    )
    def create(self, request: Request) -> HttpResponseBase:
        """Saves a recipient of ACH or international wires, here and at the bank.

        Payments refer to it by its id: routing numbers are sent only here, stored encrypted and
        never returned. The same `recipientId` with other details is 409.
        """
        return self.run(None, recipients.conclude_recipient)


class BankPaymentViewSet(OperationViewSet):
    """Payments by the bank (document 2 section 2.5)."""

    shared = {"spec": "2 §2.5", "access": INSTITUTION}
    path_parameters = {
        "payment_id": PathParameter(Identifier(), "The payment.", made_by=("bank-send", "id"))
    }

    @operation(
        "bank-send",
        request=SendIn,
        response=SendOut,
        example={
            "accountId": str(account_access.SANDBOX_ACCOUNT),
            "recipientId": RECIPIENT_EXAMPLE["recipientId"],
            "amount": 12.50,
            "paymentMethod": "ach",
            "note": "invoice 42",
        },
        statuses=(202, 200),
        example_after="bank-recipients",
        problems=(
            BankNotConfigured,
            NotFound,
            account_access.AccountNotYours,
            create_send.PaymentBlocked,
            create_send.RoutingWalletMissing,
            create_send.RecipientTakesWiresOnly,
            create_send.IdempotencyKeyReused,
            *SCREENING_PROBLEMS,
        ),
    )
    def create(self, request: Request) -> HttpResponseBase:
        """Sends money from an account at the bank to a saved recipient.

        It is PENDING until the bank has accepted it: repeating the `idempotencyKey` returns its
        current state, and never sends twice. A domestic wire needs a `purpose`; explain the
        categories Vendor, Contractor and Other in `additionalInfo`. `svcRoute` tags the payment for
        settlement.
        """
        return self.run(
            None,
            create_send.conclude_send,
            partial(create_send.build_send_request, header_key=_read_header_key(request)),
        )

    @operation("bank-payment", response=SendOut, problems=(NotFound, BankRowIntegrityError))
    def retrieve(self, request: Request, payment_id: str) -> HttpResponseBase:
        """Returns the current state of a bank payment.

        Messages of the bank's webhook change it: SETTLED, RETURNED or FAILED.
        """
        return self.run(None, own_sends.load_own_send)


class BankPaymentListViewSet(OperationViewSet):
    """The caller's payments by the bank (document 2 section 2.5)."""

    @operation(
        "bank-sends",
        spec="2 §2.5",
        access=INSTITUTION,
        request=PageQuery,
        response=SendsOut,
    )
    def list(self, request: Request) -> HttpResponseBase:
        """Lists your bank payments, newest first, page by page."""
        return self.run_list(
            own_sends.select_sends,
            partial(own_sends.serialize_verified_sends, owner=self.owner),
        )


class BankAccountViewSet(OperationViewSet):
    """Accounts at the bank (document 2 section 4)."""

    @operation(
        "bank-accounts",
        spec="2 §4 agent tools",
        access=INSTITUTION,
        response=BankAccountsOut,
        problems=(BankNotConfigured, bank_accounts.BankUnavailable),
    )
    def list(self, request: Request) -> HttpResponseBase:
        """Returns the accounts that you pay from, with their balances at the bank."""
        return self.run(None, bank_accounts.list_accounts)


class BankTransactionViewSet(OperationViewSet):
    """Statements of accounts at the bank (document 2 section 4)."""

    @operation(
        "bank-transactions",
        spec="2 §4 agent tools",
        access=INSTITUTION,
        request=BankTransactionsQuery,
        response=BankTransactionsOut,
        example={"limit": 20},
        problems=(
            BankNotConfigured,
            bank_accounts.BankUnavailable,
            account_access.AccountNotYours,
        ),
    )
    def list(self, request: Request) -> HttpResponseBase:
        """Returns a page of the statement of an account that you pay from.

        Covers the last thirty days unless `since` and `until` say otherwise.
        """
        return self.run(None, bank_accounts.list_statement_lines)


class ManifestViewSet(OperationViewSet):
    """The description of the service for programs (document 2 section 4)."""

    @operation(
        "manifest",
        spec="2 §4 agent tools",
        access=Access(open=True),
        response=manifest.SettlementManifestOut,
        response_headers=MANIFEST_HEADERS,
    )
    def list(self, request: Request) -> HttpResponseBase:
        """Describes this service for programs: what it settles, and its calls as tools. Free."""
        return self.run(None, manifest.conclude_manifest)


class AchAuthorizationViewSet(OperationViewSet):
    """Authorizations of ACH payments (document 2 section 2.5)."""

    @operation(
        "bank-ach-authorize",
        spec="2 §2.5",
        access=INSTITUTION,
        request=AchIn,
        response=AchOut,
        example={
            "recipientId": RECIPIENT_EXAMPLE["recipientId"],
            "amount": 25,
            "accountName": RECIPIENT_EXAMPLE["name"],
            "routingNumber": "021000021",
            "accountNumber": "1234567890",
            "memo": "invoice 42",
        },
        example_after="bank-recipients",
        problems=(
            BankNotConfigured,
            NotFound,
            authorize_ach.AchPaymentBlocked,
            account_access.AccountNotYours,
            create_send.RecipientTakesWiresOnly,
            create_send.IdempotencyKeyReused,
            *SCREENING_PROBLEMS,
        ),
    )
    def create(self, request: Request) -> HttpResponseBase:
        """Checks an ACH payment, and sends it unless a check objects.

        APPROVED is sent once; FLAGGED waits for an officer, who decides whether it is sent; BLOCKED
        is 403 and must not proceed. Send an `Idempotency-Key`: the same call again is the same
        payment.
        """
        return self.run(
            None,
            authorize_ach.conclude_ach_authorization,
            partial(authorize_ach.AchRequest, header_key=_read_header_key(request)),
        )


def _read_header_key(request: Request) -> str:
    """Return the Idempotency-Key, under which a payment is only ever sent once."""
    key: str = request.headers.get("Idempotency-Key", "").strip()
    return key
