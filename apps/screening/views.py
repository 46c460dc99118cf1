"""The combined screen's endpoints (document 1 sections 2.7 and 4)."""

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.access.auth import KeyView, principal
from apps.access.models import Kind
from apps.core.clock import now
from apps.core.idempotency import Claim, idempotent
from apps.core.pagination import Cursor
from apps.screening import actions
from apps.screening.checks import Asked
from apps.screening.models import Screen
from apps.screening.serializers import ScreenIn, ScreenOut, ScreensOut, ScreensQuery

EXAMPLE = {
    "name": "Blue Heron Stationery Limited",
    "country": "DE",
    "amount": 12000,
    "currency": "EUR",
    "paymentType": "vendor_payment",
    "reference": "INV-2026-0042",
}
UNAVAILABLE = {503: "lists_unavailable, lists_stale: no current list to screen against"}


class ScreenView(KeyView):
    """Screens a party before money moves: sanctions, PEP, country, amount and ownership.

    Answers APPROVED, FLAGGED (an officer decides; poll the screen for its `resolution`) or
    BLOCKED (stop; do not tell the counterparty). A check that could not run makes it FLAGGED.
    Honours Idempotency-Key. Document 1 section 2.7.
    """

    key_kinds = (Kind.SUBSCRIPTION,)
    problems = UNAVAILABLE

    @extend_schema(
        operation_id="screen",
        request=ScreenIn,
        responses=ScreenOut,
        examples=[OpenApiExample("a supplier", EXAMPLE, request_only=True)],
    )
    @idempotent
    def post(self, request: Request, *, claim: Claim) -> Response:
        asked = Asked(**self.read(ScreenIn, request))
        body = actions.screen(
            asked=asked,
            owner=principal(request).ref,
            account_id=principal(request).account_id,
            now=now(),
            finish=claim.complete,
        )
        return Response(body)


class ScreensView(KeyView):
    """Lists the calling account's screens, newest first, with each `resolution` once decided.

    Poll it with `decision=FLAGGED` to learn what officers decided. Pages by `cursor`.
    """

    key_kinds = (Kind.SUBSCRIPTION,)

    @extend_schema(operation_id="screens", parameters=[ScreensQuery], responses=ScreensOut)
    def get(self, request: Request) -> Response:
        asked = self.read_query(ScreensQuery, request)
        screens = Screen.objects.of(principal(request).ref)
        if asked.get("decision"):
            screens = screens.filter(decision=asked["decision"])
        pages = Cursor()
        page = pages.paginate_queryset(screens, request, view=self)
        return pages.get_paginated_response(actions.listed(page or []))


class StoredScreenView(KeyView):
    """Gives a stored screen of the calling account, with its `resolution` once decided.

    Another account's screen answers 404. DESIGN section 4, Combined screen.
    """

    key_kinds = (Kind.SUBSCRIPTION,)

    @extend_schema(operation_id="screen_stored", responses={200: ScreenOut})
    def get(self, request: Request, screen_id: str) -> Response:
        return Response(actions.stored(screen_id=screen_id, owner=principal(request).ref))
