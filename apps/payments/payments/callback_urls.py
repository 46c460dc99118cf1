"""Check the addresses of callbacks."""

from apps.payments.callbacks.callback_urls import InvalidCallbackUrl, check_callback_url
from apps.platform.common.problems import DomainError


class CallbackUrlRefused(DomainError):
    """The callback URL is not allowed."""

    code, title = "bad_callback_url", "Callback URL not allowed"


def require_callable_url(url: str) -> None:
    """Raise CallbackUrlRefused (400) unless an address may be called; an empty one is none."""
    if not url:
        return
    try:
        check_callback_url(url=url)
    except InvalidCallbackUrl as error:
        message = str(error)
        raise CallbackUrlRefused(
            message, errors=[{"field": "callbackUrl", "message": message}]
        ) from None
