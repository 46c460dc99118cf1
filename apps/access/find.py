"""Clients in the search of every page, for who keeps their accounts."""

from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.urls import reverse

from apps.access import tenants
from apps.desk.search import SHOWN, Group, Hit

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def accounts(user: "User", text: str, now: datetime) -> Group | None:
    """Find accounts by a part of their name."""
    if not user.has_perm("access.view_account"):
        return None
    known = tenants.named(text, most=SHOWN + 1)
    hits = [
        Hit(
            name,
            f"Account {ref.removeprefix(tenants.PREFIX)}",
            reverse("admin:access_account_change", args=[ref.removeprefix(tenants.PREFIX)]),
        )
        for ref, name in known.items()
    ]
    more = "All clients of that name" if len(hits) > SHOWN else ""
    address = f"{reverse('admin:access_account_changelist')}?{urlencode({'q': text})}"
    return Group("Clients", "access.account", hits[:SHOWN], more, address)
