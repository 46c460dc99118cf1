"""What transfers are expected for, as the apps that expect them register it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from apps.platform.common.registry import Registry

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@dataclass(frozen=True, kw_only=True)
class Purpose:
    """What one kind of order is about.

    `notify(order_id, status, now)` is told how an expected transfer stands, by a job in a
    transaction of its own; run twice it does nothing twice. `page(user, order_id)` returns words
    and address of what the transfer settles, None for who may not see it.
    """

    notify: Callable[[UUID, Any, datetime], None]
    page: Callable[["User", str], tuple[str, str] | None] | None = None


# By `about` of an order; one that is not here is a mistake, found as the order is made
PURPOSES: Registry[Purpose] = Registry("purpose of a transfer")
