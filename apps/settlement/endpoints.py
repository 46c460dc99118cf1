"""The endpoints of the settlement agent (document 2 sections 2.4 and 4)."""

from collections.abc import Mapping
from typing import Any

from apps.access.gates import MissingKey
from apps.access.models import Kind
from apps.agents.credentials import HEADER, LONGEST, bearer
from apps.agents.problems import AgentRevoked, CredentialExpired, CredentialInvalid
from apps.chain.orders import TooManyHashes
from apps.chain.projection import OrderUnproved
from apps.core.endpoints import Access, Endpoint, Head, Id
from apps.core.problems import NotFound
from apps.core.shapes import Text
from apps.settlement import asking, entitling, flow, reads
from apps.settlement.access.looking import AccessUnproved
from apps.settlement.pricing import NoRate
from apps.settlement.projection import SettlementUnproved
from apps.settlement.serializers import FlowOut, FlowQuery, SettleIn, SettleOut, TransactionIn
from apps.settlement.wanted import wanted
from apps.stability.fees import quoting

SERVICE = "settlement"
WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
FLOW: Mapping[str, Any] = {"amount": 100, "from": "USD", "to": "USD", "recipientAddress": WALLET}
SETTLE: Mapping[str, Any] = {
    "amount": 100,
    "sourceCurrency": "USD",
    "destinationCurrency": "USD",
    "recipientAddress": WALLET,
    "sandbox": True,
}
MADE = {
    "settlement_id": Id(
        Text(max_length=80),
        "The settlementId.",
        made_by=("settle", "settlementId"),
        made_with={"referenceId": "INV-2026-0042"},
        owned=False,
    )
}

ENDPOINTS = (
    Endpoint(
        name="flow-check",
        method="GET",
        path="flow-check",
        service=SERVICE,
        spec="2 §2.4",
        about="Tells whether a settlement may proceed. Free, and without a key.\n\n"
        "AML, sanctions, FATF R.16, ESG, routing and stability are checked side by side. PROCEED "
        "means that all passed; HOLD and BLOCKED say why. A check that could not run is HOLD.",
        access=Access(open=True),
        asks=FlowQuery,
        make=flow.asked_of,
        answers=FlowOut,
        example=FLOW,
        gather=flow.glance,
        conclude=flow.conclude,
    ),
    Endpoint(
        name="settle",
        method="POST",
        path="settle",
        service=SERVICE,
        spec="2 §2.4",
        about="Settles: checks, prices, and says what executes the transfer.\n\n"
        "With `sandbox` true nothing is transferred and no key is needed. In production an "
        "institution that was approved executes the transfer itself, from a wallet that was "
        "approved too; nobody's funds are held here. What is held is sent again under the same "
        "`referenceId`: docs/settlement.md.",
        access=Access(open=True, may=(Kind.INSTITUTION,)),
        asks=SettleIn,
        make=wanted,
        heads={
            "agent_credential": Head(
                HEADER,
                "The credential of the agent that settles: its mandate holds.",
                LONGEST,
                stands_for=bearer,
            )
        },
        answers=SettleOut,
        example=SETTLE,
        gather=asking.gather,
        conclude=asking.conclude,
        statuses=(201, 200),
        problems=(
            entitling.NotApproved,
            entitling.WalletNotListed,
            entitling.MandateRefused,
            MissingKey,
            CredentialInvalid,
            CredentialExpired,
            AgentRevoked,
            asking.ReferenceTaken,
            asking.MovedMeanwhile,
            quoting.QuoteUnknown,
            quoting.QuoteExpired,
            quoting.QuoteUsed,
            quoting.QuoteOfAnother,
            NoRate,
            AccessUnproved,
            SettlementUnproved,
            OrderUnproved,
        ),
    ),
    Endpoint(
        name="settlement",
        method="GET",
        path="settle/<str:settlement_id>",
        service=SERVICE,
        spec="2 §2.4",
        about="Gives a settlement as it stands: your own, or a rehearsal by its id.",
        access=Access(open=True, may=(Kind.INSTITUTION,)),
        ids=MADE,
        answers=SettleOut,
        conclude=reads.by_id,
        problems=(NotFound, SettlementUnproved, OrderUnproved),
    ),
    Endpoint(
        name="settlement-transaction",
        method="POST",
        path="settle/<str:settlement_id>/transaction",
        service=SERVICE,
        spec="D §4 Settlement rails",
        about="Takes the hash of the transaction that executes a settlement.\n\n"
        "It says where to look, and proves nothing: the settlement is settled once the transfer is "
        "final on the chain, whoever told of it.",
        access=Access(keys=(Kind.INSTITUTION,)),
        ids=MADE,
        asks=TransactionIn,
        answers=SettleOut,
        example={"txHash": f"0x{'ab' * 32}"},
        conclude=reads.transaction,
        problems=(
            NotFound,
            reads.NothingExpected,
            reads.BadHash,
            SettlementUnproved,
            OrderUnproved,
            TooManyHashes,
        ),
    ),
)
