"""The purposes of expected transfers, as the expecting apps register them."""

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
    """One purpose of orders.

    `notify(order_id, status, now)` gets the status of an expected transfer, from a job in a
    transaction of its own; it must be safe to repeat. `page(user, order_id)` returns title and
    address of what the transfer settles, None for users who may not see it.
    """

    notify: Callable[[UUID, Any, datetime], None]
    page: Callable[["User", str], tuple[str, str] | None] | None = None


# by `about` of an order; an unknown one is a bug, found when the order is made
PURPOSES: Registry[Purpose] = Registry("purpose of a transfer")
