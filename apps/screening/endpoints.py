"""The endpoints of screening (document 1 sections 2.6, 2.7, 2.9 and 4)."""

from apps.access.models import Kind
from apps.core.endpoints import Access, Endpoint, Id
from apps.core.problems import NotFound
from apps.core.shapes import Identifier
from apps.screening.calendar import events as calendar
from apps.screening.combined import gather as combined
from apps.screening.combined.asked import asked
from apps.screening.combined.conclude import conclude
from apps.screening.combined.stored import RecordUnproved, listed, stored
from apps.screening.pep import conclude as pep_conclude
from apps.screening.pep import gather as pep
from apps.screening.serializers.reports import CalendarOut, PepIn, PepReportOut, UboIn, UboOut
from apps.screening.serializers.screen import ScreenIn, ScreenOut, ScreensOut, ScreensQuery
from apps.screening.ubo import conclude as ubo_conclude
from apps.screening.ubo import gather as ubo
from apps.watchlists.engine import ListsStale, ListsUnavailable
from config import prices

SERVICE = "compliance"
SUBSCRIBERS = (Kind.SUBSCRIPTION,)
LISTS = (ListsUnavailable, ListsStale)
SUPPLIER = {
    "name": "Blue Heron Stationery Limited",
    "country": "DE",
    "amount": 12000,
    "currency": "EUR",
    "paymentType": "vendor_payment",
    "reference": "INV-2026-0042",
}

ENDPOINTS = (
    Endpoint(
        name="screen",
        method="POST",
        path="compliance/screen",
        service=SERVICE,
        spec="1 §2.7",
        about="Screens a party before money moves: sanctions, PEP, country, amount, ownership.\n\n"
        "Answers APPROVED, FLAGGED (an officer decides; poll the screen for its `resolution`) or "
        "BLOCKED (stop; do not tell the counterparty). A check that could not run makes it "
        "FLAGGED.",
        access=Access(keys=SUBSCRIBERS, price=prices.SCREEN, pays=True),
        asks=ScreenIn,
        make=asked,
        answers=ScreenOut,
        example=SUPPLIER,
        gather=combined.gather,
        conclude=conclude,
        problems=LISTS,
    ),
    Endpoint(
        name="screens",
        method="GET",
        path="compliance/screens",
        service=SERVICE,
        spec="D §4",
        about="Lists the caller's screens, newest first, with each `resolution` once decided.\n\n"
        "Poll it with `decision=FLAGGED` to learn what officers decided. Pages by `cursor`.",
        access=Access(keys=SUBSCRIBERS, session=True),
        asks=ScreensQuery,
        answers=ScreensOut,
        example={"decision": "FLAGGED", "limit": 20},
        conclude=listed,
    ),
    Endpoint(
        name="screen-stored",
        method="GET",
        path="compliance/screen/<str:screen_id>",
        service=SERVICE,
        spec="D §4",
        about="Gives a stored screen of the caller, with its `resolution` once decided.\n\n"
        "Another caller's screen answers 404. Who paid for it by x402 shows the payment again, or "
        "another that the same wallet signed: it is not taken.",
        access=Access(keys=SUBSCRIBERS, session=True, payer=True),
        ids={
            "screen_id": Id(
                Identifier(), "The `screenId` of the answer.", made_by=("screen", "screenId")
            )
        },
        answers=ScreenOut,
        conclude=stored,
        problems=(NotFound, RecordUnproved),
    ),
    Endpoint(
        name="ubo-chain",
        method="POST",
        path="compliance/ubo-chain",
        service=SERVICE,
        spec="1 §2.6",
        about="Screens an entity and its owners up to the ultimate parent; kept 24 hours.",
        access=Access(keys=SUBSCRIBERS, price=prices.UBO_CHAIN, pays=True),
        asks=UboIn,
        answers=UboOut,
        example={"lei": "5493001KJTIIGC8Y1R12"},
        gather=ubo.gather,
        conclude=ubo_conclude.conclude,
        problems=(ubo.LeiUnknown, ubo.LeiUnavailable, *LISTS),
    ),
    Endpoint(
        name="pep-screen",
        method="POST",
        path="compliance/pep-screen",
        service=SERVICE,
        spec="1 §2.6",
        about="Looks for politically exposed persons of a name; kept 6 hours.",
        access=Access(keys=SUBSCRIBERS, price=prices.PEP_SCREEN, pays=True),
        asks=PepIn,
        answers=PepReportOut,
        example={"name": "Keir Starmer", "country": "GB"},
        gather=pep.gather,
        conclude=pep_conclude.conclude,
        problems=LISTS,
    ),
    Endpoint(
        name="regulatory-calendar",
        method="GET",
        path="compliance/regulatory-calendar",
        service=SERVICE,
        spec="1 §2.9",
        about="Lists 16 regulatory events and the feature that addresses each. Free.",
        access=Access(open=True),
        answers=CalendarOut,
        conclude=calendar.conclude,
    ),
)
