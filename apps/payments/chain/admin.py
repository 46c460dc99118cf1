"""Read-only pages of expected transfers, and of those that were seen."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User

from apps.access.keys import tenant_names
from apps.payments.chain.case_links import STATE_LABELS
from apps.payments.chain.models import Order, Transfer
from apps.payments.chain.views import order_and_transfer_lists
from apps.payments.chain.views.order_page import build_order_context, build_transfer_context
from apps.platform.desk.list_pages import ListPage
from apps.platform.desk.record_list_admin import ChoiceFilter, RecordListAdmin


@admin.register(Order)
class OrderAdmin(RecordListAdmin):
    """Every order in its current state, with its transfers and events."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=named",)
    list_title = "Expected transfers"
    list_template = "chain/orders.html"
    list_query = order_and_transfer_lists.OrderListQuery
    record_template = "chain/order.html"
    record_related = ("transfer",)

    def build_page(self, query: order_and_transfer_lists.OrderListQuery, user: User) -> ListPage:
        return order_and_transfer_lists.build_order_page(query)

    def list_filters(self, query: order_and_transfer_lists.OrderListQuery) -> list[ChoiceFilter]:
        return [
            ("state", "Any status", STATE_LABELS, query.state),
            (
                "owner",
                "Any institution",
                tenant_names.list_tenant_choices(query.owner),
                query.owner,
            ),
            ("chain", "Any chain", order_and_transfer_lists.CHAIN_TITLES, query.chain),
        ]

    def build_record_context(self, record: Order, user: User) -> dict[str, Any]:
        return build_order_context(row=record, user=user)


@admin.register(Transfer)
class TransferAdmin(RecordListAdmin):
    """Every transfer that was seen, and what it settles."""

    search_fields = ("=tx_hash",)
    list_title = "Transfers seen"
    list_template = "chain/transfers.html"
    list_query = order_and_transfer_lists.TransferListQuery
    record_template = "chain/transfer.html"
    record_related = ("order",)

    def build_page(self, query: order_and_transfer_lists.TransferListQuery, user: User) -> ListPage:
        return order_and_transfer_lists.build_transfer_page(query)

    def list_filters(self, query: order_and_transfer_lists.TransferListQuery) -> list[ChoiceFilter]:
        return [("kind", "All", order_and_transfer_lists.KINDS, query.kind)]

    def build_record_context(self, record: Transfer, user: User) -> dict[str, Any]:
        return build_transfer_context(record, user)
