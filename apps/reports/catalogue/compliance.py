"""The compliance report: sanctions, PEP, travel-rule status (document 2 section 4)."""

from apps.reports.asking import ComplianceQuery
from apps.reports.catalogue import about
from apps.reports.catalogue.esg import MICROSOFT
from apps.reports.parts import screens
from apps.reports.rules import compliance
from apps.reports.rules.reading import at, words
from apps.reports.shape import Figure, Paragraph, Report
from apps.sfdr.screens import LeiUnavailable, LeiUnknown
from apps.watchlists.engine import ListsStale, ListsUnavailable
from config import prices

COMPLIANCE = Report(
    name="compliance",
    title="Compliance report",
    about="Sells a report on a party: sanctions, PEP, owners, travel-rule status.\n\n"
    "Name it by `lei`, by `name`, or by both. The party and its owners are screened by the rules "
    "of the combined screen; `data.screen.lists` has the versions of lists, matcher and rules. No "
    "money moves on it: it opens no case and asks no officer.",
    price=prices.REPORT_COMPLIANCE,
    gives=(
        "Screen against every list of sanctions that is held, with each match and its score",
        "Screen against holders of public offices",
        "Chain of ownership by GLEIF, each entity screened, with what is not on record",
        "Travel-rule status: what the party's LEI is worth under FATF R.16, and thresholds",
        "The same as JSON, as a page with charts, and as PDF",
    ),
    asks=ComplianceQuery,
    example={"lei": MICROSOFT, "name": "Microsoft Corporation"},
    resolve=about.a_party,
    parts=(screens.PART,),
    rules=compliance.RULES,
    story=(
        Paragraph(heading="Sanctions", tell=compliance.told_sanctions),
        Paragraph(heading="Politically exposed persons", tell=compliance.told_offices),
        Paragraph(heading="Ownership", tell=compliance.told_owners),
        Paragraph(heading="Travel rule", tell=compliance.told_travel_rule),
    ),
    figures=(
        Figure(title="Party", read=lambda d: str(at(d, "screen.subject.name"))),
        Figure(title="Screen", read=lambda d: words(at(d, "screen.decision"))),
        Figure(title="Risk", read=lambda d: f"{at(d, 'screen.riskScore')} of 100"),
        Figure(
            title="Nearest listed name, owners too", read=lambda d: f"{compliance.nearest(d)} %"
        ),
        Figure(title="FATF R.16", read=lambda d: words(at(d, "screen.travelRule.basis"))),
    ),
    headline=compliance.headline,
    charts=compliance.CHARTS,
    tables=compliance.TABLES,
    problems=(LeiUnknown, LeiUnavailable, ListsUnavailable, ListsStale),
)
