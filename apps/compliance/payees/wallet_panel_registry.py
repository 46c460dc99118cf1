"""What other apps show on the page of a registered wallet, as they register it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from apps.platform.common.registry import Registry

if TYPE_CHECKING:
    from django.contrib.auth.models import User

# `(wallet, user)` -> what a template draws as `panel`, with its name as `template`; None shows
# nothing
WALLET_PANELS: Registry[Callable[[str, "User"], dict[str, Any] | None]] = Registry("wallet panel")
