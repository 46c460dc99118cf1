"""The parser of deliveries: JSON, with the raw bytes."""

from typing import Any

from django.http import HttpRequest

from apps.platform.api.parsers import StrictJSONParser


class DeliveryBody(dict[str, Any]):
    """A parsed delivery with its bytes."""

    raw: bytes = b""


class BankEventParser(StrictJSONParser):
    """Parse JSON of the bank's webhook; a body that is no object is left to the serializer."""

    def parse_bytes(self, raw: bytes, request: HttpRequest) -> Any:
        body = super().parse_bytes(raw, request)
        if not isinstance(body, dict):
            return body
        # the body is stored exactly as it was signed: JSON that is written again has other bytes
        delivery = DeliveryBody(body)
        delivery.raw = raw
        return delivery
