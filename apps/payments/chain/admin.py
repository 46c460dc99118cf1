"""Expected transfers, and those that were seen, to read: nobody changes them at the desk."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User

from apps.access.keys import tenants
from apps.payments.chain.models import Order, Transfer
from apps.payments.chain.views import changelists
from apps.payments.chain.views import order as page
from apps.payments.chain.views.case_links import STATE_LABELS
from apps.platform.desk.list_pages import ListPage
from apps.platform.desk.record_list_admin import ChoiceFilter, RecordListAdmin


@admin.register(Order)
class OrderAdmin(RecordListAdmin):
    """Every order as it stands, with what was found and what happened."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=named",)
    list_title = "Expected transfers"
    list_template = "chain/orders.html"
    list_query = changelists.OrderListQuery
    record_template = "chain/order.html"
    record_related = ("transfer",)

    def build_page(self, asked: changelists.OrderListQuery, user: User) -> ListPage:
        return changelists.build_order_page(asked)

    def list_filters(self, asked: changelists.OrderListQuery) -> list[ChoiceFilter]:
        return [
            ("state", "Any status", STATE_LABELS, asked.state),
            ("owner", "Any institution", tenants.list_tenant_choices(asked.owner), asked.owner),
            ("chain", "Any chain", changelists.CHAIN_TITLES, asked.chain),
        ]

    def build_record_context(self, record: Order, user: User) -> dict[str, Any]:
        return page.build_order_context(row=record, user=user)


@admin.register(Transfer)
class TransferAdmin(RecordListAdmin):
    """Every transfer that was seen, and what it settles."""

    search_fields = ("=tx_hash",)
    list_title = "Transfers seen"
    list_template = "chain/transfers.html"
    list_query = changelists.TransferListQuery
    record_template = "chain/transfer.html"
    record_related = ("order",)

    def build_page(self, asked: changelists.TransferListQuery, user: User) -> ListPage:
        return changelists.build_transfer_page(asked)

    def list_filters(self, asked: changelists.TransferListQuery) -> list[ChoiceFilter]:
        return [("kind", "All", changelists.KINDS, asked.kind)]

    def build_record_context(self, record: Transfer, user: User) -> dict[str, Any]:
        return page.build_transfer_context(record, user)
