"""The ESG report: adverse impacts, sub-scores, CSRD data (document 2 section 4)."""

from apps.esg.evidence import EvidenceUnproved
from apps.esg.gather import EsgDataUnavailable, NoLei
from apps.esgoracle.entity import EntityUnknown
from apps.registry.proof import RegistrationUnproved
from apps.registry.reads import NotRegistered
from apps.reports.asking import EsgQuery
from apps.reports.catalogue import about
from apps.reports.parts import entities
from apps.reports.rules import esg
from apps.reports.rules.reading import at, words
from apps.reports.shape import Figure, Paragraph, Report
from apps.sfdr.portfolio import RateUnavailable
from config import prices

MICROSOFT = "INR2EJN1ERAN0W5ZP974"

ESG = Report(
    name="esg",
    title="ESG report",
    about="Sells a report on an entity's ESG: adverse impacts, sub-scores, CSRD data.\n\n"
    "Name it by `lei`, or by the `address` of a wallet that is registered to it. Findings are rows "
    "of published rules over its score, the 18 adverse impacts of SFDR and what is on record for "
    "sustainability reporting; what is missing is told, and never imputed.",
    price=prices.REPORT_ESG,
    gives=(
        "ESG score with its three pillars, and everything that each is made of",
        "The 18 principal adverse impacts of SFDR, with status, value and coverage",
        "Whether Articles 8 and 9 of SFDR are met, and which conditions are not",
        "What is on record for the disclosures of sustainability reporting (ESRS)",
        "The same as JSON, as a page with charts, and as PDF",
    ),
    asks=EsgQuery,
    example={"lei": MICROSOFT},
    resolve=about.an_entity,
    parts=(entities.PART,),
    rules=esg.RULES,
    story=(
        Paragraph(heading="ESG sub-scores", tell=esg.told_scores),
        Paragraph(heading="Principal adverse impacts", tell=esg.told_impacts),
        Paragraph(heading="Sustainability reporting", tell=esg.told_csrd),
    ),
    figures=(
        Figure(title="Entity", read=lambda d: str(at(d, "entity.name"))),
        Figure(title="ESG score", read=lambda d: f"{at(d, 'entity.score.composite')} of 100"),
        Figure(title="Tier", read=lambda d: words(at(d, "entity.score.feeTier"))),
        Figure(title="LEI", read=lambda d: words(at(d, "entity.leiStatus"))),
    ),
    headline=esg.headline,
    charts=esg.CHARTS,
    problems=(
        EntityUnknown,
        NotRegistered,
        NoLei,
        EsgDataUnavailable,
        EvidenceUnproved,
        RegistrationUnproved,
        RateUnavailable,
    ),
)
