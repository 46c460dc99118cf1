"""What takes two people, sent as people send it: they see first what it would bring."""

import re
from typing import Any

from django.test import Client

SEEN = re.compile(r'name="seen" value="([0-9a-f]{64})"')


def look_at(client: Client, address: str, form: dict[str, Any]) -> str:
    """Send the form of a proposal for the first time: return the page that answers."""
    answer = client.post(address, form)
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


def propose(client: Client, address: str, form: dict[str, Any], **more: Any) -> Any:
    """Look at what a form would bring and send it; the answer of the first time if it waits not."""
    answer = client.post(address, form)
    seen = SEEN.search(answer.content.decode())
    return client.post(address, form | {"seen": seen[1]}, **more) if seen else answer
