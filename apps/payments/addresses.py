"""Where callbacks may go to."""

from urllib.parse import urlsplit

from apps.core.problems import DomainError


class BadCallback(DomainError):
    """The callback address is none that is called."""

    code, title = "bad_callback_url", "The callback address is not called"


def insist_on(url: str) -> None:
    """Raise BadCallback (400) unless an address may be called; an empty one is none."""
    if not url:
        return
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        good = False
    if not good:
        said = "callbackUrl is an address that begins with https://."
        raise BadCallback(said, errors=[{"field": "callbackUrl", "message": said}])
