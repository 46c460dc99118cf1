"""What receivers answer, as far as it is kept."""

import re
from urllib.parse import urlsplit

# the first id of an answer in JSON; whatever else it says is not kept: it may repeat names
_ID = re.compile(rb'"id"\s*:\s*"([A-Za-z0-9._:-]{1,100})"')


def parse_receiver_id(beginning: bytes) -> str:
    """Return the id that a receiver gave a message, empty where its answer has none."""
    match = _ID.search(beginning)
    return match.group(1).decode() if match else ""


def endpoint_host_of(url: str) -> str:
    """Return the host and port of an endpoint; its path may hold a token."""
    return urlsplit(url).netloc[:270] if url else ""
