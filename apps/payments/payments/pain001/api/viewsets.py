"""Viewsets of payment files: what became of a message of ISO 20022 (document 2 section 1)."""

from functools import partial

from django.http.response import HttpResponseBase
from rest_framework.request import Request

from apps.access.keys.models import KeyKind
from apps.payments.payments.integrity import PaymentIntegrityError
from apps.payments.payments.pain001 import presenters, selectors
from apps.payments.payments.pain001.api import file_status, pagination
from apps.payments.payments.pain001.api.filters import FileTransactionFilter, PaymentFileFilter
from apps.payments.payments.pain001.serializers import (
    FileOut,
    FilesOut,
    FilesQuery,
    LinesOut,
    LinesQuery,
)
from apps.platform.api.operations import Access, PathParameter, operation
from apps.platform.api.shapes import Identifier
from apps.platform.api.viewsets import OperationViewSet
from apps.platform.common.problems import NotFound

INSTITUTION = Access(keys=(KeyKind.INSTITUTION,))
FILE = {
    "file_id": PathParameter(
        Identifier(), "The fileId.", made_by=("payment-message", "file.fileId")
    )
}


class PaymentFileViewSet(OperationViewSet):
    """Messages of pain.001 (document 2 section 1)."""

    shared = {"spec": "2 §1 ISO 20022", "access": INSTITUTION}
    filterset_class = PaymentFileFilter
    path_parameters = FILE

    @operation("payment-files", request=FilesQuery, response=FilesOut)
    def list(self, request: Request) -> HttpResponseBase:
        """Lists your pain.001 messages, newest first."""
        return self.run_list(selectors.list_files, presenters.serialize_files)

    @operation(
        "payment-file",
        response=FileOut,
        file_types=("application/xml",),
        problems=(NotFound,),
    )
    def retrieve(self, request: Request, file_id: str) -> HttpResponseBase:
        """Returns one of your messages and its progress.

        With `Accept: application/xml` the answer is pain.002, with a status for each transaction.
        """
        accept = request.headers.get("Accept", "")
        return self.run(None, partial(file_status.read_file, accept=accept))


class FileTransactionViewSet(OperationViewSet):
    """Transactions of a message of pain.001 (document 2 section 1)."""

    path_parameters = FILE
    filterset_class = FileTransactionFilter
    pagination_class = pagination.TransactionCursor

    @operation(
        "payment-file-transactions",
        spec="2 §1 ISO 20022",
        access=INSTITUTION,
        request=LinesQuery,
        response=LinesOut,
        problems=(NotFound, PaymentIntegrityError),
    )
    def list(self, request: Request, file_id: str) -> HttpResponseBase:
        """Lists the judged transactions of one of your messages, in their order."""
        return self.run_list(
            selectors.list_file_transactions,
            partial(presenters.serialize_transactions, owner=self.owner),
        )
