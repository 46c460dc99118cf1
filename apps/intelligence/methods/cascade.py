"""Shocks that run through the layers of the economy (3 §2.7): found, followed, compared."""

from decimal import Decimal
from typing import Any

from apps.intelligence.known import Known, Made
from apps.intelligence.methods import lapsing, layering, spreading, triggering
from apps.intelligence.rules.cascades import CASCADES, confidence, runs
from apps.intelligence.rules.layers import whole

SERIES = tuple(
    dict.fromkeys(
        name
        for row in CASCADES
        for name in (*(one.series for one in row.triggers), *(step.lead for step in row.steps))
    )
)

SIGNALS = tuple(dict.fromkeys(one.series for row in CASCADES for one in row.triggers))


def compute(known: Known) -> Made:
    """Return the layers and the cascades that run; raises Unavailable under six tenths of them.

    Cascades are told by all as last known: a shock is not over because nobody tells of it any more.
    """
    layers = layering.measured(known)
    quality = layering.quality(known, layers)
    quality = lapsing.held(known, quality, SIGNALS, of=len(SIGNALS))
    active, warnings = _cascades(known.ageless, layering.scores(layering.last(known, layers)))
    mean = layering.whole(layers)
    status = whole(mean, cascades=len(active))
    body: dict[str, Any] = {
        "nervous_system": {
            "systemic_risk_score": mean,
            "overall_status": status,
            "active_cascade_count": len(active),
            "layers": layering.told(layers),
        },
        "active_cascades": active,
        "unpriced_risks": _unpriced(active),
        "systemic_narrative": _narrative(mean, status, active),
        "early_warning_signals": warnings,
        "components": layering.components(layers),
    }
    return Made(body=body, quality=quality)


def _cascades(
    known: Known, scores: dict[str, Decimal | None]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the cascades that run, surest first, and the signals that fire of the others."""
    active, warnings = [], []
    for row in CASCADES:
        seen = triggering.seen(known, row.triggers)
        share = confidence(row, seen)
        if share is not None and runs(share):
            active.append(spreading.cascade(row, share, seen, scores))
        else:
            fired = [triggering.told(one) for one in seen if one.fires]
            warnings += [one | {"type": row.type} for one in fired]
    return sorted(active, key=lambda one: -one["confidence"]), warnings


def _unpriced(active: list[dict[str, Any]]) -> list[str]:
    return [f"{one['label']}: {effect}" for one in active for effect in one["unpriced_effects"]]


def _narrative(mean: Decimal, status: str, active: list[dict[str, Any]]) -> str:
    names = ", ".join(one["label"] for one in active) or "none"
    return f"The layers stand at {mean} of 100 on average ({status}). Cascades that run: {names}."
