"""The tables of the AML engine as docs/rules.md shows them. Pure."""

from collections.abc import Iterator, Sequence

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
from apps.compliance.aml.rules.engine import SLICE
from apps.compliance.aml.rules.profile_inclusion import EXCLUSIONS
from apps.compliance.aml.rules.scorecard import POINT
from apps.compliance.aml.rules.signal_context import FiredSignal, Signal
from apps.compliance.aml.rules.signals import SIGNALS
from apps.platform.common.rule_tables import Table, build_table


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
        ("`name`", "`ref`", "words", lambda one: f"{one.caution} %"),
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
            lambda one: "yes" if one.sanctions else "",
            lambda one: "yes" if one.counts_again else "",
            lambda one: "yes" if one.flags else "",
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


REACH_HEAD = (
    "signal",
    "is",
    "alone",
    "alone, younger than a month",
    "with all that is measured",
    "with all facts",
)


def render_reach_table() -> str:
    """Return the table of docs/aml.md: what each signal may lead to, alone and together."""
    lines = [REACH_HEAD, ("---",) * len(REACH_HEAD), *build_reach_rows()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def build_reach_rows() -> Iterator[tuple[str, ...]]:
    """Yield of each signal what it leads to at most, by the rules themselves, at prior weights."""
    measured = [signal for signal in SIGNALS if not signal.fact_from]
    facts = [signal for signal in SIGNALS if signal.fact_from]
    for signal in SIGNALS:
        kind = f"fact from strength {signal.fact_from}" if signal.fact_from else "measured"
        yield (
            f"`{signal.id}`",
            "flags by itself" if signal.flags else kind,
            reachable_action([signal]),
            reachable_action([signal], young=True),
            reachable_action([signal, *measured]),
            reachable_action([signal, *facts]),
        )


def reachable_action(rows: Sequence[Signal], *, young: bool = False) -> str:
    """Return the gravest action that signals lead to at full strength, by any maturity."""
    full = [FiredSignal(name, "", 100, "") for name in dict.fromkeys(row.id for row in rows)]
    counts = (0, 1) if young else (0, 1, 10, 100)
    actions = {
        scorecard.judge_signals(
            signals=full, count=n, weights=scorecard.prior_weights(), young=young
        ).action
        for n in counts
    }
    return next(f"`{one}`" for one in ("BLOCK", "FLAG", "PROCEED") if one in actions)


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
