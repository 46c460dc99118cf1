"""The parser of counterparties' messages: their bytes, and the two headers that belong to them."""

import hashlib

from django.http import HttpRequest

from apps.payments.travelrule.message_headers import PAYMENT_HEADER, VERSION_HEADER
from apps.payments.travelrule.services.receive_message import MessageBody
from apps.platform.api.parsers import BodyParser


class MessageParser(BodyParser):
    """An IVMS 101 message in any dialect; it is read leniently, later."""

    media_type = "application/json"

    def parse_bytes(self, raw: bytes, request: HttpRequest) -> MessageBody:
        named = request.headers.get(PAYMENT_HEADER, "").strip()
        # the digest of the raw bytes identifies a repeated message. An id of ours has 36
        # characters; the whole of another's distinguishes its payments (`stated`).
        body = MessageBody(sha256=hashlib.sha256(raw).hexdigest(), payment=named[:64])
        body.raw, body.stated = raw, named
        body.version = request.headers.get(VERSION_HEADER, "").strip()
        return body
