"""The page of quotes: the request, the quoted price, and the outcome."""

import uuid
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from apps.insight.stability.models import Quote
from apps.platform.common.clock import now
from apps.platform.common.money import from_micro
from apps.platform.common.strict_json import parse_number
from apps.platform.desk.base_admin import NewestFirstAdmin

OPEN, USED, EXPIRED = "open", "used", "expired"
STATES = {OPEN: "Binds", USED: "Used", EXPIRED: "Expired"}
# USD; a larger number cannot be an amount, and may not fit into the column
LARGEST = Decimal(10) ** 12


def state_of_quote(quote: Quote) -> str:
    """Return what became of a quote, as a key of STATES."""
    if quote.used_at is not None:
        return USED
    return OPEN if quote.expires_at > now() else EXPIRED


class QuoteStateFilter(admin.SimpleListFilter):
    """Quotes by what became of them."""

    title, parameter_name = "state", "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[tuple[str, str]]:
        return STATES.items()

    def queryset(self, request: HttpRequest, queryset: QuerySet[Quote]) -> QuerySet[Quote]:
        grouped_quotes: dict[str | None, QuerySet[Quote]] = {
            OPEN: queryset.filter(used_at=None, expires_at__gt=now()),
            USED: queryset.filter(used_at__isnull=False),
            EXPIRED: queryset.filter(used_at=None, expires_at__lte=now()),
        }
        return grouped_quotes.get(self.value(), queryset)


@admin.register(Quote)
class QuoteAdmin(NewestFirstAdmin):
    """Every quote that is kept, the newest first; nothing here can be changed."""

    list_display = ("quote_id", "paid", "costs", "state", "quoted_at")
    list_filter = (QuoteStateFilter, "fx", "sandbox")
    list_max_show_all = 50
    sortable_by = ()
    search_fields = ("quote_id", "amount")
    search_help_text = "An exact quoteId, or an amount in USD."
    fields = readonly_fields = (
        "quote_id", "state", "paid", "arrives", "direction", "esg_score", "volume",
        "core_fee_taken", "fx_fee_taken", "esg_taken", "license_taken", "costs", "schedule",
        "sandbox", "quoted_at", "expires_at", "used_at", "used_for",
    )  # fmt: skip

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Quote], search_term: str
    ) -> tuple[QuerySet[Quote], bool]:
        """Find a quote by its id, or quotes by their amount."""
        term = search_term.strip()
        return (queryset.filter(_build_search_query(term)) if term else queryset), False

    @admin.display(description="Amount")
    def paid(self, quote: Quote) -> str:
        return _format_usd(quote.amount)

    @admin.display(description="All fees")
    def costs(self, quote: Quote) -> str:
        return _format_usd(_sum_fees(quote))

    @admin.display(description="Arrives")
    def arrives(self, quote: Quote) -> str:
        return _format_usd(quote.amount - _sum_fees(quote))

    @admin.display(description="State")
    def state(self, quote: Quote) -> str:
        return STATES[state_of_quote(quote)]

    @admin.display(description="Currencies")
    def direction(self, quote: Quote) -> str:
        return "two, with exchange" if quote.fx else "one"

    @admin.display(description="ESG score")
    def esg_score(self, quote: Quote) -> str:
        return f"{from_micro(quote.score).normalize():f}"

    @admin.display(description="Monthly volume, as stated by the caller")
    def volume(self, quote: Quote) -> str:
        return _format_usd(quote.monthly_volume)

    @admin.display(description="Core fee")
    def core_fee_taken(self, quote: Quote) -> str:
        return _format_usd(quote.core)

    @admin.display(description="Exchange fee")
    def fx_fee_taken(self, quote: Quote) -> str:
        return _format_usd(quote.fx_fee)

    @admin.display(description="ESG fee")
    def esg_taken(self, quote: Quote) -> str:
        return _format_usd(quote.esg)

    @admin.display(description="License fee")
    def license_taken(self, quote: Quote) -> str:
        return _format_usd(quote.license)

    @admin.display(description="Used by")
    def used_for(self, quote: Quote) -> str:
        return quote.used_by or "nobody"


def _sum_fees(quote: Quote) -> Decimal:
    return quote.core + quote.fx_fee + quote.esg + quote.license


def _format_usd(amount: Decimal) -> str:
    """Return an amount with its thousands apart, at least two decimals and at most six."""
    whole, _, parts = f"{amount:,.6f}".partition(".")
    return f"{whole}.{parts.rstrip('0'):0<2} USD"


def _build_search_query(asked: str) -> Q:
    """Return which quotes a search is for; none where it is neither an id nor an amount."""
    try:
        return Q(quote_id=uuid.UUID(asked))
    except ValueError:
        pass
    try:
        amount = Decimal(parse_number(asked.removesuffix("USD").strip().replace(",", "")))
    except ValueError:
        return Q(pk__in=[])
    known = 0 < amount < LARGEST and amount == round(amount, 6)
    return Q(amount=amount) if known else Q(pk__in=[])
