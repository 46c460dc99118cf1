"""The tables of the AML engine as docs/rules.md shows them. Pure."""

from collections.abc import Iterator

from apps.aml.rules import scoring
from apps.aml.rules.calibration import (
    FROZEN_BELOW,
    FURTHEST,
    MEASURED_FROM,
    MOST_MOVE,
    PER_NAT,
    SHRINK,
    WORSE,
)
from apps.aml.rules.counting import OUTS
from apps.aml.rules.engine import SLICE
from apps.aml.rules.scoring import POINT
from apps.aml.rules.signals import SIGNALS

Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]


def tables() -> Iterator[Table]:
    """Yield title, head and rows of each table; config/rules.py names this."""
    yield (
        f"AML: tier and action by score, version {scoring.VERSION}",
        ("code", "reference", "when", "tier", "action"),
        [
            (f"`{t.code}`", f"`{t.ref}`", t.words, f"`{t.name}`", f"`{t.action}`")
            for t in scoring.TIERS
        ],
    )
    yield (
        "AML: rules above the score",
        ("code", "reference", "when", "action"),
        [
            (f"`{r.code}`", f"`{r.ref}`", r.words, "`BLOCK`")
            for r in (scoring.LISTED, scoring.ESCALATED)
        ],
    )
    yield (
        "AML: cohorts; the first that holds",
        ("cohort", "reference", "when", "behaviour weighs"),
        [(f"`{m.name}`", f"`{m.ref}`", m.words, f"{m.caution} %") for m in scoring.MATURITIES],
    )
    yield (
        "AML: signals, with their weights before anything is learnt",
        ("signal", "title", "looks at", "rests on", "points", "sanctions", "counts again"),
        [
            (
                f"`{s.id}`",
                s.title,
                s.looks_at,
                s.source,
                str(s.weight),
                "yes" if s.sanctions else "",
                "yes" if s.counts_again else "",
            )
            for s in SIGNALS
        ],
    )
    yield (
        "AML: signals that count the same payments",
        ("bound", "points"),
        [
            ("Most that those of them bring that hold together", str(scoring.TOGETHER // POINT)),
            ("Where the strongest alone brings more", "the strongest alone"),
        ],
    )
    yield (
        "AML: payments that enter no profile; the first that holds",
        ("code", "when"),
        [(f"`{one.code}`", one.words) for one in OUTS],
    )
    yield ("AML: bounds of what is learnt", ("bound", "value"), list(_bounds()))


def _bounds() -> Iterator[tuple[str, str]]:
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
