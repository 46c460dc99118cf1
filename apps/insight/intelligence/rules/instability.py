"""Origins of instability: weights, thresholds and actors of document 3 section 2.7. Pure."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from apps.insight.intelligence.rules.cascade_catalogue import (
    Cascade,
    HistoricalAnalog,
    build_cascade_step,
)
from apps.insight.intelligence.rules.trigger_types import build_trigger

# 40 % index, 20 % each trade policy, weaponization of the dollar, trend of the index
US_WEIGHTS: dict[str, Decimal] = {
    "epu_index": Decimal("0.4"),
    "trade_policy_volatility": Decimal("0.2"),
    "dollar_weaponization": Decimal("0.2"),
    "epu_trend": Decimal("0.2"),
}
# 40 % debt to GDP, 30 % trend of the deficit, 30 % expected inflation
FISCAL_WEIGHTS: dict[str, Decimal] = {
    "debt_to_gdp": Decimal("0.4"),
    "deficit_trend": Decimal("0.3"),
    "inflation_expectations": Decimal("0.3"),
}
# share of a score's weight that must be known for it to be given
LEAST_KNOWN_WEIGHT = Decimal("0.6")
INTENSITIES: tuple[tuple[int, str], ...] = ((70, "ACUTE"), (45, "ELEVATED"), (20, "MODERATE"))
LOW, NONE = "LOW", "NONE"
INTENSITY_WORDS = (*(word for _, word in INTENSITIES), LOW, NONE)

# score from which the United States are an origin
US_ACTIVE = Decimal(20)
# score from which they have a scenario
SCENARIO_SCORE = Decimal(30)
# exclusive bounds: renminbi for a dollar; per cent in 30 days
CNY_LEVEL, CNY_FALL = Decimal("7.25"), Decimal(2)
# exclusive bounds: basis points; per cent in 30 days
SPREAD, EUR_FALL = Decimal(200), Decimal(3)
# exclusive bounds: per cent of GDP; per cent
DEBT, INFLATION = Decimal(100), Decimal("2.5")
# signals of the index with which policy is a scenario
UNCERTAIN = ("HIGH", "EXTREME")
RUSSIA_SINCE = date(2022, 2, 24)


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """One origin of instability: its mode, the absorption outlook, historical comparisons."""

    name: str
    mode: str
    outlook: str
    comparisons: tuple[HistoricalAnalog, ...]


def intensity_of(*scores: Decimal | None) -> str:
    """Return the word for the higher of some scores; NONE where none is known."""
    known = [score for score in scores if score is not None]
    if not known:
        return NONE
    return next((word for bound, word in INTENSITIES if max(known) >= bound), LOW)


def is_us_origin(score: Decimal | None) -> bool:
    """Tell whether the United States are an origin."""
    return score is not None and score >= US_ACTIVE


def check_china_conditions(level: Decimal | None, fall: Decimal | None) -> tuple[bool, bool]:
    """Tell which of China's two conditions hold: renminbi for a dollar, its fall in 30 days."""
    return (level is not None and level > CNY_LEVEL, fall is not None and fall > CNY_FALL)


def check_union_conditions(spread: Decimal | None, fall: Decimal | None) -> tuple[bool, bool]:
    """Tell which of the Union's two conditions hold: Italy's spread, the euro's fall in 30 days."""
    return (spread is not None and spread > SPREAD, fall is not None and fall > EUR_FALL)


def intensity_of_conditions(held: tuple[bool, bool]) -> str:
    """Return the intensity of an actor: one condition is MODERATE, both are ELEVATED."""
    return {0: LOW, 1: "MODERATE"}.get(sum(held), "ELEVATED")


def is_policy_scenario(signal: str, score: Decimal | None) -> bool:
    """Tell whether US_POLICY_INSTABILITY is one: index HIGH or EXTREME, score 30 or more."""
    return signal in UNCERTAIN and score is not None and score >= SCENARIO_SCORE


def is_fiscal_scenario(
    debt: Decimal | None,
    *,
    deteriorating: bool | None,
    inflation: Decimal | None,
    score: Decimal | None,
) -> bool:
    """Tell whether US_FISCAL_DOMINANCE_RISK is one: debt above GDP, with a deficit that grows or
    inflation above 2.5 %, and a score of 30 or more.
    """
    worse = bool(deteriorating) or (inflation is not None and inflation > INFLATION)
    large = debt is not None and debt > DEBT
    return large and worse and score is not None and score >= SCENARIO_SCORE


