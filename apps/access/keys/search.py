"""Find clients in the search of every page, for users who manage accounts."""

from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.urls import reverse

from apps.access.keys import tenant_names
from apps.platform.desk.search import SHOWN, SearchGroup, SearchHit

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def search_accounts(user: "User", text: str, now: datetime) -> SearchGroup | None:
    """Find accounts by a part of their name."""
    if not user.has_perm("access.view_account"):
        return None
    known = tenant_names.search_tenants(text, most=SHOWN + 1)
    hits = [
        SearchHit(
            name,
            f"Account {ref.removeprefix(tenant_names.PREFIX)}",
            reverse("admin:access_account_change", args=[ref.removeprefix(tenant_names.PREFIX)]),
        )
        for ref, name in known.items()
    ]
    more = "All clients with that name" if len(hits) > SHOWN else ""
    address = f"{reverse('admin:access_account_changelist')}?{urlencode({'q': text})}"
    return SearchGroup("Clients", "access.account", hits[:SHOWN], more, address)
