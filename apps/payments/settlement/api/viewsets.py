"""Viewsets of the settlement agent (document 2 sections 2.4 and 4)."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from apps.access.keys.authentication import MissingKey
from apps.access.keys.models import KeyKind
from apps.compliance.agents.credentials import HEADER, LONGEST, agent_id_of_credential
from apps.compliance.agents.problems import AgentRevoked, CredentialExpired, CredentialInvalid
from apps.insight.stability.fees.services import quotes
from apps.payments.chain.expected_transfers import TooManyHashes
from apps.payments.chain.integrity import OrderIntegrityError
from apps.payments.settlement import flow_check, settlement_authorization
from apps.payments.settlement.institution_access.selectors import AccessIntegrityError
from apps.payments.settlement.integrity import SettlementIntegrityError
from apps.payments.settlement.requests import parse_settlement_request
from apps.payments.settlement.selectors import own_settlements
from apps.payments.settlement.serializers import (
    FlowOut,
    FlowQuery,
    SettleIn,
    SettleOut,
    TransactionIn,
)
from apps.payments.settlement.services import agent_mandates, note_transaction, settle
from apps.payments.settlement.services.pricing import RateNotHeld
from apps.platform.api.operations import Access, PathParameter, operation
from apps.platform.api.shapes import Text
from apps.platform.api.viewsets import OperationViewSet
from apps.platform.common.problems import NotFound

WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
FLOW: Mapping[str, Any] = {"amount": 100, "from": "USD", "to": "USD", "recipientAddress": WALLET}
SETTLE: Mapping[str, Any] = {
    "amount": 100,
    "sourceCurrency": "USD",
    "destinationCurrency": "USD",
    "recipientAddress": WALLET,
    "sandbox": True,
}


class FlowCheckViewSet(OperationViewSet):
    """Whether a settlement may proceed (document 2 section 2.4)."""

    @operation(
        "flow-check",
        spec="2 §2.4",
        access=Access(open=True),
        request=FlowQuery,
        response=FlowOut,
        example=FLOW,
    )
    def list(self, request: Request) -> HttpResponseBase:
        """Says whether a settlement may proceed. Free, and without a key.

        AML, sanctions, FATF R.16, ESG, routing and stability are checked in parallel. PROCEED means
        that all passed; HOLD and BLOCKED say why. A check that could not run is HOLD.
        """
        return self.run(
            flow_check.run_cached_flow_check,
            flow_check.answer_flow_check,
            flow_check.parse_flow_request,
        )


class SettlementViewSet(OperationViewSet):
    """Settlements (document 2 section 2.4)."""

    path_parameters = {
        "settlement_id": PathParameter(
            Text(max_length=80),
            "The settlementId.",
            made_by=("settle", "settlementId"),
            made_with={"referenceId": "INV-2026-0042"},
            # whoever knows the id of a rehearsal may read it
            owned=False,
        )
    }

    @operation(
        "settle",
        spec="2 §2.4",
        access=Access(open=True, may=(KeyKind.INSTITUTION,)),
        request=SettleIn,
        header_parameters=(
            OpenApiParameter(
                HEADER,
                str,
                OpenApiParameter.HEADER,
                description="The credential of the agent that settles; its mandate applies.",
            ),
        ),
        response=SettleOut,
        example=SETTLE,
        statuses=(201, 200),
        problems=(
            settlement_authorization.NotApproved,
            settlement_authorization.WalletNotListed,
            agent_mandates.MandateRefused,
            MissingKey,
            CredentialInvalid,
            CredentialExpired,
            AgentRevoked,
            settle.ReferenceTaken,
            settle.SettlementInProgress,
            quotes.QuoteUnknown,
            quotes.QuoteExpired,
            quotes.QuoteUsed,
            quotes.QuoteOfAnother,
            RateNotHeld,
            AccessIntegrityError,
            SettlementIntegrityError,
            OrderIntegrityError,
        ),
    )
    def create(self, request: Request) -> HttpResponseBase:
        """Settles: checks, prices, and returns what is needed to execute the transfer.

        With `sandbox` true nothing is transferred and no key is needed. In production an approved
        institution executes the transfer itself, from an approved wallet; the platform holds no
        funds. Resubmit a held settlement under the same `referenceId`: docs/settlement.md.
        """
        return self.run(
            settle.gather_settlement_inputs,
            settle.settle_or_resubmit,
            partial(parse_settlement_request, agent_credential=self.agent_credential),
        )

    @property
    def agent_credential(self) -> str:
        """The credential that came with the call, or an empty text."""
        # bounded before its signature is verified
        credential: str = self.request.headers.get(HEADER, "").strip()
        if len(credential) > LONGEST:
            raise ValidationError({HEADER: [f"This has more than {LONGEST} characters."]})
        return credential

    def identify_headers(self) -> dict[str, str]:
        """Return the agent that settles, as part of what identifies a request."""
        # for Idempotency-Key: a credential lives for an hour, and the same agent's next one must
        # not make another request of the same body
        if self.action != "create" or not self.agent_credential:
            return {}
        return {"agent_credential": agent_id_of_credential(self.agent_credential, self.now)}

    @operation(
        "settlement",
        spec="2 §2.4",
        access=Access(open=True, may=(KeyKind.INSTITUTION,)),
        response=SettleOut,
        problems=(NotFound, SettlementIntegrityError, OrderIntegrityError),
    )
    def retrieve(self, request: Request, settlement_id: str) -> HttpResponseBase:
        """Returns the current state of a settlement: your own, or a rehearsal by its id."""
        return self.run(None, own_settlements.read_settlement)

    @action(detail=True, methods=["post"])
    @operation(
        "settlement-transaction",
        spec="D §4 Settlement rails",
        access=Access(keys=(KeyKind.INSTITUTION,)),
        request=TransactionIn,
        response=SettleOut,
        example={"txHash": f"0x{'ab' * 32}"},
        problems=(
            NotFound,
            note_transaction.NoTransferExpected,
            note_transaction.InvalidTransactionHash,
            SettlementIntegrityError,
            OrderIntegrityError,
            TooManyHashes,
        ),
    )
    def transaction(self, request: Request, settlement_id: str) -> HttpResponseBase:
        """Accepts the hash of the transaction that executes a settlement.

        The hash only says where to look and proves nothing: the settlement is settled once the
        transfer is final on the chain, whether or not its hash was reported.
        """
        return self.run(None, note_transaction.note_settlement_transaction)
