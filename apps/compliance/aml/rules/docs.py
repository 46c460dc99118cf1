"""The tables of the AML engine as docs/rules.md shows them. Pure."""

from collections.abc import Iterator

from apps.compliance.aml.rules import scorecard
from apps.compliance.aml.rules.calibration import (
    FROZEN_BELOW,
    FURTHEST,
    MEASURED_FROM,
    MOST_MOVE,
    PER_NAT,
    SHRINK,
    WORSE,
)
from apps.compliance.aml.rules.payment_judgement import SLICE
from apps.compliance.aml.rules.profile_inclusion import EXCLUSIONS
from apps.compliance.aml.rules.scorecard import POINT
from apps.compliance.aml.rules.signals import SIGNALS
from apps.platform.common.rule_docs import Table, build_table


def build_rule_tables() -> Iterator[Table]:
    """Yield title, head and rows of each table."""
    yield build_table(
        f"AML: tier and action by score, version {scorecard.VERSION}",
        ("code", "reference", "when", "tier", "action"),
        scorecard.TIERS,
        ("`code`", "`ref`", "words", "`name`", "`action`"),
    )
    yield build_table(
        "AML: rules above the score",
        ("code", "reference", "when", "action"),
        (scorecard.LISTED, scorecard.ESCALATED),
        ("`code`", "`ref`", "words", lambda _: "`BLOCK`"),
    )
    yield build_table(
        "AML: cohorts; the first that holds",
        ("cohort", "reference", "when", "behaviour weighs"),
        scorecard.MATURITIES,
        ("`name`", "`ref`", "words", lambda row: f"{row.caution} %"),
    )
    yield build_table(
        "AML: signals, with their weights before anything is learnt",
        ("signal", "title", "looks at", "rests on", "points", "sanctions", "counts again", "flags"),
        SIGNALS,
        (
            "`id`",
            "title",
            "looks_at",
            "source",
            "weight",
            lambda row: "yes" if row.sanctions else "",
            lambda row: "yes" if row.counts_again else "",
            lambda row: "yes" if row.flags else "",
        ),
    )
    yield ("AML: bounds of a score", ("bound", "points"), list(_score_bounds()))
    yield build_table(
        "AML: payments that enter no profile; the first that holds",
        ("code", "when"),
        EXCLUSIONS,
        ("`code`", "words"),
    )
    yield ("AML: bounds of what is learnt", ("bound", "value"), list(_calibration_bounds()))


def _score_bounds() -> Iterator[tuple[str, str]]:
    yield "Most of signals that count the same payments", str(scorecard.TOGETHER // POINT)
    yield "Where the strongest of them alone brings more", "the strongest alone"
    yield "Least of a sanctions hit", str(scorecard.HIT // POINT)
    yield "Most of all that is no fact", str(scorecard.MEASURED // POINT)
    yield "The same of a wallet younger than a month", str(scorecard.FIRST_DAYS // POINT)
    yield "Least where a signal holds that flags by itself", str(scorecard.FLAGGED // POINT)


def _calibration_bounds() -> Iterator[tuple[str, str]]:
    low, high = FURTHEST
    yield "Decisions of a cohort below which its weights are frozen", str(FROZEN_BELOW)
    yield "Decisions with a signal at which half of its weight is learnt", str(SHRINK)
    yield (
        "Points for a signal that is e times as frequent where it was wrong",
        str(PER_NAT // POINT),
    )
    yield "Most that one step moves a weight, of its prior", f"{MOST_MOVE} %"
    yield "Least and most of a weight, of its prior", f"{low} % to {high} %"
    yield "Decisions of each class from which a cohort is measured", str(MEASURED_FROM)
    yield "AUC that a measured cohort may lose", str(WORSE)
    yield "Low scores of which one is drawn for review", str(SLICE)
