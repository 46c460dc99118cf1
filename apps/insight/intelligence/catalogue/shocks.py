"""Products on shocks: those that run, where instability comes from, those that a caller names."""

from datetime import timedelta

from apps.insight.intelligence.catalogue.product import (
    WORDED_INPUTS,
    MethodProse,
    Product,
    SeriesNeed,
)
from apps.insight.intelligence.methods import aftershock, cascade, instability
from apps.insight.intelligence.rules.currency_web import AFTERSHOCK_SERIES
from apps.insight.intelligence.rules.layers import ROWS
from apps.insight.intelligence.serializers.shocks import (
    AftershockIn,
    AftershockOut,
    CascadeOut,
    InstabilityOut,
)
from config import prices

HOUR = timedelta(hours=1)

PRODUCTS: tuple[Product, ...] = (
    Product(
        name="cascade",
        title="Cascades of shocks through seven layers",
        about="Finds shocks that run through seven layers of the economy, and where they go "
        "next.\n\n"
        "Each layer has the score of a composite; `systemicRiskScore` is their mean; their "
        "contributions add up to it. A cascade runs if signals with half of its known weight "
        "fire; `pricedIn` compares a layer's score with that of the layer where the shock entered.",
        price=prices.INTELLIGENCE_75,
        kept=2 * HOUR,
        answers=CascadeOut,
        compute=cascade.compute_cascades,
        composites=ROWS,
        needs=tuple(SeriesNeed(series=name) for name in cascade.SERIES),
        heads={
            "Systemic-Risk": "nervousSystem.systemicRiskScore",
            "Cascade-Status": "nervousSystem.overallStatus",
            "Active-Cascades": "nervousSystem.activeCascadeCount",
        },
        version="4",
        prose=MethodProse(
            missing=WORDED_INPUTS.format(what="Signals, cascades and where they go"),
            measures="Which of eight known kinds of shock runs, how far it has come, and which "
            "layers' markets do not show it yet.",
            formula="Layer: its composite. Systemic risk: the mean of the layers that are known. "
            "A cascade's confidence: weight of the signals that fire over weight of those known, "
            "of which there must be 0.6; it runs from 0.5, and is a share, no probability. The "
            "entry is told by the heaviest signal that fires. Priced in: the layer's score is at "
            "least 0.8 of the entry layer's; where the effect lowers a score (a dollar that falls, "
            "rates that are cut), 100 less it is.",
            window="Composites: expanding, each from its start. Signals: a quarter, half a year or "
            "a year, or the newest value, as each says.",
            blind="Shocks of other kinds; anything that is not in prices or in the press; DeFi, "
            "whose figures have no ten years: L7 is shares and volatility. A high score of a layer "
            "may be of another cause than the cascade; that of oil is called after the Middle "
            "East, and looks at the price of oil alone. The lags are orders of size, no forecasts.",
            reference="Each signal, step and analogue names its own (rules/cascade_catalogue.py).",
        ),
    ),
    Product(
        name="instability",
        title="Structural instability and its origins",
        about="Returns how unstable policy and public finance are, and where the instability "
        "comes from.\n\n"
        "Weights and thresholds are those of the specification. A part of a score is its place in "
        "its own history; the contributions of `usComponents` and `fiscalComponents` add up to "
        "their scores. A score is null if six tenths of it are not known.",
        price=prices.INTELLIGENCE_75,
        kept=24 * HOUR,
        answers=InstabilityOut,
        compute=instability.compute_instability,
        composites=ROWS,
        needs=tuple(
            SeriesNeed(series=name, required=name == "us.epu") for name in instability.READ_SERIES
        ),
        heads={
            "US-Instability": "usInstabilityScore",
            "Fiscal-Dominance": "fiscalDominanceScore",
            "Instability-Intensity": "overallIntensity",
        },
        version="4",
        prose=MethodProse(
            missing=WORDED_INPUTS.format(what="Origins, scenarios, intensity and the watch list"),
            measures="How unstable policy of the United States is, how near its budget is to "
            "ruling its money, and which of four actors instability comes from.",
            formula="usInstabilityScore = 0.4 EPU index + 0.2 trade policy + 0.2 weaponization of "
            "the dollar + 0.2 EPU trend; fiscalDominanceScore = 0.4 debt to GDP + 0.3 deficit "
            "trend + 0.3 expected inflation; each part is 100·ECDF of its series or of its moves. "
            "Both sides of each threshold: rules/instability.py.",
            window="Expanding, from 1979 or where a series begins. EPU trend: a quarter's mean "
            "over its year's. Deficit trend: against the mean of three years before. Falls of "
            "currencies: 30 days, or the figure before where they come by months.",
            blind="Weaponization of the dollar has no series of its own: how gold rose in a year "
            "stands for it, and gold rises for other reasons too. What is said in secret, and "
            "actors beside the four. `ongoingSince` of the United States is when the index of "
            "uncertainty last rose above its median, not when the score passed 20; of a currency's "
            "fall alone it is the newest day. With daily figures of the press, a place is that of "
            "one day.",
            reference="Document 3 section 2.7; Baker, Bloom and Davis 2016; Caldara et al. 2020; "
            "Arslanalp, Eichengreen and Simpson-Bell 2023, JIE 145 (gold).",
        ),
    ),
    Product(
        name="aftershock",
        title="What follows a shock",
        about="Returns how many large moves are expected after a shock of a series, and when.\n\n"
        "A law of decay is fitted on the shocks of the series' own history. `aftershockScore` is "
        "the probability of another large move within a quarter from now, in hundredths.",
        price=prices.INTELLIGENCE_75,
        kept=None,
        method="POST",
        asks=AftershockIn,
        example={"series": "oil.brent.month", "date": "2025-04-02", "magnitude": 15},
        answers=AftershockOut,
        compute=aftershock.compute_aftershock,
        needs=tuple(SeriesNeed(series=name) for name in AFTERSHOCK_SERIES),
        heads={"Aftershock-Score": "aftershockScore", "Regime": "regime"},
        version="2",
        prose=MethodProse(
            missing="Without the series in age there is no answer.",
            measures="How likely large moves are after a shock that has happened.",
            formula="Shock: a monthly move of two standard deviations that no larger one precedes "
            "within twelve months; aftershock: a move of one within twelve months of it. Rate in "
            "month t: k·(t + c)^-p, by maximum likelihood of Poisson counts; times the size over "
            "the mean size, at most 3, and never under the rate of any month. Chance: 1 - exp(-sum "
            "of rates). The decay stands where the law is likelier than a constant rate by more "
            "than 3.0 (natural logarithm).",
            window="All months of the series since 1979; the law reaches twelve months, and what "
            "is beyond says `extrapolated`.",
            blind="That the rate grows in proportion to the size is assumed: a history has too few "
            "shocks to fit it. Of several series no decay can be told from a constant rate: "
            "`decayStands` says so. A month may follow several shocks, and counts for each. Moves "
            "that have another cause are counted as well. Nothing within a month; fewer than five "
            "shocks or aftershocks give no answer.",
            reference="Utsu, Ogata and Matsu'ura 1995, J. Phys. Earth 43(1); Lillo and Mantegna "
            "2003, Phys. Rev. E 68 (markets).",
        ),
    ),
)
