"""The table of docs/aml.md: what each signal may lead to, by the rules themselves."""

from collections.abc import Iterator, Sequence

from apps.compliance.aml.rules import scorecard
from apps.compliance.aml.rules.signal_context import FiredSignal, Signal
from apps.compliance.aml.rules.signals import SIGNALS

REACH_HEAD = (
    "signal",
    "is",
    "alone",
    "alone, younger than a month",
    "with all that is measured",
    "with all facts",
)


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
