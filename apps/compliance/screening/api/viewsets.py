"""Viewsets of screening (document 1 sections 2.6, 2.7, 2.9 and 4)."""

from django.http.response import HttpResponseBase
from rest_framework.request import Request

from apps.access.keys.models import KeyKind
from apps.compliance.screening.api.filters import ScreenFilter
from apps.compliance.screening.calendar.events import conclude_calendar
from apps.compliance.screening.combined.requests import build_screen_request
from apps.compliance.screening.combined.selectors import gather_screen
from apps.compliance.screening.combined.services import conclude_screen
from apps.compliance.screening.combined.stored_screens import (
    ScreenIntegrityError,
    list_caller_screens,
    load_stored_screen,
    serialize_screen_summaries,
)
from apps.compliance.screening.pep.selectors import gather_pep_report
from apps.compliance.screening.pep.services import conclude_pep_report
from apps.compliance.screening.serializers.reports import (
    CalendarOut,
    PepIn,
    PepReportOut,
    UboIn,
    UboOut,
)
from apps.compliance.screening.serializers.screen import (
    ScreenIn,
    ScreenOut,
    ScreensOut,
    ScreensQuery,
)
from apps.compliance.screening.ubo.selectors import LeiUnavailable, LeiUnknown, gather_ubo_report
from apps.compliance.screening.ubo.services import conclude_ubo_report
from apps.platform.api.operations import Access, PathParameter, operation
from apps.platform.api.shapes import Identifier
from apps.platform.api.viewsets import OperationViewSet
from apps.platform.common.problems import NotFound
from apps.reference.watchlists.engine import ListsStale, ListsUnavailable
from config import prices

SUBSCRIBERS = (KeyKind.SUBSCRIPTION,)
LISTS = (ListsUnavailable, ListsStale)
SUPPLIER = {
    "name": "Blue Heron Stationery Limited",
    "country": "DE",
    "amount": 12000,
    "currency": "EUR",
    "paymentType": "vendor_payment",
    "reference": "INV-2026-0042",
}


class ScreenViewSet(OperationViewSet):
    """Screens of parties (document 1 section 2.7)."""

    path_parameters = {
        "screen_id": PathParameter(
            Identifier(), "The `screenId` of the answer.", made_by=("screen", "screenId")
        )
    }

    @operation(
        "screen",
        spec="1 §2.7",
        access=Access(keys=SUBSCRIBERS, price=prices.SCREEN, pays=True),
        request=ScreenIn,
        response=ScreenOut,
        example=SUPPLIER,
        problems=LISTS,
    )
    def create(self, request: Request) -> HttpResponseBase:
        """Screens a party before money moves: sanctions, PEP, country, amount, ownership.

        Returns APPROVED, FLAGGED (an officer decides; poll the screen for its `resolution`) or
        BLOCKED (stop; do not tell the counterparty). A check that could not run makes it FLAGGED.
        """
        return self.run(gather_screen, conclude_screen, build_screen_request)

    @operation(
        "screen-stored",
        spec="D §4",
        access=Access(keys=SUBSCRIBERS, session=True, payer=True),
        response=ScreenOut,
        problems=(NotFound, ScreenIntegrityError),
    )
    def retrieve(self, request: Request, screen_id: str) -> HttpResponseBase:
        """Returns one of the caller's stored screens, with its `resolution` once decided.

        Another caller's screen is 404. If you paid for it by x402, send that payment again, or
        another one that the same wallet signed: it is not taken.
        """
        return self.run(None, load_stored_screen)


class ScreenListViewSet(OperationViewSet):
    """The caller's screens (DESIGN section 4)."""

    filterset_class = ScreenFilter

    @operation(
        "screens",
        spec="D §4",
        access=Access(keys=SUBSCRIBERS, session=True),
        request=ScreensQuery,
        response=ScreensOut,
        example={"decision": "FLAGGED", "limit": 20},
    )
    def list(self, request: Request) -> HttpResponseBase:
        """Lists the caller's screens, newest first, each with its `resolution` once decided.

        Poll it with `decision=FLAGGED` to learn what officers decided. Page through it by `cursor`.
        """
        return self.run_list(list_caller_screens, serialize_screen_summaries)


class UboChainViewSet(OperationViewSet):
    """Screens of an entity and its owners (document 1 section 2.6)."""

    @operation(
        "ubo-chain",
        spec="1 §2.6",
        access=Access(keys=SUBSCRIBERS, price=prices.UBO_CHAIN, pays=True),
        request=UboIn,
        response=UboOut,
        example={"lei": "5493001KJTIIGC8Y1R12"},
        problems=(LeiUnknown, LeiUnavailable, *LISTS),
    )
    def create(self, request: Request) -> HttpResponseBase:
        """Screens an entity and its owners up to the ultimate parent; cached for 24 hours."""
        return self.run(gather_ubo_report, conclude_ubo_report)


class PepScreenViewSet(OperationViewSet):
    """Searches for politically exposed persons (document 1 section 2.6)."""

    @operation(
        "pep-screen",
        spec="1 §2.6",
        access=Access(keys=SUBSCRIBERS, price=prices.PEP_SCREEN, pays=True),
        request=PepIn,
        response=PepReportOut,
        example={"name": "Keir Starmer", "country": "GB"},
        problems=LISTS,
    )
    def create(self, request: Request) -> HttpResponseBase:
        """Searches for politically exposed persons by name; cached for 6 hours."""
        return self.run(gather_pep_report, conclude_pep_report)


class RegulatoryCalendarViewSet(OperationViewSet):
    """The regulatory calendar (document 1 section 2.9)."""

    @operation("regulatory-calendar", spec="1 §2.9", access=Access(open=True), response=CalendarOut)
    def list(self, request: Request) -> HttpResponseBase:
        """Lists 16 regulatory events and the feature that addresses each. Free."""
        return self.run(None, conclude_calendar)
