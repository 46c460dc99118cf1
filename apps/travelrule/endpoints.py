"""The endpoints of the travel-rule ledger (document 2 sections 2.3 and 4)."""

from typing import Any

from apps.access.models import Kind
from apps.core.endpoints import Access, Endpoint, Id, Sent
from apps.core.problems import NotFound
from apps.core.shapes import Identifier
from apps.travelrule import headers, reads, receiving, repeated
from apps.travelrule.export.streaming import TYPES
from apps.travelrule.export.view import by_format
from apps.travelrule.proofs.reads import proof
from apps.travelrule.serializers import (
    ExportOut,
    ExportQuery,
    MessageIn,
    ProofOut,
    ProofQuery,
    ReceivedOut,
    RecordOut,
)
from apps.travelrule.telling import RecordUnproved

SERVICE = "integration"

# two companies that were made up; any of the six dialects is read
MESSAGE: dict[str, Any] = {
    "originator": {
        "originatorPersons": [
            {
                "legalPerson": {
                    "name": {
                        "nameIdentifier": [
                            {
                                "legalPersonName": "Grey Plover Trading Limited",
                                "legalPersonNameIdentifierType": "LEGL",
                            }
                        ]
                    }
                }
            }
        ],
        "accountNumber": ["0x52908400098527886E0F7030069857D2E4169EE7"],
    },
    "beneficiary": {
        "beneficiaryPersons": [
            {
                "legalPerson": {
                    "name": {
                        "nameIdentifier": [
                            {
                                "legalPersonName": "Blue Heron Stationery Limited",
                                "legalPersonNameIdentifierType": "LEGL",
                            }
                        ]
                    }
                }
            }
        ],
        "accountNumber": ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    },
    "transferAmount": {"transferAmount": "4500.00", "transferCurrency": "USD"},
}

PAYMENT = {
    "payment_id": Id(
        Identifier(),
        "The svcPaymentId of a settled payment.",
        made_by=("payment-initiate", "svcPaymentId"),
    )
}

RECEIVE: Endpoint = Endpoint(
    name="travel-rule-receive",
    method="POST",
    path="travel-rule/receive",
    service=SERVICE,
    spec="2 §4",
    about="Takes a counterparty’s IVMS 101 message, in any of six dialects.\n\n"
    "`X-SVC-Signature` proves the raw body. `X-Travel-Rule-Payment-Id` links the message to a "
    "payment between the same parties. The same bytes under the same id, or again without one, are "
    "the same record (200); under another id they are another payment’s. One that is not valid is "
    "refused with every fault at its JSON pointer.",
    access=Access(signed=True),
    asks=MessageIn,
    make=receiving.body_of,
    answers=ReceivedOut,
    example=MESSAGE,
    gather=receiving.gather,
    conclude=receiving.conclude,
    statuses=(201, 200),
    sent={
        headers.VERSION: Sent(
            {"type": "string", "enum": list(receiving.VERSIONS)},
            "The version of IVMS 101: `1.0` (or `101`) is that of May 2020, `101.2023` that of "
            "August 2023. What the message itself says decides how it is read.",
        ),
        headers.PAYMENT: Sent(
            {"type": "string", "maxLength": 64},
            "The svcPaymentId of the payment that the message is of: linked where it is between "
            "the same parties, else a warning. State one, and the same when you send again: "
            "payments whose messages are the same bytes are told apart by it. A message without "
            "one is a payment of its own, once for the same bytes.",
        ),
    },
    instead=receiving.by_headers(lambda: RECEIVE),
    problems=(receiving.MessageBroken, receiving.VersionUnknown, repeated.TooManyAlike),
)

EXPORT: Endpoint = Endpoint(
    name="travel-rule-export",
    method="GET",
    path="travel-rule/export",
    service=SERVICE,
    spec="2 §4",
    about="Lists the travel-rule records of a stretch of time, the oldest first.\n\n"
    "By `limit` and `offset`, or by `cursor`, which costs the same at any depth. With `format` the "
    "whole of them streams from one snapshot, as a file; it stands in the log of exports.",
    access=Access(keys=(Kind.MASTER,)),
    asks=ExportQuery,
    answers=ExportOut,
    conclude=reads.export,
    instead=by_format(lambda: EXPORT),
    files=tuple(kind.split(";")[0] for kind in TYPES.values()),
    problems=(RecordUnproved,),
)

ENDPOINTS = (
    RECEIVE,
    EXPORT,
    Endpoint(
        name="travel-rule",
        method="GET",
        path="travel-rule/<str:payment_id>",
        service=SERVICE,
        spec="2 §2.3",
        about="Gives the travel-rule record of a payment of yours.\n\n"
        "It is made within seconds after the payment settles; until then there is none (404).",
        access=Access(keys=(Kind.INSTITUTION, Kind.MASTER)),
        ids=PAYMENT,
        answers=RecordOut,
        conclude=reads.by_payment,
        problems=(NotFound, RecordUnproved),
    ),
    Endpoint(
        name="travel-rule-proof",
        method="GET",
        path="travel-rule/<str:payment_id>/proof",
        service=SERVICE,
        spec="D §4",
        about="Proves that the record of a payment of yours stands in the ledger as made.\n\n"
        "Inclusion of each of its events in the last signed Merkle root (RFC 9162), and with "
        "`since` that this tree begins with an earlier one. It is checked offline by "
        "verify_export.py.",
        access=Access(keys=(Kind.INSTITUTION, Kind.MASTER)),
        ids=PAYMENT,
        asks=ProofQuery,
        answers=ProofOut,
        conclude=proof,
        problems=(NotFound, RecordUnproved),
    ),
)