def _build_analog(
    name: str, began: date, ended: date, note: str, reference: str
) -> HistoricalAnalog:
    return HistoricalAnalog(name=name, began=began, ended=ended, note=note, reference=reference)


_SPEC = "document 3 section 2.7"
POLICY = Cascade(
    type="US_POLICY_INSTABILITY",
    label="US policy instability",
    entry="L1",
    triggers=(
        build_trigger(
            "us.epu.30d", "place", "80", "1", "Policy uncertainty is high or extreme", _SPEC
        ),
    ),
    steps=(
        build_cascade_step(
            "L3",
            4,
            26,
            "us.tpu",
            "Orders and investment are postponed.",
            "Caldara et al. 2020, JME 109",
        ),
        build_cascade_step(
            "L5",
            0,
            12,
            "fx.usd.EUR",
            "Reserves move out of the dollar.",
            "Arslanalp, Eichengreen and Simpson-Bell 2022, JIE 138",
            -1,
        ),
        build_cascade_step(
            "L7",
            0,
            8,
            "ofr.fsi.volatility",
            "Volatility rises.",
            "Baker, Bloom and Davis 2016, QJE 131(4)",
        ),
    ),
    analog=_build_analog(
        "Debt ceiling crisis of 2011",
        date(2011, 7, 1),
        date(2011, 8, 8),
        "The debt was downgraded; volatility rose and yields fell.",
        "Baker, Bloom and Davis 2016, QJE 131(4)",
    ),
)
FISCAL = Cascade(
    type="US_FISCAL_DOMINANCE_RISK",
    label="US fiscal dominance risk",
    entry="L4",
    triggers=(
        build_trigger("debt.us", "level", "100", "0.6", "Debt is above GDP", _SPEC),
        build_trigger("us.cpi.yoy", "level", "2.5", "0.4", "Inflation is above 2.5 %", _SPEC),
    ),
    steps=(
        build_cascade_step(
            "L5", 4, 52, "us.dollar.broad", "The dollar loses value.", "Leeper 1991, JME 27(1)", -1
        ),
        build_cascade_step(
            "L6", 4, 52, "us.dgs10", "Long-term yields rise.", "Laubach 2009, JEEA 7(4)"
        ),
        build_cascade_step(
            "L7",
            8,
            52,
            "ofr.fsi.equity",
            "Later payments lose value.",
            "Sargent and Wallace 1981, FRB Minneapolis QR 5(3)",
        ),
    ),
    analog=_build_analog(
        "Yield peg of 1942-1951",
        date(1942, 4, 1),
        date(1951, 3, 4),
        "The Fed capped yields for the Treasury until the Accord; prices rose.",
        "Sargent and Wallace 1981, FRB Minneapolis QR 5(3)",
    ),
)

UNITED_STATES = Actor(
    name="United States",
    mode="Trade policy volatility and weaponization of the dollar",
    outlook="Over years, partners hold fewer dollars and trade more among themselves.",
    comparisons=(
        _build_analog("Smoot-Hawley tariffs", date(1930, 6, 17), date(1934, 6, 12),
             "With retaliation, trade halved within three years.", "Irwin 1998, REStat 80(2)"),
        POLICY.analog,
    ),
)  # fmt: skip
CHINA = Actor(
    name="China",
    mode="Export controls and capital controls",
    outlook="Supply chains move to other countries; the renminbi is guided down in steps.",
    comparisons=(
        _build_analog("Devaluation of August 2015", date(2015, 8, 11), date(2016, 2, 12),
             "The renminbi fell by 4 % in days, global shares by a tenth.",
             "Board of Governors, H.10, 2015"),
    ),
)  # fmt: skip
RUSSIA = Actor(
    name="Russia",
    mode="Weaponization of energy and sanctions evasion",
    outlook="Europe buys gas elsewhere at a higher price; oil is rerouted at a discount.",
    comparisons=(
        _build_analog("Oil embargo of 1973", date(1973, 10, 17), date(1974, 3, 18),
             "Oil quadrupled in five months.",
             "Hamilton 2003, J. Econometrics 113(2)"),
    ),
)  # fmt: skip
UNION = Actor(
    name="European Union",
    mode="Fiscal fragmentation",
    outlook="The ECB may buy bonds under its Transmission Protection Instrument if its conditions "
    "are met.",
    comparisons=(
        _build_analog("Euro area debt crisis", date(2010, 4, 27), date(2012, 7, 26),
             "Italy's spread passed 500 basis points.", "Lane 2012, JEP 26(3)"),
    ),
)  # fmt: skip
