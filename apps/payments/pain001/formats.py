"""Which requests are messages of ISO 20022: by Content-Type, and in JSON by the version told."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from apps.core import parsing
from apps.core.endpoints import Endpoint
from apps.core.problems import DomainError
from apps.payments.pain001.answering import conclude
from apps.payments.pain001.intake import JSON, XML
from apps.payments.pain001.receiving import Body, MessageIdTaken, MessageRefused, gather
from apps.payments.pain001.serializers import MessageIn, MessageOut
from apps.payments.pain001.versions import of_text
from apps.payments.projection import PaymentUnproved

XML_TYPES = ("application/xml", "text/xml")
VERSION = "version"  # header and parameter


class VersionMissing(DomainError):
    """The body is a message in JSON, and nobody said of which version it is."""

    code, title = "version_missing", "The version of the message is needed"


def native(raw: bytes) -> Any:
    """Read JSON of our own; VersionMissing (400) for a twin of pain.001 without its version."""
    found = parsing.loads(raw)
    if isinstance(found, dict) and "Document" in found:
        raise VersionMissing(
            "This is an ISO 20022 message in JSON: say its version in the header "
            "`Version: pain.001.001.09`, or as `?version=pain.001.001.09`."
        )
    return found


def messages(path: str, access: Any) -> Callable[[HttpRequest], Endpoint | None]:
    """Return what chooses the row of a message for requests at an address of payments."""

    def instead(request: HttpRequest) -> Endpoint | None:
        media = (request.content_type or "").strip().lower()
        told = request.headers.get(VERSION) or request.GET.get(VERSION) or ""
        if media in XML_TYPES:
            return _row(request, path, access, media, XML, "")
        if media == "application/json" and told:
            version = of_text(told) or told[:40]
            return _row(request, path, access, media, JSON, version)
        return None

    return instead


def _wants_xml(request: HttpRequest, *, otherwise: bool) -> bool:
    """Tell whether an answer is to be XML: what was sent, unless Accept names the other alone."""
    accepts = request.headers.get("Accept", "").lower()
    xml, json = any(one in accepts for one in XML_TYPES), "application/json" in accepts
    return xml if xml != json else otherwise


def _row(
    request: HttpRequest, path: str, access: Any, media: str, kind: str, version: str
) -> Endpoint:
    def read(raw: bytes) -> Body:
        body = Body(sha256=sha256(raw).hexdigest(), kind=kind, version=version)
        body.raw, body.answer_xml = raw, _wants_xml(request, otherwise=kind == XML)
        body.address = f"{request.path.removesuffix(path)}payments/files"
        return body

    return Endpoint(
        name="payment-message",
        method="POST",
        path=path,
        service="integration",
        spec="2 §1",
        about="Takes a message of ISO 20022 (pain.001).",
        access=access,
        asks=MessageIn,
        make=_body,
        answers=MessageOut,
        gather=gather,
        conclude=conclude,
        statuses=(202, 200),
        problems=(MessageRefused, MessageIdTaken, VersionMissing, PaymentUnproved),
        readers={media: read},
        max_body=settings.PAYMENT_FILE_MAX,
        queries=frozenset({VERSION}),
    )


def _body(*, body: Any) -> Body:
    if not isinstance(body, Body):  # an empty request has no bytes to read
        raise MessageRefused("The request has no body.")
    return body
