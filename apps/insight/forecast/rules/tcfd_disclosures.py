"""The eleven recommended disclosures of the TCFD, and which of them a book can answer. Pure.

Task Force on Climate-related Financial Disclosures, Recommendations (2017), figure 4. The task
force was disbanded in October 2023; the ISSB now monitors disclosures, by IFRS S2.
"""

from dataclasses import dataclass

GOVERNANCE, STRATEGY = "Governance", "Strategy"
RISK_MANAGEMENT, METRICS = "Risk management", "Metrics and targets"
PILLARS = (GOVERNANCE, STRATEGY, RISK_MANAGEMENT, METRICS)
FULL, PART, NOT = "FULL", "PART", "NOT"
ANSWERS = (FULL, PART, NOT)
FRAMEWORK = "TCFD Recommendations (2017); continued by IFRS S2 Climate-related Disclosures (ISSB)"
NOTE = (
    "The TCFD was disbanded in October 2023 and the ISSB took over its work: IFRS S2 requires the "
    "same four pillars and more. This report covers the physical risk of a commodity book from "
    "current public figures, whatever its reporting period. It does not cover the entity's "
    "governance, processes, emissions or targets, nor transition risk, and does not replace the "
    "entity's own disclosure."
)
THEIRS = "Only the entity can answer this"


@dataclass(frozen=True, slots=True)
class Disclosure:
    """One disclosure: what it asks, whether a book answers it, and where or why not."""

    id: str
    pillar: str
    asks: str
    answered: str
    where: str


DISCLOSURES: tuple[Disclosure, ...] = (
    Disclosure(
        "GOV-a", GOVERNANCE, "The board's oversight of climate-related risks and opportunities",
        NOT, f"{THEIRS}: a commodity book does not show its board.",
    ),
    Disclosure(
        "GOV-b", GOVERNANCE, "Management's role in assessing and managing them",
        NOT, f"{THEIRS}: a commodity book does not show its management.",
    ),
    Disclosure(
        "STR-a", STRATEGY, "Risks and opportunities over the short, medium and long term",
        PART, "strategy.physicalRisks: physical risks over three months; no opportunities, no "
        "longer horizons.",
    ),
    Disclosure(
        "STR-b", STRATEGY, "Their impact on businesses, strategy and financial planning",
        PART, "strategy.scenarioAnalysis: impact on this book, in USD; not on plans.",
    ),
    Disclosure(
        "STR-c", STRATEGY, "Resilience of the strategy under scenarios, including one of 2 "
        "degrees or lower",
        PART, "strategy.scenarioAnalysis: past physical events; no emission pathways.",
    ),
    Disclosure(
        "RSK-a", RISK_MANAGEMENT, "Processes for identifying and assessing climate-related risks",
        PART, "The method of this service, by methodologyVersion; not the entity's processes.",
    ),
    Disclosure(
        "RSK-b", RISK_MANAGEMENT, "Processes for managing them",
        NOT, f"{THEIRS}: hedging is its decision.",
    ),
    Disclosure(
        "RSK-c", RISK_MANAGEMENT, "How these processes are integrated into overall risk management",
        NOT, f"{THEIRS}: a commodity book does not show its other risks.",
    ),
    Disclosure(
        "MET-a", METRICS, "Metrics used to assess climate-related risks and opportunities",
        PART, "metrics and riskManagement.exposureByTier: physical risk of this book, by scores "
        "that also include prices; no opportunities and no transition risk.",
    ),
    Disclosure(
        "MET-b", METRICS, "Scope 1, 2 and, if appropriate, 3 greenhouse gas emissions",
        NOT, f"{THEIRS}: a commodity book has no emissions inventory.",
    ),
    Disclosure(
        "MET-c", METRICS, "Targets, and performance against them",
        NOT, f"{THEIRS}: a commodity book has no targets.",
    ),
)  # fmt: skip
