"""A chat API on loopback: it says what a test tells it to say."""

import json
from typing import Any

from tests.upstreams.loopback import Answer, body

PATH = "/v1/chat/completions"


def saying(content: Any, **more: Any) -> Answer:
    """Answer as the chat completions protocol does, with this as the message."""
    text = content if isinstance(content, str) else json.dumps(content)
    message = {"role": "assistant", "content": text}
    told = {"id": "c1", "object": "chat.completion", "choices": [{"index": 0, "message": message}]}
    return body(json.dumps(told | more).encode(), Content_Type="application/json")
