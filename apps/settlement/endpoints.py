"""The endpoints of the settlement agent (document 2 sections 2.4 and 4)."""

from collections.abc import Mapping
from typing import Any

from apps.core.endpoints import Access, Endpoint
from apps.settlement import flow
from apps.settlement.serializers import FlowOut, FlowQuery

SERVICE = "settlement"
WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
FLOW: Mapping[str, Any] = {"amount": 100, "from": "USD", "to": "USD", "recipientAddress": WALLET}

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
        gather=flow.gather,
        conclude=flow.conclude,
    ),
)
