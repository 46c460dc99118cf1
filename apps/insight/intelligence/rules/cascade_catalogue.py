"""The eight cascades (document 3 section 2.7): triggers, steps and historical analogues. Pure.

A row's reference is where its signal is taken from. Bounds of places are those from which this
service calls a value HIGH (80) or EXTREME (95); round bounds of rises (10, 25, 50 %) are drawn so
that the dated analogue of the cascade would have reached them. Lags are orders of size of what the
named works find, in weeks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from apps.insight.intelligence.rules.trigger_types import MeasuredTrigger, Trigger, build_trigger

# share of the weight of its signals that must be known for a cascade to be judged
LEAST_KNOWN_WEIGHT = Decimal("0.6")
# share of the known weight that must fire for a cascade to run: a majority
RUNNING_CONFIDENCE = Decimal("0.5")
# share of the entry's score from which a layer has priced the shock in
PRICED_IN_SHARE = Decimal("0.8")
# days
QUARTER, HALF, YEAR = 91, 182, 365


@dataclass(frozen=True, slots=True, kw_only=True)
class CascadeStep:
    """A layer that the shock reaches: after how many weeks, seen first in which series.

    `direction` is -1 where the effect lowers the layer's score; a low score then means priced in.
    """

    layer: str
    weeks: tuple[int, int]
    lead: str
    effect: str
    reference: str
    direction: int = 1

    def shown(self, score: Decimal | None) -> Decimal | None:
        """Return how far a layer of this score shows the effect, 0 to 100."""
        return score if score is None or self.direction > 0 else 100 - score


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoricalAnalog:
    """A comparable time in the past."""

    name: str
    began: date
    ended: date
    note: str
    reference: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cascade:
    """One cascade: its name, entry layer, signals, steps and historical analogue."""

    type: str
    label: str
    entry: str
    triggers: tuple[Trigger, ...]
    steps: tuple[CascadeStep, ...]
    analog: HistoricalAnalog


def confidence_of_cascade(row: Cascade, seen: Sequence[MeasuredTrigger]) -> Decimal | None:
    """Return the share of the known weight that fires, 0 to 1; None where too little is known."""
    whole = sum((trigger.weight for trigger in row.triggers), Decimal(0))
    known = sum((measured_trigger.trigger.weight for measured_trigger in seen), Decimal(0))
    if not known or known / whole < LEAST_KNOWN_WEIGHT:
        return None
    return (
        sum(
            (
                measured_trigger.trigger.weight
                for measured_trigger in seen
                if measured_trigger.fires
            ),
            Decimal(0),
        )
        / known
    )


def is_cascade_running(share: Decimal | None) -> bool:
    """Tell whether a cascade of this confidence runs."""
    return share is not None and share >= RUNNING_CONFIDENCE


def is_priced_in(entry: Decimal | None, layer: Decimal | None) -> bool | None:
    """Tell whether a layer's score reaches the required share of the entry's; None if one is
    unknown.
    """
    return None if entry is None or layer is None else layer >= PRICED_IN_SHARE * entry


def build_cascade_step(
    layer: str, low: int, high: int, lead: str, effect: str, reference: str, direction: int = 1
) -> CascadeStep:
    """Return a step from positional arguments, for short rows."""
    return CascadeStep(
        layer=layer,
        weeks=(low, high),
        lead=lead,
        effect=effect,
        reference=reference,
        direction=direction,
    )


_EVANS = "Christiano, Eichenbaum and Evans 1999, Handbook of Macroeconomics 1A"
_GZ = "Gilchrist and Zakrajsek 2012, AER 102(4)"
_REY = "Miranda-Agrippino and Rey 2020, RES 87(6)"
_KILIAN = "Kilian 2009, AER 99(3)"
_OWN = "own history"

CASCADES: tuple[Cascade, ...] = (
    Cascade(
        type="MIDDLE_EAST_OIL_SHOCK",
        label="Middle East oil shock",
        entry="L2",
        triggers=(
            build_trigger(
                "oil.brent.month",
                "rise",
                "25",
                "0.25",
                "Brent up by a quarter in three months",
                "Hamilton 2003, J. Econometrics 113(2)",
                QUARTER,
            ),
            build_trigger(
                "oil.brent.month",
                "net",
                "10",
                "0.55",
                "Brent a tenth above its one-year high",
                "Hamilton 1996, JME 38(2): net rise",
                YEAR,
            ),
            build_trigger("us.epu.30d", "place", "80", "0.2", "Policy uncertainty is high", _OWN),
        ),
        steps=(
            build_cascade_step(
                "L3", 2, 8, "oil.brent.month", "Bunker fuel and freight cost more.", _KILIAN
            ),
            build_cascade_step(
                "L4",
                12,
                36,
                "us.breakeven.10y",
                "Inflation and inflation forecasts rise.",
                "Blanchard and Galí 2007, NBER 13368",
            ),
            build_cascade_step("L5", 4, 16, "fx.usd.INR", "Importers' currencies fall.", _KILIAN),
            build_cascade_step(
                "L7",
                8,
                26,
                "ofr.fsi.equity",
                "Shares fall with demand and margins.",
                "Kilian and Park 2009, IER 50(4)",
            ),
        ),
        analog=HistoricalAnalog(
            name="Gulf war of 1990",
            began=date(1990, 8, 2),
            ended=date(1991, 2, 28),
            note="Oil doubled in two months; the US went straight into recession.",
            reference="Hamilton 2003, J. Econometrics 113(2)",
        ),
    ),
    Cascade(
        type="TRADE_WAR_ESCALATION",
        label="Trade war escalation",
        entry="L3",
        triggers=(
            build_trigger(
                "us.tpu",
                "place",
                "95",
                "0.5",
                "Trade policy uncertainty is extreme",
                "Caldara et al. 2020, JME 109",
            ),
            build_trigger(
                "us.epu.30d",
                "place",
                "95",
                "0.3",
                "Policy uncertainty is extreme",
                "Baker, Bloom and Davis 2016, QJE 131(4)",
            ),
            build_trigger(
                "fx.usd.CNY",
                "rise",
                "2",
                "0.2",
                "The renminbi fell by 2 % in a quarter",
                "document 3 section 2.7 (2 % in 30 days)",
                QUARTER,
            ),
        ),
        steps=(
            build_cascade_step(
                "L4",
                12,
                52,
                "us.cpi.yoy",
                "Duties raise import prices.",
                "Amiti, Redding and Weinstein 2019, JEP 33(4)",
            ),
            build_cascade_step(
                "L5",
                1,
                8,
                "fx.usd.CNY",
                "The currency of the taxed country falls.",
                "Jeanne and Son 2024, JIMF",
            ),
            build_cascade_step(
                "L6",
                8,
                26,
                "ofr.fsi.credit",
                "Firms invest less and pay more for credit.",
                "Caldara et al. 2020, JME 109",
            ),
            build_cascade_step(
                "L7",
                0,
                4,
                "ofr.fsi.equity",
                "Exporters' shares fall.",
                "Amiti, Kong and Weinstein 2020, NBER 27114",
            ),
        ),
        analog=HistoricalAnalog(
            name="Duties of April 2025",
            began=date(2025, 4, 2),
            ended=date(2025, 5, 12),
            note="Markets fell within days of the announcement; a truce followed in May.",
            reference="OFR Financial Stress Index, 4 and 11 April 2025",
        ),
    ),
    Cascade(
        type="FINANCIAL_CONTAGION",
        label="Financial contagion",
        entry="L6",
        triggers=(
            build_trigger("ofr.fsi.credit", "place", "80", "0.4", "Credit stress is high", _OWN),
            build_trigger("ofr.fsi.funding", "place", "80", "0.3", "Funding stress is high", _OWN),
            build_trigger("ofr.fsi.volatility", "place", "80", "0.3", "Volatility is high", _OWN),
        ),
        steps=(
            build_cascade_step("L5", 0, 4, "fx.usd.EUR", "Capital flees to the dollar.", _REY),
            build_cascade_step(
                "L7",
                0,
                2,
                "ofr.fsi.equity",
                "Shares and tokens are sold for cash.",
                "Brunnermeier and Pedersen 2009, RFS 22(6)",
            ),
            build_cascade_step(
                "L3",
                8,
                26,
                "copper",
                "Trade finance dries up, and trade falls.",
                "Amiti and Weinstein 2011, QJE 126(4)",
            ),
            build_cascade_step("L4", 4, 26, "us.dgs2", "Central banks cut rates.", _GZ, -1),
        ),
        analog=HistoricalAnalog(
            name="Failure of Lehman Brothers",
            began=date(2008, 9, 15),
            ended=date(2009, 3, 9),
            note="Funding stopped within days; trade fell by a fifth within half a year.",
            reference="Brunnermeier 2009, JEP 23(1)",
        ),
    ),
    Cascade(
        type="FOOD_SUPPLY_CRISIS",
        label="Food supply crisis",
        entry="L2",
        triggers=(
            build_trigger(
                "wheat",
                "rise",
                "25",
                "0.4",
                "Wheat up by a quarter in a year",
                "Headey and Fan 2008, Agricultural Economics 39",
                YEAR,
            ),
            build_trigger(
                "corn",
                "rise",
                "25",
                "0.3",
                "Maize up by a quarter in a year",
                "Headey and Fan 2008, Agricultural Economics 39",
                YEAR,
            ),
            build_trigger(
                "soybeans",
                "rise",
                "25",
                "0.3",
                "Soybeans up by a quarter in a year",
                "Headey and Fan 2008, Agricultural Economics 39",
                YEAR,
            ),
        ),
        steps=(
            build_cascade_step(
                "L1",
                4,
                26,
                "us.epu.30d",
                "Food riots and export bans.",
                "Bellemare 2015, AJAE 97(1)",
            ),
            build_cascade_step(
                "L4",
                12,
                36,
                "us.cpi.yoy",
                "Food prices raise inflation.",
                "Ferrucci, Jiménez-Rodríguez and Onorante 2012, IJCB 8(1)",
            ),
            build_cascade_step(
                "L5",
                4,
                26,
                "fx.usd.INR",
                "Food importers' currencies fall.",
                "Headey and Fan 2008, Agricultural Economics 39",
            ),
        ),
        analog=HistoricalAnalog(
            name="Food crisis of 2007-2008",
            began=date(2007, 6, 1),
            ended=date(2008, 6, 30),
            note="Grain prices doubled; thirty countries banned exports.",
            reference="Headey and Fan 2008, Agricultural Economics 39",
        ),
    ),
    Cascade(
        type="ENERGY_TRANSITION_DISRUPTION",
        label="Energy transition disruption",
        entry="L2",
        triggers=(
            build_trigger(
                "copper",
                "rise",
                "25",
                "0.4",
                "Copper up by a quarter in a year",
                "Boer, Pescatori and Stuermer 2024, JEEA 22(1)",
                YEAR,
            ),
            build_trigger(
                "gas.europe",
                "rise",
                "50",
                "0.4",
                "European gas up by half in a year",
                "Schnabel 2022, ECB speech of 17 March (fossilflation)",
                YEAR,
            ),
            build_trigger(
                "silver",
                "rise",
                "25",
                "0.2",
                "Silver up by a quarter in a year",
                "Boer, Pescatori and Stuermer 2024, JEEA 22(1)",
                YEAR,
            ),
        ),
        steps=(
            build_cascade_step(
                "L3",
                4,
                26,
                "copper",
                "Grids and batteries are delayed by metal shortages.",
                "Boer, Pescatori and Stuermer 2024, JEEA 22(1)",
            ),
            build_cascade_step(
                "L4",
                12,
                52,
                "us.cpi.yoy",
                "Energy raises consumer prices.",
                "Schnabel 2022, ECB speech of 17 March",
            ),
            build_cascade_step(
                "L7",
                4,
                26,
                "ofr.fsi.equity",
                "Utilities and manufacturers lose value.",
                "Kilian and Park 2009, IER 50(4)",
            ),
        ),
        analog=HistoricalAnalog(
            name="European gas crisis",
            began=date(2021, 9, 1),
            ended=date(2022, 12, 31),
            note="Gas rose tenfold; metal smelters closed.",
            reference="World Bank, Pink Sheet, natural gas (Europe), 2021-2022",
        ),
    ),
    Cascade(
        type="EM_CURRENCY_CRISIS",
        label="Emerging-market currency crisis",
        entry="L5",
        triggers=(
            build_trigger(
                "fx.usd.MXN",
                "rise",
                "25",
                "0.35",
                "The peso fell by 25 % in a year",
                "Frankel and Rose 1996, JIE 41(3)",
                YEAR,
            ),
            build_trigger(
                "fx.usd.INR",
                "rise",
                "10",
                "0.35",
                "The rupee fell by 10 % in a year",
                "Laeven and Valencia 2020, IMF ER 68 (of a managed currency)",
                YEAR,
            ),
            build_trigger(
                "fx.usd.CNY",
                "rise",
                "5",
                "0.3",
                "The renminbi fell by 5 % in a year",
                "Laeven and Valencia 2020, IMF ER 68 (of a managed currency)",
                YEAR,
            ),
        ),
        steps=(
            build_cascade_step(
                "L4",
                8,
                52,
                "fx.usd.INR",
                "Imports cost more; prices and interest rates rise.",
                "Calvo and Reinhart 2002, QJE 117(2)",
            ),
            build_cascade_step(
                "L6",
                4,
                26,
                "ofr.fsi.credit",
                "Dollar debt becomes heavier.",
                "Bruno and Shin 2015, RES 82(2)",
            ),
            build_cascade_step(
                "L7", 2, 12, "ofr.fsi.volatility", "Funds leave risky assets.", _REY
            ),
        ),
        analog=HistoricalAnalog(
            name="Asian crisis",
            began=date(1997, 7, 2),
            ended=date(1998, 8, 17),
            note="The baht's peg was abandoned; five currencies lost a third or more within half "
            "a year.",
            reference="Kaminsky and Reinhart 1999, AER 89(3)",
        ),
    ),
    Cascade(
        type="CENTRAL_BANK_POLICY_SHOCK",
        label="Central bank policy shock",
        entry="L4",
        triggers=(
            build_trigger(
                "us.dgs10", "points", "1", "0.4", "The ten-year yield rose by a point", _EVANS, HALF
            ),
            build_trigger(
                "us.cpi.yoy",
                "level",
                "4",
                "0.3",
                "Inflation is above twice its target",
                "FOMC, Statement on Longer-Run Goals (2 %)",
            ),
            build_trigger(
                "us.curve.10y2y",
                "below",
                "0",
                "0.3",
                "The yield curve is inverted",
                "Estrella and Mishkin 1998, REStat 80(1)",
            ),
        ),
        steps=(
            build_cascade_step(
                "L5",
                0,
                12,
                "fx.usd.EUR",
                "The dollar rises.",
                "Eichenbaum and Evans 1995, QJE 110(4)",
            ),
            build_cascade_step(
                "L6",
                4,
                26,
                "ofr.fsi.credit",
                "Credit becomes more expensive.",
                "Gertler and Karadi 2015, AEJ Macro 7(1)",
            ),
            build_cascade_step(
                "L7", 0, 4, "ofr.fsi.equity", "Shares fall.", "Bernanke and Kuttner 2005, JF 60(3)"
            ),
        ),
        analog=HistoricalAnalog(
            name="Tightening of 2022",
            began=date(2022, 3, 16),
            ended=date(2022, 10, 31),
            note="Rates rose by three points in eight months; shares and bonds fell together.",
            reference="Federal Reserve Board, H.15, 2022",
        ),
    ),
    Cascade(
        type="SOVEREIGN_DEBT_CRISIS",
        label="Sovereign debt crisis",
        entry="L6",
        triggers=(
            build_trigger(
                "euro.btp_bund",
                "level",
                "200",
                "0.4",
                "Italy's yield spread is above 200 basis points",
                "document 3 section 2.7",
            ),
            build_trigger(
                "us.dgs10",
                "points",
                "1",
                "0.4",
                "The ten-year yield rose by a point",
                "Reinhart and Rogoff 2011, AER 101(5)",
                HALF,
            ),
            build_trigger(
                "debt.us",
                "level",
                "100",
                "0.2",
                "US debt is above GDP",
                "document 3 section 2.7",
            ),
        ),
        steps=(
            build_cascade_step(
                "L5",
                1,
                12,
                "fx.usd.EUR",
                "The debtor's currency falls.",
                "Reinhart and Rogoff 2011, AER 101(5)",
            ),
            build_cascade_step(
                "L4",
                4,
                26,
                "us.breakeven.10y",
                "The central bank buys debt, or prices rise.",
                "Leeper 1991, JME 27(1)",
            ),
            build_cascade_step(
                "L7",
                1,
                12,
                "ofr.fsi.volatility",
                "Banks that hold the debt lose value.",
                "Acharya, Drechsler and Schnabl 2014, JF 69(6)",
            ),
        ),
        analog=HistoricalAnalog(
            name="Euro area debt crisis",
            began=date(2010, 4, 27),
            ended=date(2012, 7, 26),
            note="Italy's spread passed 500 basis points before the ECB promised to buy.",
            reference="Lane 2012, JEP 26(3)",
        ),
    ),
)
TYPES = tuple(cascade.type for cascade in CASCADES)
