"""What the seven layers show, and what rests on all of them: used by every product on shocks."""

from decimal import Decimal
from typing import Any

from apps.intelligence.known import Known
from apps.intelligence.rules.layers import LAYERS, ROWS, state_of
from apps.intelligence.rules.signals import signal_of
from apps.signals import holding
from apps.signals.composing import Composed, split
from apps.signals.composites import Composite
from apps.signals.quality import Quality, Unavailable

Layers = dict[str, Composed | None]


def measured(known: Known) -> Layers:
    """Return each layer's composite; None where too little of it is known.

    One that has grown too old is held where it is more strained than the others are on average.
    """
    found = {one.code: known.composed_or_none(one.row) for one in LAYERS}
    then = known.ageless
    if then is known:
        return found
    old = {one.code: made for one in LAYERS
           if not found[one.code] and (made := then.composed_or_none(one.row))}  # fmt: skip
    alike = Decimal(1)
    kept = holding.held(
        [(alike, made.score) for made in found.values() if made],
        {code: (alike, made.score) for code, made in old.items()},
    )
    return found | {code: old[code] for code in kept}


def last(known: Known, layers: Layers) -> Layers:
    """Return each layer as it was last known, however old; `layers` are those measured."""
    then = known.ageless
    return layers if then is known else measured(then)


def scores(layers: Layers) -> dict[str, Decimal | None]:
    """Return each layer's score, 0 to 100; None where it is not known."""
    return {code: made.score if made else None for code, made in layers.items()}


def quality(known: Known, layers: Layers) -> Quality:
    """Return how good an answer of the layers is; raises Unavailable under six tenths of them.

    What cannot be made of a layer counts as missing, with all its series.
    """
    found = [one for one in LAYERS if layers[one.code] and _in_age(known, one.row)]
    if Decimal(len(found)) / len(LAYERS) < Decimal("0.6"):
        raise Unavailable("Too few of the layers that this rests on can be told.")
    made = known.judge(
        [known.input(part.series, part.weight) for row in ROWS for part in row.parts]
    )
    used = [one for made in layers.values() if made for one in made.contributions]
    old = [one for one in used if not known.point(one.series)]
    whole = sum((one.weight for one in used), Decimal(0))
    share = sum((one.weight for one in old), Decimal(0)) / whole
    return holding.told(made, [one.series for one in old], share=share)


def _in_age(known: Known, row: Composite) -> bool:
    """Tell whether a layer is of figures in age, and not held."""
    lacking = [part for part in row.parts if not known.point(part.series)]
    held = 1 - sum((part.weight for part in lacking), Decimal(0))
    return held >= row.coverage and not any(part.required for part in lacking)


def told(layers: Layers) -> list[dict[str, Any]]:
    """Return the layers in the words of the API; see LayerOut. Contributions sum to `whole`."""
    shares = split_of(_known(layers))
    return [
        {
            "layer": one.code,
            "name": one.name,
            "status": state_of(made.score if (made := layers[one.code]) else None),
            "score": made.score if made else None,
            "contribution": shares.get(one.code),
            "composite": one.composite,
        }
        for one in LAYERS
    ]


def split_of(values: dict[str, Decimal]) -> dict[str, Decimal]:
    """Return what each of some values adds to their mean, which these sum to, exactly."""
    return dict(zip(values, split([*values.values()], held=Decimal(len(values))), strict=True))


def components(layers: Layers) -> list[dict[str, Any]]:
    """Return the layers as inputs; see NodeOut. One that is not known has null and UNKNOWN."""
    return [
        {
            "node": one.code,
            "name": one.name,
            "value": made.score if (made := layers[one.code]) else None,
            "signal": signal_of(made.score if made else None),
            "source": "+".join(_publishers(made)) if made else "",
        }
        for one in LAYERS
    ]


def _publishers(made: Composed) -> list[str]:
    names = [name for one in made.contributions for name in one.point.source.split("+")]
    return list(dict.fromkeys(names))


def whole(layers: Layers) -> Decimal:
    """Return the mean of the layers that are known, 0 to 100."""
    return sum(split_of(_known(layers)).values(), Decimal(0))


def _known(layers: Layers) -> dict[str, Decimal]:
    return {code: made.score for code, made in layers.items() if made}
