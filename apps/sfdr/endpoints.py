"""The endpoints of SFDR reports (document 1 sections 2.8, 4 and 5)."""

from apps.access.models import Kind
from apps.core.endpoints import Access, Endpoint, Id
from apps.core.problems import NotFound
from apps.core.shapes import Identifier
from apps.esg.evidence import EvidenceUnproved
from apps.sfdr import exports, kept, reports, screens
from apps.sfdr.portfolio import RateUnavailable
from apps.sfdr.serializers import (
    PaiExportOut,
    PaiExportQuery,
    PaiIn,
    PaiOut,
    PaiPartialOut,
    PaiPartialQuery,
    SfdrScreenExportOut,
    SfdrScreenIn,
    SfdrScreenOut,
)
from apps.watchlists.engine import ListsStale, ListsUnavailable
from config import prices

SERVICE = "compliance"
SUBSCRIBERS = (Kind.SUBSCRIPTION,)
REPORT = Id(Identifier(), "The `reportId` of the answer.", made_by=("sfdr-pai-report", "reportId"))
SCREENING = Id(
    Identifier(), "The `screeningId` of the answer.", made_by=("sfdr-screen", "screeningId")
)
FILES = tuple(one.split(";")[0] for form, one in exports.TYPES.items() if form != "json")
PAID = Access(session=True, payer=True)
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
        "covers. Send `quarters` (the mean of four, as Article 6(3) asks) or `holdings` of a day, "
        "with values and with inputs that you have, to weight and complete it. With a "
        "subscription key the report is yours to read again and to take along as a file.",
        access=Access(open=True, may=SUBSCRIBERS),
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
        problems=(RateUnavailable, EvidenceUnproved),
    ),
    Endpoint(
        name="sfdr-pai-report-stored",
        method="GET",
        path="sfdr/pai-report/<str:report_id>",
        service=SERVICE,
        spec="D §4",
        about="Gives a report again to the client whose key was sent with it.",
        access=Access(keys=SUBSCRIBERS),
        ids={"report_id": REPORT},
        answers=PaiOut,
        conclude=kept.again,
        problems=(NotFound, kept.RecordUnproved),
    ),
    Endpoint(
        name="sfdr-pai-report-export",
        method="GET",
        path="sfdr/pai-report/<str:report_id>/export",
        service=SERVICE,
        spec="D §4",
        about="Gives a report as a file, with every figure that it rests on: JSON, CSV or XLSX.",
        access=Access(keys=SUBSCRIBERS),
        ids={"report_id": REPORT},
        asks=PaiExportQuery,
        answers=PaiExportOut,
        conclude=kept.told,
        view=kept.file,
        files=FILES,
        problems=(NotFound, kept.RecordUnproved),
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
        problems=(RateUnavailable, EvidenceUnproved),
    ),
    Endpoint(
        name="sfdr-screen",
        method="POST",
        path="sfdr/screen",
        service=SERVICE,
        spec="1 §4",
        about="Screens an entity by all 18 indicators and the lists of sanctions; 10 USD by x402."
        "\n\nThe name must be that of the LEI. Where nothing can be computed, nothing is charged. "
        "The wallet that paid may read it again by its `screeningId`.",
        access=Access(price=prices.SFDR_SCREEN, pays=True),
        asks=SfdrScreenIn,
        answers=SfdrScreenOut,
        example={"lei": MICROSOFT, "name": "Microsoft Corporation"},
        gather=screens.gather,
        conclude=screens.conclude,
        problems=(
            RateUnavailable,
            EvidenceUnproved,
            screens.LeiUnknown,
            screens.LeiUnavailable,
            screens.NameMismatch,
            screens.SfdrDataUnavailable,
            ListsUnavailable,
            ListsStale,
        ),
    ),
    Endpoint(
        name="sfdr-screen-stored",
        method="GET",
        path="sfdr/screen/<str:screening_id>",
        service=SERVICE,
        spec="1 §4",
        about="Gives a screening again to the wallet that paid for it.\n\n"
        "Show the payment again, or a stream session of the same wallet: nothing more is taken.",
        access=PAID,
        ids={"screening_id": SCREENING},
        answers=SfdrScreenOut,
        conclude=kept.again,
        problems=(NotFound, kept.RecordUnproved),
    ),
    Endpoint(
        name="sfdr-screen-export",
        method="GET",
        path="sfdr/screen/<str:screening_id>/export",
        service=SERVICE,
        spec="D §4",
        about="Gives a screening as a file to the wallet that paid for it: JSON, CSV or XLSX.",
        access=PAID,
        ids={"screening_id": SCREENING},
        asks=PaiExportQuery,
        answers=SfdrScreenExportOut,
        conclude=kept.told,
        view=kept.file,
        files=FILES,
        problems=(NotFound, kept.RecordUnproved),
    ),
)
