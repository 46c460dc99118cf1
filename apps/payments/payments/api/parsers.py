"""Parsers of payments: JSON of our own, and messages of ISO 20022 by Content-Type or version."""

from hashlib import sha256
from typing import Any

from django.http import HttpRequest

from apps.payments.payments.pain001.api.file_status import XML_TYPES
from apps.payments.payments.pain001.message_reader import JSON, XML
from apps.payments.payments.pain001.services.receive_message import MessageBody
from apps.payments.payments.pain001.versions import parse_version
from apps.platform.api.parsers import BodyParser, StrictJSONParser
from apps.platform.common.problems import DomainError

VERSION = "version"  # header and parameter


class VersionMissing(DomainError):
    """The body is a message in JSON, and the request does not state its version."""

    code, title = "version_missing", "The message version is required"


class InstructionParser(StrictJSONParser):
    """JSON of our own; VersionMissing (400) for a twin of pain.001 without its version."""

    def parse_bytes(self, raw: bytes, request: HttpRequest) -> Any:
        body = super().parse_bytes(raw, request)
        # without this the sender would be told that Document is an unknown field
        if isinstance(body, dict) and "Document" in body:
            raise VersionMissing(
                "This is an ISO 20022 message in JSON: state its version in the header `Version: "
                "pain.001.001.09`, or as `?version=pain.001.001.09`."
            )
        return body


class MessageXMLParser(BodyParser):
    """A message of pain.001 in XML: its bytes, which are read with the file."""

    media_type = XML_TYPES[0]
    kind = XML

    def parse_bytes(self, raw: bytes, request: HttpRequest) -> MessageBody:
        version = requested_version(request) if self.kind == JSON else ""
        body = MessageBody(
            sha256=sha256(raw).hexdigest(),
            kind=self.kind,
            # an unknown version is refused when the message is read, with the list of those that
            # are taken
            version=parse_version(version) or version[:40],
        )
        accepts = request.headers.get("Accept", "").lower()
        xml, json = (
            any(xml_type in accepts for xml_type in XML_TYPES),
            "application/json" in accepts,
        )
        # an Accept that names both or neither leaves it to the format of the message
        body.raw, body.answer_xml = raw, xml if xml != json else (self.kind == XML)
        # below the prefix that the caller used: a service may be the root of its own host
        body.address = f"{request.path.rpartition('/payments/')[0]}/payments/files"
        return body


class MessageTextXMLParser(MessageXMLParser):
    """The same under the older name of its type."""

    media_type = XML_TYPES[1]


class MessageJSONParser(MessageXMLParser):
    """A message of pain.001 in JSON, its version in a header or in the address."""

    media_type = "application/json"
    kind = JSON


MESSAGE_PARSERS = (MessageXMLParser, MessageTextXMLParser, MessageJSONParser)


def is_iso20022_message(request: HttpRequest) -> bool:
    """Tell whether a request is a message of ISO 20022, before its body is read."""
    media_type = (request.content_type or "").strip().lower()
    return media_type in XML_TYPES or (
        media_type == "application/json" and bool(requested_version(request))
    )


def requested_version(request: HttpRequest) -> str:
    """Return the version that a request names for a message in JSON."""
    return request.headers.get(VERSION) or request.GET.get(VERSION) or ""
