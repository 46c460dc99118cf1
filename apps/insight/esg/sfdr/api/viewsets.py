"""Viewsets of SFDR reports (document 1 sections 2.8, 4 and 5)."""

from django.http.response import HttpResponseBase
from rest_framework.decorators import action
from rest_framework.request import Request

from apps.access.keys.models import KeyKind
from apps.insight.esg.evidence_figures import EvidenceIntegrityError
from apps.insight.esg.sfdr import entity_screen, exports, reports, stored_reports
from apps.insight.esg.sfdr.serializers import (
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
from apps.insight.esg.sfdr.services.assemble_portfolio import RateUnavailable
from apps.platform.api.operations import Access, PathParameter, operation
from apps.platform.api.shapes import Identifier
from apps.platform.api.viewsets import OperationViewSet
from apps.platform.common.problems import NotFound
from apps.reference.watchlists.engine import ListsStale, ListsUnavailable
from config import prices

SUBSCRIBERS = (KeyKind.SUBSCRIPTION,)
FILES = tuple(
    media_type.split(";")[0] for form, media_type in exports.TYPES.items() if form != "json"
)
PAID = Access(session=True, payer=True)
MICROSOFT, APPLE = "INR2EJN1ERAN0W5ZP974", "HWUPKR0MPOU8FGXBT394"


class PaiReportViewSet(OperationViewSet):
    """Reports on principal adverse impacts (document 1 section 2.8)."""

    path_parameters = {
        "report_id": PathParameter(
            Identifier(), "The `reportId` of the answer.", made_by=("sfdr-pai-report", "reportId")
        )
    }

    @operation(
        "sfdr-pai-report",
        spec="1 §2.8",
        access=Access(open=True, may=SUBSCRIBERS),
        request=PaiIn,
        response=PaiOut,
        example={
            "leis": [MICROSOFT, APPLE],
            "portfolioName": "Global technology",
            "reportingPeriod": "2025-Q4",
            "currency": "EUR",
        },
        problems=(RateUnavailable, EvidenceIntegrityError),
    )
    def create(self, request: Request) -> HttpResponseBase:
        """Computes the 18 principal adverse impact indicators of a portfolio. Free.

        Uses the formulas of Delegated Regulation (EU) 2022/1288, Annex I, Table 1. Missing data is
        DATA_REQUIRED and never imputed; each indicator says how much of the value it covers. Send
        `quarters` (the mean of four, as Article 6(3) requires) or `holdings` of a day, with values
        and with your own inputs, to weight and complete it. With a subscription key you can read
        the report again and download it as a file.
        """
        return self.run(reports.gather_report, reports.conclude_report)

    @operation(
        "sfdr-pai-report-stored",
        spec="D §4",
        access=Access(keys=SUBSCRIBERS),
        response=PaiOut,
        problems=(NotFound, stored_reports.RecordIntegrityError),
    )
    def retrieve(self, request: Request, report_id: str) -> HttpResponseBase:
        """Returns a stored report to the client whose key was sent with it."""
        return self.run(None, stored_reports.conclude_stored_report)

    @action(detail=True)
    @operation(
        "sfdr-pai-report-export",
        spec="D §4",
        access=Access(keys=SUBSCRIBERS),
        request=PaiExportQuery,
        response=PaiExportOut,
        file_types=FILES,
        problems=(NotFound, stored_reports.RecordIntegrityError),
    )
    def export(self, request: Request, report_id: str) -> HttpResponseBase:
        """Returns a report as a file, with every figure that it is based on: JSON, CSV or XLSX."""
        return self.run(None, stored_reports.stream_report_file)


class EntityImpactViewSet(OperationViewSet):
    """A preview of an entity's adverse impacts (document 1 section 2.8)."""

    @operation(
        "sfdr-partial",
        spec="1 §2.8",
        access=Access(open=True),
        request=PaiPartialQuery,
        response=PaiPartialOut,
        example={"lei": MICROSOFT},
        problems=(RateUnavailable, EvidenceIntegrityError),
    )
    def list(self, request: Request) -> HttpResponseBase:
        """Returns a preview of an entity's adverse impacts. Free."""
        return self.run(reports.gather_entity_report, reports.conclude_partial_report)


class SfdrScreenViewSet(OperationViewSet):
    """SFDR screens of entities (document 1 section 4)."""

    path_parameters = {
        "screening_id": PathParameter(
            Identifier(), "The `screeningId` of the answer.", made_by=("sfdr-screen", "screeningId")
        )
    }

    @operation(
        "sfdr-screen",
        spec="1 §4",
        access=Access(price=prices.SFDR_SCREEN, pays=True),
        request=SfdrScreenIn,
        response=SfdrScreenOut,
        example={"lei": MICROSOFT, "name": "Microsoft Corporation"},
        problems=(
            RateUnavailable,
            EvidenceIntegrityError,
            entity_screen.LeiUnknown,
            entity_screen.LeiUnavailable,
            entity_screen.NameMismatch,
            entity_screen.SfdrDataUnavailable,
            ListsUnavailable,
            ListsStale,
        ),
    )
    def create(self, request: Request) -> HttpResponseBase:
        """Screens an entity by all 18 indicators and the sanctions lists; 10 USD by x402.

        The name must be that of the LEI. If nothing can be computed, nothing is charged. The wallet
        that paid can read the result again by its `screeningId`.
        """
        return self.run(entity_screen.gather_screen, entity_screen.conclude_screen)

    @operation(
        "sfdr-screen-stored",
        spec="1 §4",
        access=PAID,
        response=SfdrScreenOut,
        problems=(NotFound, stored_reports.RecordIntegrityError),
    )
    def retrieve(self, request: Request, screening_id: str) -> HttpResponseBase:
        """Returns a stored screening to the wallet that paid for it.

        Send the payment again, or a stream session of the same wallet: nothing more is taken.
        """
        return self.run(None, stored_reports.conclude_stored_report)

    @action(detail=True)
    @operation(
        "sfdr-screen-export",
        spec="D §4",
        access=PAID,
        request=PaiExportQuery,
        response=SfdrScreenExportOut,
        file_types=FILES,
        problems=(NotFound, stored_reports.RecordIntegrityError),
    )
    def export(self, request: Request, screening_id: str) -> HttpResponseBase:
        """Returns a screening as a file to the wallet that paid for it: JSON, CSV or XLSX."""
        return self.run(None, stored_reports.stream_report_file)
