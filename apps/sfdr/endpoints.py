"""The endpoints of SFDR reports (document 1 sections 2.8, 4 and 5)."""

from apps.core.endpoints import Access, Endpoint, Id
from apps.core.problems import NotFound
from apps.core.shapes import Identifier
from apps.sfdr import reports, screens
from apps.sfdr.portfolio import RateUnavailable
from apps.sfdr.serializers import (
    PaiIn,
    PaiOut,
    PaiPartialOut,
    PaiPartialQuery,
    SfdrScreenIn,
    SfdrScreenOut,
)
from apps.watchlists.engine import ListsStale, ListsUnavailable
from config import prices

SERVICE = "compliance"
MICROSOFT, APPLE = "INR2EJN1ERAN0W5ZP974", "HWUPKR0MPOU8FGXBT394"

ENDPOINTS = (
    Endpoint(
        name="sfdr-pai-report",
        method="POST",
        path="sfdr/pai-report",
        service=SERVICE,
        spec="1 §2.8",
        about="Computes the 18 principal adverse impact indicators of a portfolio. Free.\n\n"
        "By the formulas of Delegated Regulation (EU) 2022/1288, Annex I, Table 1. What is missing "
        "is DATA_REQUIRED and is never imputed; each indicator says how much of the value it "
        "covers. Send `holdings` with values, and inputs that you have, to weight and complete it.",
        access=Access(open=True),
        asks=PaiIn,
        answers=PaiOut,
        example={
            "leis": [MICROSOFT, APPLE],
            "portfolioName": "Global technology",
            "reportingPeriod": "2025-Q4",
            "currency": "EUR",
        },
        gather=reports.gather,
        conclude=reports.conclude,
        problems=(RateUnavailable,),
    ),
    Endpoint(
        name="sfdr-partial",
        method="GET",
        path="sfdr/report",
        service=SERVICE,
        spec="1 §2.8",
        about="Gives a first look at an entity's adverse impacts. Free.",
        access=Access(open=True),
        asks=PaiPartialQuery,
        answers=PaiPartialOut,
        example={"lei": MICROSOFT},
        gather=reports.gather_entity,
        conclude=reports.partial,
        problems=(RateUnavailable,),
    ),
    Endpoint(
        name="sfdr-screen",
        method="POST",
        path="sfdr/screen",
        service=SERVICE,
        spec="1 §4",
        about="Screens an entity by all 18 indicators and the lists of sanctions; 10 USD by x402."
        "\n\nThe wallet that paid may read it again by its `screeningId`.",
        access=Access(price=prices.SFDR_SCREEN, pays=True),
        asks=SfdrScreenIn,
        answers=SfdrScreenOut,
        example={"lei": MICROSOFT, "name": "Microsoft Corporation"},
        gather=screens.gather,
        conclude=screens.conclude,
        problems=(RateUnavailable, ListsUnavailable, ListsStale),
    ),
    Endpoint(
        name="sfdr-screen-stored",
        method="GET",
        path="sfdr/screen/<str:screening_id>",
        service=SERVICE,
        spec="1 §4",
        about="Gives a screening again to the wallet that paid for it.\n\n"
        "Show who you are by a stream session of that wallet, which costs nothing more.",
        access=Access(session=True),
        ids={
            "screening_id": Id(
                Identifier(),
                "The `screeningId` of the answer.",
                made_by=("sfdr-screen", "screeningId"),
            )
        },
        answers=SfdrScreenOut,
        conclude=screens.again,
        problems=(NotFound, screens.ScreeningUnproved),
    ),
)
