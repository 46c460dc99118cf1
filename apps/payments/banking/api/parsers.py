"""The parser of deliveries: JSON, with the bytes as they came."""

from typing import Any

from django.http import HttpRequest

from apps.platform.api.parsers import StrictJSONParser


class DeliveryBody(dict[str, Any]):
    """A delivery as it was read, with its bytes."""

    raw: bytes = b""


class BankEventParser(StrictJSONParser):
    """JSON of the bank's webhook; what is no object is left to the serializer."""

    def parse_bytes(self, raw: bytes, request: HttpRequest) -> Any:
        read = super().parse_bytes(raw, request)
        if not isinstance(read, dict):
            return read
        delivery = DeliveryBody(read)
        delivery.raw = raw
        return delivery
