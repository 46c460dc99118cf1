"""Strain that has built up over years while markets show no stress."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult, round_to_step
from apps.insight.intelligence.methods.monthly_values import last_value_by_month
from apps.insight.intelligence.methods.trigger_measures import FOUR_DECIMALS, place_in_own_history
from apps.insight.intelligence.rules.bands import label_of_score
from apps.insight.intelligence.rules.currency_web import TECTONIC_BANDS
from apps.insight.intelligence.rules.history_percentile_labels import signal_of_place
from apps.insight.intelligence.rules.tectonic_faults import (
    FAULTS,
    RELEASE_SERIES,
    STRAIN_YEARS,
    Fault,
)
from apps.reference.signals import carried_forward_labels
from apps.reference.signals.carried_forward_inputs import choose_carried_forward_inputs
from apps.reference.signals.composition import rank_in_history, split_score
from apps.reference.signals.quality import TooFewInputs, count_months, describe_short_history

# years that the figures of a fault must span
LEAST_YEARS = 10


def compute_tectonic(known: MethodInputs) -> MethodResult:
    """Return the strain not yet released; raises TooFewInputs without the stress of markets."""
    inputs = [known.input(fault.series, fault.weight) for fault in FAULTS]
    quality = known.judge([*inputs, known.input(RELEASE_SERIES, Decimal("0.2"), required=True)])
    release = place_in_own_history(known, RELEASE_SERIES)
    strains, held_faults = _measure_fault_strains(known)
    quality = carried_forward_labels.label_carried_forward_inputs(
        quality, held_faults, share=len(held_faults) / Decimal(len(strains) or 1)
    )
    held_weight = sum((fault.weight for fault in FAULTS if fault.name in strains), Decimal(0))
    aged = sum((fault.weight for fault in FAULTS if fault.series in held_faults), Decimal(0))
    if release is None or held_weight - aged < Decimal("0.6"):
        needed = [
            *((fault.series, STRAIN_YEARS + LEAST_YEARS) for fault in FAULTS),
            (RELEASE_SERIES, LEAST_YEARS),
        ]
        spans = [
            f"{name}: {describe_short_history(months, of=12 * years)}"
            for name, years in needed
            if (months := count_months(known.ageless.history(name))) < 12 * years
        ]
        raise TooFewInputs(f"Too few fault series are known. {'; '.join(spans)}.")
    shares = _split_strains(strains, release, held_weight)
    score = sum(shares.values(), Decimal(0))
    body: dict[str, Any] = {
        "tectonic_score": score,
        "regime": label_of_score(score, TECTONIC_BANDS),
        "strain": round_to_step(
            sum(
                (fault.weight * strains[fault.name] for fault in FAULTS if fault.name in strains),
                Decimal(0),
            )
            / held_weight,
            FOUR_DECIMALS,
        ),
        "release": release,
        "years": STRAIN_YEARS,
        "components": [
            _serialize_fault(known, fault, strains.get(fault.name), shares.get(fault.name))
            for fault in FAULTS
        ],
    }
    return MethodResult(body=body, quality=quality)


def _measure_fault_strains(method_inputs: MethodInputs) -> tuple[dict[str, Decimal], list[str]]:
    """Return the strains by fault, and the series of those that are held though too old."""
    then = method_inputs.ageless
    strains_by_fault = {
        fault.name: fault_strain
        for fault in FAULTS
        if (fault_strain := measure_fault_strain(then, fault)) is not None
    }
    old = {fault.series: (fault.weight, strains_by_fault.pop(fault.name)) for fault in FAULTS
           if fault.name in strains_by_fault and not method_inputs.point(fault.series)}  # fmt: skip
    held_names = choose_carried_forward_inputs(
        [
            (fault.weight, strains_by_fault[fault.name])
            for fault in FAULTS
            if fault.name in strains_by_fault
        ],
        old,
    )
    return strains_by_fault | {
        fault.name: old[fault.series][1] for fault in FAULTS if fault.series in held_names
    }, held_names


def _split_strains(
    strains: Mapping[str, Decimal], release: Decimal, held_weight: Decimal
) -> dict[str, Decimal]:
    """Return the contribution of each fault: its strain, less what market stress released."""
    weighed = {
        fault.name: fault.weight * strains[fault.name] * (100 - release) / 100
        for fault in FAULTS
        if fault.name in strains
    }
    return dict(zip(weighed, split_score([*weighed.values()], held=held_weight), strict=True))


def measure_fault_strain(known: MethodInputs, fault: Fault) -> Decimal | None:
    """Return the place of the change over five years among all such changes, 0 to 100.

    None where the figures span less than ten years, or the newest has none of five years before.
    """
    months = last_value_by_month(known.history(fault.series))
    back = 12 * STRAIN_YEARS
    pairs = {
        at: (months[at - back], value) for at, value in months.items() if months.get(at - back)
    }
    # the last pair must be of the newest month: an older change is not the current strain
    if not pairs or max(months) - min(months) < 12 * LEAST_YEARS or max(pairs) != max(months):
        return None
    changes = [
        round_to_step(now - then if fault.points else now / then - 1, Decimal("1e-9"))
        for then, now in pairs.values()
    ]
    return rank_in_history(changes[-1], sorted(changes), fault.direction)


def _serialize_fault(
    method_inputs: MethodInputs, fault: Fault, strained: Decimal | None, share: Decimal | None
) -> dict[str, Any]:
    point = (
        method_inputs.points.get(fault.series)
        if strained is not None
        else method_inputs.point(fault.series)
    )
    return {
        "fault": fault.name,
        "series": fault.series,
        "value": point.value if point else None,
        "score": strained,
        "signal": signal_of_place(strained),
        "source": point.source if point else "",
        "weight": fault.weight,
        "contribution": share,
        "why": fault.why,
        "reference": fault.reference,
    }
