"""The ESG report: adverse impacts, sub-scores, CSRD data (document 2 section 4)."""

from apps.compliance.payees.selectors.public_lookups import NotRegistered
from apps.compliance.payees.selectors.registrations import RegistrationIntegrityError
from apps.insight.esg.evidence_figures import EvidenceIntegrityError
from apps.insight.esg.oracle.selectors.entity_score import EntityUnknown
from apps.insight.esg.selectors import EsgDataUnavailable, WalletWithoutLei
from apps.insight.esg.sfdr.services.assemble_portfolio import RateUnavailable
from apps.insight.reports.catalogue import subjects
from apps.insight.reports.definitions import HeadlineFigure, NarrativeParagraph, Report
from apps.insight.reports.parts import entities
from apps.insight.reports.rules import esg
from apps.insight.reports.rules.report_data import format_code, value_at_path
from apps.insight.reports.serializers.queries import EsgQuery
from config import prices

MICROSOFT = "INR2EJN1ERAN0W5ZP974"

ESG = Report(
    name="esg",
    title="ESG report",
    about="Sells an ESG report on an entity: adverse impacts, sub-scores, CSRD data.\n\n"
    "Name the entity by `lei`, or by the `address` of a wallet registered to it. Findings are "
    "rows of published rules on its score, the 18 adverse impacts of SFDR and the data on record "
    "for sustainability reporting; missing data is reported and never imputed.",
    price=prices.REPORT_ESG,
    gives=(
        "ESG score with its three pillars and their components",
        "The 18 principal adverse impacts of SFDR, with status, value and coverage",
        "Whether Articles 8 and 9 of SFDR are met, and the conditions that are not",
        "Data on record for the disclosures of sustainability reporting (ESRS)",
        "Available as JSON, as a page with charts, and as PDF",
    ),
    asks=EsgQuery,
    example={"lei": MICROSOFT},
    resolve=subjects.resolve_entity,
    parts=(entities.PART,),
    rules=esg.RULES,
    story=(
        NarrativeParagraph(heading="ESG sub-scores", tell=esg.describe_esg_scores),
        NarrativeParagraph(heading="Principal adverse impacts", tell=esg.describe_adverse_impacts),
        NarrativeParagraph(heading="Sustainability reporting", tell=esg.describe_disclosures),
    ),
    figures=(
        HeadlineFigure(title="Entity", read=lambda d: str(value_at_path(d, "entity.name"))),
        HeadlineFigure(
            title="ESG score", read=lambda d: f"{value_at_path(d, 'entity.score.composite')} of 100"
        ),
        HeadlineFigure(
            title="Tier", read=lambda d: format_code(value_at_path(d, "entity.score.feeTier"))
        ),
        HeadlineFigure(
            title="LEI", read=lambda d: format_code(value_at_path(d, "entity.leiStatus"))
        ),
    ),
    headline=esg.esg_headline,
    charts=esg.CHARTS,
    problems=(
        EntityUnknown,
        NotRegistered,
        WalletWithoutLei,
        EsgDataUnavailable,
        EvidenceIntegrityError,
        RegistrationIntegrityError,
        RateUnavailable,
    ),
)
