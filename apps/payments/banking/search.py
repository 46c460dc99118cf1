"""Transactions at the bank in the search of every page."""

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from django.db.models import Q
from django.urls import reverse

from apps.payments.banking.admin import format_dollars
from apps.payments.banking.models import BankTransaction
from apps.platform.desk.search import SearchGroup, SearchHit, build_search_group

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def search_bank_transactions(user: "User", text: str, now: datetime) -> SearchGroup | None:
    """Find bank transactions by id, by quote, or by the wallet that they name."""
    if not user.has_perm("banking.view_banktransaction"):
        return None
    same = Q(resource_id=text) | Q(quote_id=text) | Q(wallet=text)
    return build_search_group(
        "Bank transactions",
        "banking.banktransaction",
        BankTransaction.objects.filter(same).order_by("-pk"),
        partial(_build_transaction_hit, text=text),
        more="All of these bank transactions",
        q=text,
    )


def _build_transaction_hit(row: BankTransaction, text: str) -> SearchHit:
    parts = (row.state.capitalize(), format_dollars(row.amount), row.wallet)
    address = reverse("admin:banking_banktransaction_change", args=[row.pk])
    detail = " · ".join(part for part in parts if part)
    return SearchHit(row.resource_id, detail, address, text == row.resource_id)
