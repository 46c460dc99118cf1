"""Viewsets of the travel-rule ledger (document 2 sections 2.3 and 4)."""

from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter
from rest_framework.decorators import action
from rest_framework.request import Request

from apps.access.keys.models import KeyKind
from apps.payments.travelrule import message_headers
from apps.payments.travelrule.api.pagination import TravelRecordPagination
from apps.payments.travelrule.api.parsers import MessageParser
from apps.payments.travelrule.export.streams import CONTENT_TYPES, STREAMS_BY_FORMAT
from apps.payments.travelrule.export.views import stream_export
from apps.payments.travelrule.proofs.selectors import build_record_proof
from apps.payments.travelrule.selectors import records
from apps.payments.travelrule.selectors.serialized_records import serialize_records
from apps.payments.travelrule.selectors.verified_records import RecordIntegrityError
from apps.payments.travelrule.serializers import (
    ExportOut,
    ExportQuery,
    MessageIn,
    ProofOut,
    ProofQuery,
    ReceivedOut,
    RecordOut,
)
from apps.payments.travelrule.services import receive_message, repeated_messages
from apps.platform.api.operations import Access, PathParameter, operation
from apps.platform.api.shapes import Identifier
from apps.platform.api.viewsets import OperationViewSet
from apps.platform.common.problems import NotFound

READERS = Access(keys=(KeyKind.INSTITUTION, KeyKind.MASTER))


def _build_example_person(role: str, name: str, account: str) -> dict[str, Any]:
    named = {"legalPersonName": name, "legalPersonNameIdentifierType": "LEGL"}
    person = {"legalPerson": {"name": {"nameIdentifier": [named]}}}
    return {role: [person], "accountNumber": [account]}


# two companies that were made up; any of the six dialects is read
MESSAGE_EXAMPLE: dict[str, Any] = {
    "originator": _build_example_person(
        "originatorPersons",
        "Grey Plover Trading Limited",
        "0x52908400098527886E0F7030069857D2E4169EE7",
    ),
    "beneficiary": _build_example_person(
        "beneficiaryPersons",
        "Blue Heron Stationery Limited",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    ),
    "transferAmount": {"transferAmount": "4500.00", "transferCurrency": "USD"},
}


class TravelRuleViewSet(OperationViewSet):
    """Travel-rule messages and records (document 2 section 2.3)."""

    path_parameters = {
        "payment_id": PathParameter(
            Identifier(),
            "The svcPaymentId of a settled payment.",
            made_by=("payment-initiate", "svcPaymentId"),
        )
    }
    pagination_class = TravelRecordPagination

    @action(detail=False, methods=["post"], parser_classes=(MessageParser,))
    @operation(
        "travel-rule-receive",
        spec="2 §4",
        access=Access(signature=message_headers.SIGNATURE_HEADER),
        request=MessageIn,
        response=ReceivedOut,
        example=MESSAGE_EXAMPLE,
        statuses=(201, 200),
        header_parameters=(
            OpenApiParameter(
                message_headers.VERSION_HEADER,
                {"type": "string", "enum": list(receive_message.VERSIONS)},
                OpenApiParameter.HEADER,
                description="The version of IVMS 101: `1.0` (or `101`) is that of May 2020, "
                "`101.2023` that of August 2023. How the message is read depends on "
                "its own content.",
            ),
            OpenApiParameter(
                message_headers.PAYMENT_HEADER,
                {"type": "string", "maxLength": 64},
                OpenApiParameter.HEADER,
                description="The svcPaymentId of the payment that the message belongs to: linked "
                "if it is between the same parties, otherwise a warning. If you state "
                "one, state the same when you send the message again: it "
                "distinguishes payments whose messages have the same bytes. A message "
                "without one is a payment of its own, once for the same bytes.",
            ),
        ),
        problems=(
            receive_message.InvalidMessage,
            receive_message.UnknownIvmsVersion,
            repeated_messages.TooManyIdenticalMessages,
        ),
    )
    def receive(self, request: Request) -> HttpResponseBase:
        """Accepts a counterparty’s IVMS 101 message, in any of six dialects.

        `X-SVC-Signature` authenticates the raw body. `X-Travel-Rule-Payment-Id` links the message
        to a payment between the same parties. The same bytes under the same id, or again without
        one, are the same record (200); under another id they belong to another payment. An invalid
        message is refused with every fault at its JSON pointer.
        """
        return self.run(
            receive_message.gather_message,
            receive_message.conclude_message,
            receive_message.check_message_body,
        )

    @action(detail=False)
    @operation(
        "travel-rule-export",
        spec="2 §4",
        access=Access(keys=(KeyKind.MASTER,)),
        request=ExportQuery,
        response=ExportOut,
        file_types=tuple(kind.split(";")[0] for kind in CONTENT_TYPES.values()),
        problems=(RecordIntegrityError,),
    )
    def export(self, request: Request) -> HttpResponseBase:
        """Lists the travel-rule records of a period, oldest first.

        Page by `limit` and `offset`, or by `cursor`, which costs the same at any depth. With
        `format` all of them are streamed from one snapshot, as a file; the export is recorded in
        the log of exports.
        """
        if request.query_params.get("format") in STREAMS_BY_FORMAT:
            return self.run(None, stream_export)
        return self.run_list(records.select_records, serialize_records)

    @operation(
        "travel-rule",
        spec="2 §2.3",
        access=READERS,
        response=RecordOut,
        problems=(NotFound, RecordIntegrityError),
    )
    def retrieve(self, request: Request, payment_id: str) -> HttpResponseBase:
        """Returns the travel-rule record of one of your payments.

        The record is made within seconds after the payment settles; until then there is none (404).
        """
        return self.run(None, records.load_payment_record)

    @action(detail=True)
    @operation(
        "travel-rule-proof",
        spec="D §4",
        access=READERS,
        request=ProofQuery,
        response=ProofOut,
        problems=(NotFound, RecordIntegrityError),
    )
    def proof(self, request: Request, payment_id: str) -> HttpResponseBase:
        """Proves that the record of one of your payments is in the ledger, unaltered.

        The proof shows the inclusion of each of its events in the last signed Merkle root (RFC
        9162), and with `since` that this tree begins with an earlier one. Check it offline with
        verify_export.py.
        """
        return self.run(None, build_record_proof)
