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
        "AML: rules that override the score",
        ("code", "reference", "when", "action"),
        (scorecard.LISTED, scorecard.ESCALATED),
        ("`code`", "`ref`", "words", lambda _: "`BLOCK`"),
    )
    yield build_table(
        "AML: cohorts; the first that holds",
        ("cohort", "reference", "when", "weight of behaviour"),
        scorecard.MATURITIES,
        ("`name`", "`ref`", "words", lambda row: f"{row.caution} %"),
    )
    yield build_table(
        "AML: signals, with their prior weights",
        ("signal", "title", "data", "source", "points", "sanctions", "counts again", "flags"),
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
    yield ("AML: limits of a score", ("limit", "points"), list(_score_bounds()))
    yield build_table(
        "AML: payments excluded from profiles; the first that holds",
        ("code", "when"),
        EXCLUSIONS,
        ("`code`", "words"),
    )
    yield ("AML: limits of learnt weights", ("limit", "value"), list(_calibration_bounds()))


def _score_bounds() -> Iterator[tuple[str, str]]:
    yield "Most for signals that count the same payments", str(scorecard.TOGETHER // POINT)
    yield "If the strongest of them alone scores more", "the strongest alone"
    yield "Least for a sanctions hit", str(scorecard.HIT // POINT)
    yield "Most for all signals that are measured, not facts", str(scorecard.MEASURED // POINT)
    yield "The same for a wallet younger than a month", str(scorecard.FIRST_DAYS // POINT)
    yield "Least with a signal that flags by itself", str(scorecard.FLAGGED // POINT)


def _calibration_bounds() -> Iterator[tuple[str, str]]:
    low, high = FURTHEST
    yield "Fewest decisions of a cohort for its weights to change", str(FROZEN_BELOW)
    yield "Decisions with a signal for half of its weight to be learnt", str(SHRINK)
    yield (
        "Points for a signal e times as frequent in payments found bad as in those found good",
        str(PER_NAT // POINT),
    )
    yield "Most that one step changes a weight, of its prior", f"{MOST_MOVE} %"
    yield "Least and most of a weight, of its prior", f"{low} % to {high} %"
    yield "Fewest decisions of each class for a cohort to be measured", str(MEASURED_FROM)
    yield "AUC that a measured cohort may lose", str(WORSE)
    yield "Low scores of which one is selected for review", str(SLICE)
