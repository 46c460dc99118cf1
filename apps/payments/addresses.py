"""Where callbacks may go to."""

from apps.callbacks.addresses import BadUrl, check_url
from apps.core.problems import DomainError


class BadCallback(DomainError):
    """The callback address is none that is called."""

    code, title = "bad_callback_url", "The callback address is not called"


def insist_on(url: str) -> None:
    """Raise BadCallback (400) unless an address may be called; an empty one is none."""
    if not url:
        return
    try:
        check_url(url=url)
    except BadUrl as error:
        said = str(error)
        raise BadCallback(said, errors=[{"field": "callbackUrl", "message": said}]) from None
