"""Expected transfers, and those that were seen, to read: nobody changes them at the desk."""

from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path

from apps.access import tenants
from apps.chain.models import Order, Transfer
from apps.chain.pages import listing
from apps.chain.pages import order as page
from apps.chain.pages.records import STATES
from apps.desk.pages import ReadOnly


class Pages(ReadOnly):
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
class OrderAdmin(Pages):
    """Every order as it stands, with what was found and what happened."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=named",)
    name = "chain_order"

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the orders that the address asks for, fifty at a time."""
        self._require(request)
        asked = listing.AskedOrders.read(request.GET)
        found = listing.of_orders(asked)
        shown = {
            "title": "Expected transfers",
            "asked": asked,
            "page": found,
            "choices": [
                ("state", "Any status", STATES, asked.state),
                ("owner", "Any institution", tenants.choices(asked.owner), asked.owner),
                ("chain", "Any chain", listing.TITLES, asked.chain),
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
        shown = page.context(row=row, user=cast(User, request.user))
        return self.draw(request, "chain/order.html", shown)


@admin.register(Transfer)
class TransferAdmin(Pages):
    """Every transfer that was seen, and what it settles."""

    search_fields = ("=tx_hash",)
    name = "chain_transfer"

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the transfers that the address asks for, fifty at a time."""
        self._require(request)
        asked = listing.AskedTransfers.read(request.GET)
        found = listing.of_transfers(asked)
        shown = {
            "title": "Transfers seen",
            "asked": asked,
            "page": found,
            "choices": [("kind", "All", listing.KINDS, asked.kind)],
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
        shown = page.of_transfer(row, cast(User, request.user))
        return self.draw(request, "chain/transfer.html", shown)
