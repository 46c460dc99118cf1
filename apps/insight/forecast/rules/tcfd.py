"""The eleven recommended disclosures of the TCFD, and which of them a book can answer. Pure.

Task Force on Climate-related Financial Disclosures, Recommendations (2017), figure 4. The task
force was disbanded in October 2023; the ISSB watches over disclosures now, by IFRS S2.
"""

from dataclasses import dataclass

GOVERNANCE, STRATEGY = "Governance", "Strategy"
RISK_MANAGEMENT, METRICS = "Risk management", "Metrics and targets"
PILLARS = (GOVERNANCE, STRATEGY, RISK_MANAGEMENT, METRICS)
FULL, PART, NOT = "FULL", "PART", "NOT"
ANSWERS = (FULL, PART, NOT)
FRAMEWORK = "TCFD Recommendations (2017); carried on by IFRS S2 Climate-related Disclosures (ISSB)"
NOTE = (
    "The TCFD was disbanded in October 2023 and the ISSB took over its work: IFRS S2 asks for the "
    "same four pillars and more. This report tells the physical risk of a book of commodities by "
    "public figures as they are now, whatever period it is for. It tells nothing of the entity's "
    "governance, processes, emissions or targets, nor of transition risk, and does not replace the "
    "entity's own disclosure."
)
THEIRS = "Only the entity can say"


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
        NOT, f"{THEIRS}: its board is not in a book.",
    ),
    Disclosure(
        "GOV-b", GOVERNANCE, "Management's role in assessing and managing them",
        NOT, f"{THEIRS}: its management is not in a book.",
    ),
    Disclosure(
        "STR-a", STRATEGY, "Risks and opportunities over the short, medium and long term",
        PART, "strategy.physicalRisks: physical risks of three months; no opportunities, no years.",
    ),
    Disclosure(
        "STR-b", STRATEGY, "Their impact on businesses, strategy and financial planning",
        PART, "strategy.scenarioAnalysis: on this book, in USD; not on plans.",
    ),
    Disclosure(
        "STR-c", STRATEGY, "Resilience of the strategy under scenarios, 2 degrees or lower among "
        "them",
        PART, "strategy.scenarioAnalysis: dated physical events; no paths of emissions.",
    ),
    Disclosure(
        "RSK-a", RISK_MANAGEMENT, "Processes for identifying and assessing climate-related risks",
        PART, "The method of this service, by methodologyVersion; not the entity's processes.",
    ),
    Disclosure(
        "RSK-b", RISK_MANAGEMENT, "Processes for managing them",
        NOT, f"{THEIRS}: how it hedges is its decision.",
    ),
    Disclosure(
        "RSK-c", RISK_MANAGEMENT, "How these are part of overall risk management",
        NOT, f"{THEIRS}: its other risks are not in a book.",
    ),
    Disclosure(
        "MET-a", METRICS, "Metrics used to assess climate-related risks and opportunities",
        PART, "metrics and riskManagement.exposureByTier: physical risk of this book, by scores in "
        "which prices count too; no opportunities and no transition.",
    ),
    Disclosure(
        "MET-b", METRICS, "Scope 1, 2 and, where fitting, 3 greenhouse gas emissions",
        NOT, f"{THEIRS}: a book of commodities has no inventory of emissions.",
    ),
    Disclosure(
        "MET-c", METRICS, "Targets, and performance against them",
        NOT, f"{THEIRS}: targets are its own.",
    ),
)  # fmt: skip
