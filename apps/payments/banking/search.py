"""Transactions at the bank in the search of every page."""

from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.db.models import Q
from django.urls import reverse

from apps.payments.banking.admin import format_dollars
from apps.payments.banking.models import BankTransaction
from apps.platform.desk.search import SHOWN, SearchGroup, SearchHit

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def search_bank_transactions(user: "User", text: str, now: datetime) -> SearchGroup | None:
    """Find what the bank told of by its id, by quote, or by the wallet that it names."""
    if not user.has_perm("banking.view_banktransaction"):
        return None
    same = Q(resource_id=text) | Q(quote_id=text) | Q(wallet=text)
    found = list(BankTransaction.objects.filter(same).order_by("-pk")[: SHOWN + 1])
    page = reverse("admin:banking_banktransaction_changelist")
    more = "All of these bank transactions" if len(found) > SHOWN else ""
    hits = [_build_transaction_hit(one, text) for one in found[:SHOWN]]
    address = f"{page}?{urlencode({'q': text})}"
    return SearchGroup("Bank transactions", "banking.banktransaction", hits, more, address)


def _build_transaction_hit(row: BankTransaction, text: str) -> SearchHit:
    parts = (row.state.capitalize(), format_dollars(row.amount), row.wallet)
    address = reverse("admin:banking_banktransaction_change", args=[row.pk])
    detail = " · ".join(part for part in parts if part)
    return SearchHit(row.resource_id, detail, address, text == row.resource_id)
