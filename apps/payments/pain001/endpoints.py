"""The endpoints of payment files: what became of a message of ISO 20022 (document 2 section 1)."""

from apps.access.models import Kind
from apps.core.endpoints import Access, Endpoint, Id
from apps.core.problems import NotFound
from apps.core.shapes import Identifier
from apps.payments.pain001 import reads
from apps.payments.pain001.serializers import (
    FileOut,
    FilesOut,
    FilesQuery,
    LinesOut,
    LinesQuery,
)
from apps.payments.projection import PaymentUnproved

SERVICE = "integration"
INSTITUTION = Access(keys=(Kind.INSTITUTION,))
FILE = {"file_id": Id(Identifier(), "The fileId.", made_by=("payment-message", "file.fileId"))}

ENDPOINTS = (
    Endpoint(
        name="payment-files",
        method="GET",
        path="payments/files",
        service=SERVICE,
        spec="2 §1 ISO 20022",
        about="Lists your messages of pain.001, the newest first.",
        access=INSTITUTION,
        asks=FilesQuery,
        answers=FilesOut,
        conclude=reads.listed,
    ),
    Endpoint(
        name="payment-file",
        method="GET",
        path="payments/files/<str:file_id>",
        service=SERVICE,
        spec="2 §1 ISO 20022",
        about="Gives a message of yours and how far it is.\n\n"
        "With `Accept: application/xml` it is pain.002, with a status for each transaction.",
        access=INSTITUTION,
        ids=FILE,
        answers=FileOut,
        conclude=reads.one,
        view=reads.one,
        files=("application/xml",),
        problems=(NotFound,),
    ),
    Endpoint(
        name="payment-file-transactions",
        method="GET",
        path="payments/files/<str:file_id>/transactions",
        service=SERVICE,
        spec="2 §1 ISO 20022",
        about="Lists the transactions of a message of yours that were judged, in their order.",
        access=INSTITUTION,
        asks=LinesQuery,
        ids=FILE,
        answers=LinesOut,
        conclude=reads.lines,
        problems=(NotFound, PaymentUnproved),
    ),
)
