"""Expected transfers, and those that were seen, to read: nobody changes them at the desk."""

from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path

from apps.access.keys import tenants
from apps.payments.chain.models import Order, Transfer
from apps.payments.chain.views import changelists
from apps.payments.chain.views import order as page
from apps.payments.chain.views.case_links import STATE_LABELS
from apps.platform.desk.base_admin import ReadOnlyAdmin


class ListAndDetailAdmin(ReadOnlyAdmin):
    """A list and a record's page, and no others."""

    name = ""

    def get_urls(self) -> list[Any]:
        """Give the list and a record's page."""
        return [
            path("", self.page_view(self.changelist_view), name=f"{self.name}_changelist"),
            path("<id:object_id>/", self.page_view(self.change_view), name=f"{self.name}_change"),
        ]

    def _require(self, request: HttpRequest) -> None:
        if not self.has_view_permission(request):
            raise PermissionDenied


@admin.register(Order)
class OrderAdmin(ListAndDetailAdmin):
    """Every order as it stands, with what was found and what happened."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=named",)
    name = "chain_order"

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the orders that the address asks for, fifty at a time."""
        self._require(request)
        asked = changelists.OrderListQuery.read(request.GET)
        found = changelists.build_order_page(asked)
        shown = {
            "title": "Expected transfers",
            "asked": asked,
            "page": found,
            "choices": [
                ("state", "Any status", STATE_LABELS, asked.state),
                ("owner", "Any institution", tenants.list_tenant_choices(asked.owner), asked.owner),
                ("chain", "Any chain", changelists.CHAIN_TITLES, asked.chain),
            ],
            **asked.turns(found.following),
        }
        return self.draw(request, "chain/orders.html", shown)

    def change_view(
        self, request: HttpRequest, object_id: Any, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show one order."""
        self._require(request)
        row = Order.objects.select_related("transfer").filter(pk=int(object_id)).first()
        if row is None:
            raise Http404
        shown = page.build_order_context(row=row, user=cast(User, request.user))
        return self.draw(request, "chain/order.html", shown)


@admin.register(Transfer)
class TransferAdmin(ListAndDetailAdmin):
    """Every transfer that was seen, and what it settles."""

    search_fields = ("=tx_hash",)
    name = "chain_transfer"

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the transfers that the address asks for, fifty at a time."""
        self._require(request)
        asked = changelists.TransferListQuery.read(request.GET)
        found = changelists.build_transfer_page(asked)
        shown = {
            "title": "Transfers seen",
            "asked": asked,
            "page": found,
            "choices": [("kind", "All", changelists.KINDS, asked.kind)],
            **asked.turns(found.following),
        }
        return self.draw(request, "chain/transfers.html", shown)

    def change_view(
        self, request: HttpRequest, object_id: Any, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show one transfer."""
        self._require(request)
        row = Transfer.objects.select_related("order").filter(pk=int(object_id)).first()
        if row is None:
            raise Http404
        shown = page.build_transfer_context(row, cast(User, request.user))
        return self.draw(request, "chain/transfer.html", shown)
