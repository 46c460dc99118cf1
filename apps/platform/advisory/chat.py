"""The chat endpoint: any that speaks the OpenAI-compatible chat completions protocol."""

from django.conf import settings

from apps.platform.upstreams.auth import BearerAuth
from apps.platform.upstreams.http import Upstream, UpstreamError


def is_model_configured() -> bool:
    """Tell whether there is a model to ask (settings ADVISORY_URL and ADVISORY_MODEL)."""
    return bool(settings.ADVISORY_URL and settings.ADVISORY_MODEL)


class ChatClient(Upstream):
    """One exchange: what it is asked to do, and the data that it is asked about."""

    name = "advisory"
    timeout = (2.0, 8.0)
    largest = 200_000

    def __init__(self) -> None:
        self.base_url = settings.ADVISORY_URL.rstrip("/")
        self.auth = BearerAuth(settings.ADVISORY_KEY) if settings.ADVISORY_KEY else None

    def said(self, *, task: str, data: str, longest: int, deadline: float) -> str:
        """Return what the model said, at most `longest` tokens of it; raises UpstreamError.

        `task` is ours and is sent as the system's message; `data` is whatever callers wrote, and
        goes as the user's.
        """
        asked = {
            "model": settings.ADVISORY_MODEL,
            "messages": [{"role": "system", "content": task}, {"role": "user", "content": data}],
            "temperature": 0,
            "max_tokens": longest,
            "response_format": {"type": "json_object"},
        }
        answer = self.post_json("/chat/completions", json=asked, deadline=deadline)
        try:
            said = answer["choices"][0]["message"]["content"]
        except (KeyError, IndexError, TypeError) as error:
            raise UpstreamError("the answer holds no message") from error
        if not isinstance(said, str):
            raise UpstreamError("the message is no text")
        return said
