"""Products on shocks: running cascades, origins of instability, and shocks named by the caller."""

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
        about="Finds shocks that run through seven layers of the economy, and the layers that "
        "they reach next.\n\n"
        "Each layer has the score of a composite; `systemicRiskScore` is their mean; their "
        "contributions add up to it. A cascade is active if signals with half of its known weight "
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
            missing=WORDED_INPUTS.format(what="Signals, cascades and their next layers"),
            measures="Which of eight known kinds of shock are active, how far each has "
            "progressed, and which layers' markets do not show it yet.",
            formula="Layer: the score of its composite. Systemic risk: the mean of the known "
            "layers. A cascade's confidence: the weight of the signals that fire over the weight "
            "of those known, which must be at least 0.6; the cascade is active from 0.5. "
            "Confidence is a share, not a probability. The heaviest signal that fires gives the "
            "entry layer. Priced in: the layer's score is at least 0.8 of the entry layer's; "
            "where the effect lowers a score (a falling dollar, rate cuts), 100 less the score is "
            "used.",
            window="Composites: expanding, each from its start. Signals: a quarter, half a year "
            "or a year, or the newest value, as each states.",
            blind="Shocks of other kinds; anything not in prices or in the press; DeFi, which "
            "lacks ten years of figures (L7 is shares and volatility). A layer's score may be "
            "high for another cause than the cascade; the oil cascade is named after the Middle "
            "East but uses the oil price alone. Lags are orders of magnitude, not forecasts.",
            reference="Cited for each signal, step and analogue in rules/cascade_catalogue.py.",
        ),
    ),
    Product(
        name="instability",
        title="Structural instability and its origins",
        about="Returns how unstable policy and public finance are, and where the instability "
        "comes from.\n\n"
        "Weights and thresholds are those of the specification. Each component is the percentile "
        "of a series in its own history; the contributions of `usComponents` and "
        "`fiscalComponents` add up to their scores. A score is null if less than six tenths of "
        "its weight is known.",
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
            measures="How unstable US policy is, how close the US is to fiscal dominance, and "
            "which of four actors instability comes from.",
            formula="usInstabilityScore = 0.4 EPU index + 0.2 trade policy + 0.2 weaponization of "
            "the dollar + 0.2 EPU trend; fiscalDominanceScore = 0.4 debt to GDP + 0.3 deficit "
            "trend + 0.3 expected inflation; each component is 100·ECDF of its series or of its "
            "moves. Both sides of each threshold: rules/instability.py.",
            window="Expanding, from 1979 or the start of a series. EPU trend: the mean of a "
            "quarter over that of its year. Deficit trend: against the mean of the three years "
            "before. Falls of currencies: 30 days, or against the previous figure for monthly "
            "series.",
            blind="Weaponization of the dollar directly: the yearly rise of gold stands in for "
            "it, and gold rises for other reasons too. Decisions that are not public, and actors "
            "other than the four. `ongoingSince` of the United States is when the uncertainty "
            "index last rose above its median, not when the score passed 20; for a fall of the "
            "currency alone it is the newest day. With daily press figures, a percentile is that "
            "of one day.",
            reference="Document 3 section 2.7; Baker, Bloom and Davis 2016; Caldara et al. 2020; "
            "Arslanalp, Eichengreen and Simpson-Bell 2023, JIE 145 (gold).",
        ),
    ),
    Product(
        name="aftershock",
        title="Aftershocks of a shock",
        about="Returns how many large moves are expected after a shock to a series, and when.\n\n"
        "A law of decay is fitted to the past shocks of the series. `aftershockScore` is the "
        "probability of another large move within a quarter from now, in hundredths.",
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
            missing="Without a current value of the series there is no answer.",
            measures="How likely large moves are after a shock that has happened.",
            formula="Shock: a monthly move of at least two standard deviations without a larger "
            "one in the twelve months before; aftershock: a move of at least one within twelve "
            "months of it. Rate in month t: k·(t + c)^-p, by maximum likelihood of Poisson "
            "counts; times the shock's size over the mean size, at most 3, and never below the "
            "rate of an average month. Probability: 1 - exp(-sum of rates). The decay holds where "
            "the law is likelier than a constant rate by more than 3.0 (natural logarithm).",
            window="All months of the series since 1979; the law covers twelve months, and "
            "anything beyond is marked `extrapolated`.",
            blind="Whether the rate grows in proportion to the size: this is assumed, because a "
            "history has too few shocks to fit it. For several series a decay cannot be "
            "distinguished from a constant rate, as `decayStands` says. A month that follows "
            "several shocks counts for each. Moves with another cause are counted too. Moves "
            "within a month are not seen; with fewer than five shocks or aftershocks there is no "
            "answer.",
            reference="Utsu, Ogata and Matsu'ura 1995, J. Phys. Earth 43(1); Lillo and Mantegna "
            "2003, Phys. Rev. E 68 (markets).",
        ),
    ),
)
