"""Gauges of rivers that carry freight, each compared with its own low-water mark. Pure."""

from dataclasses import dataclass
from decimal import Decimal

CM_PER_FOOT = Decimal("30.48")
# cm above the mark from which -> status, risk of a bottleneck
# The Rhine's mark is GlW, the level not reached on twenty ice-free days a year, and is read with
# its levels. The distances are those of Kaub, whose mark was 78 cm: ships load less from 130 cm
# down, only in part below 60 cm, and stop at about 30 cm.
RHINE_BANDS = ((52, "NORMAL", "LOW"), (0, "FALLING", "MODERATE"), (-18, "LOW", "HIGH"))
# The Mississippi's gauges are read against their own zero, which was set as low water; the steps
# of five feet are ours, after the stages that guides to navigation at Memphis call low (-5 to 15
# feet).
MISSISSIPPI_BANDS = ((152, "NORMAL", "LOW"), (0, "FALLING", "MODERATE"), (-152, "LOW", "HIGH"))
WORST = ("VERY_LOW", "SEVERE")
UNKNOWN = ("UNKNOWN", "UNKNOWN")
STATUS_WORDS = ("NORMAL", "FALLING", "LOW", WORST[0], UNKNOWN[0])
RISK_WORDS = ("LOW", "MODERATE", "HIGH", WORST[1], UNKNOWN[1])
Bands = tuple[tuple[int, str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RiverGauge:
    """A gauge: values times `scale` are cm; its mark is a series, or its zero where there is none.

    `name` is that of the field of the answer.
    """

    name: str
    title: str
    series: str
    bands: Bands
    mark: str = ""
    scale: Decimal = Decimal(1)


GAUGES: tuple[RiverGauge, ...] = (
    RiverGauge(
        name="rhine_kaub",
        title="Rhine at Kaub",
        series="river.kaub",
        mark="river.kaub.low",
        bands=RHINE_BANDS,
    ),
    RiverGauge(
        name="rhine_koeln",
        title="Rhine at Cologne",
        series="river.koeln",
        mark="river.koeln.low",
        bands=RHINE_BANDS,
    ),
    RiverGauge(
        name="mississippi",
        title="Mississippi at St. Louis",
        series="river.st_louis",
        scale=CM_PER_FOOT,
        bands=MISSISSIPPI_BANDS,
    ),
    RiverGauge(
        name="mississippi_memphis",
        title="Mississippi at Memphis",
        series="river.memphis",
        scale=CM_PER_FOOT,
        bands=MISSISSIPPI_BANDS,
    ),
)


def status_of_level(
    gauge: RiverGauge, level: Decimal | None, mark: Decimal | None
) -> tuple[str, str]:
    """Return the status of a level in cm, and the risk of a bottleneck that goes with it."""
    if level is None or mark is None:
        return UNKNOWN
    above = level - mark
    return next(((word, risk) for least, word, risk in gauge.bands if above >= least), WORST)
