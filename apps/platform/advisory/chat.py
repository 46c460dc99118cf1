"""Client of the chat endpoint, which may be any that speaks OpenAI-compatible chat completions."""

from django.conf import settings

from apps.platform.upstreams.auth import BearerAuth
from apps.platform.upstreams.http import Upstream, UpstreamError


def is_model_configured() -> bool:
    """Tell whether a model is configured (settings ADVISORY_URL and ADVISORY_MODEL)."""
    return bool(settings.ADVISORY_URL and settings.ADVISORY_MODEL)


class ChatClient(Upstream):
    """Client of one exchange: a task for the model, and the data that the task is about."""

    name = "advisory"
    timeout = (2.0, 8.0)  # seconds to connect, and for each wait for bytes
    largest = 200_000  # bytes

    def __init__(self) -> None:
        self.base_url = settings.ADVISORY_URL.rstrip("/")
        self.auth = BearerAuth(settings.ADVISORY_KEY) if settings.ADVISORY_KEY else None

    def complete(self, *, task: str, data: str, longest: int, deadline: float) -> str:
        """Return the model's reply, at most `longest` tokens of it; raises UpstreamError.

        `task` is our own text and is sent as the system's message; `data` is text from callers and
        is sent as the user's message.
        """
        request = {
            "model": settings.ADVISORY_MODEL,
            "messages": [{"role": "system", "content": task}, {"role": "user", "content": data}],
            # as repeatable as the model can be: the same facts should get the same opinion
            "temperature": 0,
            "max_tokens": longest,
            "response_format": {"type": "json_object"},
        }
        answer = self.post_json("/chat/completions", json=request, deadline=deadline)
        try:
            content = answer["choices"][0]["message"]["content"]
        except (KeyError, IndexError, TypeError) as error:
            raise UpstreamError("the answer holds no message") from error
        if not isinstance(content, str):
            raise UpstreamError("the message is not a text")
        return content
