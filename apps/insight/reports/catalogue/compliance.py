"""The compliance report: sanctions, PEP, travel-rule status (document 2 section 4)."""

from apps.insight.esg.sfdr.entity_screen import LeiUnavailable, LeiUnknown
from apps.insight.reports.catalogue import subjects
from apps.insight.reports.catalogue.esg import MICROSOFT
from apps.insight.reports.definitions import HeadlineFigure, NarrativeParagraph, Report
from apps.insight.reports.parts import screens
from apps.insight.reports.rules import compliance
from apps.insight.reports.rules.report_data import format_code, value_at_path
from apps.insight.reports.serializers.queries import ComplianceQuery
from apps.reference.watchlists.engine import ListsStale, ListsUnavailable
from config import prices

COMPLIANCE = Report(
    name="compliance",
    title="Compliance report",
    about="Sells a compliance report on a party: sanctions, PEP, owners, travel rule status.\n\n"
    "Name the party by `lei`, by `name`, or by both. The party and its owners are screened by the "
    "rules of the combined screen; `data.screen.lists` has the versions of the lists, the matcher "
    "and the rules. No payment depends on the report, so it opens no case.",
    price=prices.REPORT_COMPLIANCE,
    gives=(
        "Screening against every sanctions list held, with each match and its score",
        "PEP screening",
        "Ownership chain from GLEIF, each entity screened, with the gaps in the record",
        "Travel rule status: the party's identification under FATF R.16, and thresholds",
        "Available as JSON, as a page with charts, and as PDF",
    ),
    asks=ComplianceQuery,
    example={"lei": MICROSOFT, "name": "Microsoft Corporation"},
    resolve=subjects.resolve_party,
    parts=(screens.PART,),
    rules=compliance.RULES,
    story=(
        NarrativeParagraph(heading="Sanctions", tell=compliance.describe_sanctions),
        NarrativeParagraph(
            heading="Politically exposed persons", tell=compliance.describe_pep_search
        ),
        NarrativeParagraph(heading="Ownership", tell=compliance.describe_owners),
        NarrativeParagraph(heading="Travel rule", tell=compliance.describe_travel_rule),
    ),
    figures=(
        HeadlineFigure(title="Party", read=lambda d: str(value_at_path(d, "screen.subject.name"))),
        HeadlineFigure(
            title="Screen", read=lambda d: format_code(value_at_path(d, "screen.decision"))
        ),
        HeadlineFigure(
            title="Risk", read=lambda d: f"{value_at_path(d, 'screen.riskScore')} of 100"
        ),
        HeadlineFigure(
            title="Nearest listed name, including owners",
            read=lambda d: f"{compliance.highest_match_score(d)} %",
        ),
        HeadlineFigure(
            title="FATF R.16",
            read=lambda d: format_code(value_at_path(d, "screen.travelRule.basis")),
        ),
    ),
    headline=compliance.compliance_headline,
    charts=compliance.CHARTS,
    tables=compliance.TABLES,
    problems=(LeiUnknown, LeiUnavailable, ListsUnavailable, ListsStale),
)
