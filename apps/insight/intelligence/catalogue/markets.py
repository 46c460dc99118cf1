"""Products on markets, raw materials and debt."""

from datetime import timedelta

from apps.insight.intelligence.catalogue.product import (
    WORDED_INPUTS,
    MethodProse,
    Product,
    SeriesNeed,
)
from apps.insight.intelligence.methods import call_48h, commodity, macro_stress, sovereign_debt
from apps.insight.intelligence.rules.calls_48h_subjects import SUBJECTS
from apps.insight.intelligence.rules.sovereigns import SOVEREIGN_DEBT
from apps.insight.intelligence.serializers.markets import (
    CallsOut,
    CommodityOut,
    MacroStressOut,
    SovereignDebtOut,
)
from apps.reference.signals.composites import find_composite
from config import prices

HOUR = timedelta(hours=1)

PRODUCTS: tuple[Product, ...] = (
    Product(
        name="macro-stress",
        title="Financial market stress",
        about="Returns how strained financial markets are: credit, shares, volatility, "
        "funding.\n\n"
        "0 is the calmest day since 2000 and 100 the most strained; `contributions` add up to "
        "`stressIndex`. A component whose publisher's licence allows no resale is null; its "
        "`signal` is then that of a public series, which `proxy` names, and `note` says why.",
        price=prices.INTELLIGENCE_15,
        kept=HOUR,
        answers=MacroStressOut,
        compute=macro_stress.compute_macro_stress,
        composites=(find_composite("macro-stress"),),
        needs=tuple(SeriesNeed(series=name) for name in macro_stress.SHOWN),
        heads={"Stress-Index": "stressIndex", "Regime": "regime"},
        version="3",
        prose=MethodProse(
            measures="How strained credit, shares, volatility and funding are together, and how "
            "such strain has led the dollar.",
            formula="100·ECDF of each category of the OFR Financial Stress Index, weighted. The "
            "lead is the lag of 0 to 26 weeks at which weekly changes of the index and of the "
            "broad dollar correlate most; it is reported where |r|·√n exceeds 3, n being the "
            "number of pairs, reduced for autocorrelation.",
            window="Expanding, from 1 January 2000; for the lead, all weeks of both series.",
            blind="Strain that markets do not price yet, and any single firm. A past lead need "
            "not continue: the best of 27 lags looks better than it is, which the bound of three "
            "standard errors allows for. `hySpread` has no figure and the same category's signal "
            "as `igSpread`: two of the three components are measured.",
            reference="Monin 2019, Risks 7(1):25; Holló, Kremer, Lo Duca 2012 (the transform); "
            "Bartlett 1935 (autocorrelated pairs).",
        ),
    ),
    Product(
        name="commodity",
        title="Commodity stress",
        about="Returns how high prices of oil, natural gas, gold, wheat, maize and copper are.\n\n"
        "0 is the cheapest month since 1990 and 100 the most expensive; `contributions` add up to "
        "`stressIndex`. `inflationLeadSignal` is what their changes have indicated for consumer "
        "prices, UNKNOWN if that is not distinguishable from chance.",
        price=prices.INTELLIGENCE_25,
        kept=6 * HOUR,
        answers=CommodityOut,
        compute=commodity.compute_commodity_stress,
        composites=(find_composite("commodity-stress"),),
        needs=tuple(SeriesNeed(series=name) for name in commodity.SHOWN),
        heads={"Commodity-Stress": "stressIndex", "Commodity-Regime": "regime"},
        version="3",
        prose=MethodProse(
            missing=WORDED_INPUTS.format(what="Signals of all six prices, where more severe,"),
            measures="How expensive six commodities are, each compared with its own past.",
            formula="100·ECDF of each price, weighted: energy four tenths; gold, wheat, maize and "
            "copper 0.15 each. `crossCommoditySignal` is broad where two thirds of their yearly "
            "changes have the same sign. The lead is that of the mean of the six yearly changes "
            "over yearly inflation: the lag of 1 to 18 months at which quarterly changes of both "
            "correlate most, reported where |r|·√n exceeds 3.",
            window="Expanding, from 1990; months.",
            blind="Inventories and futures. Prices are nominal: a high price partly reflects a "
            "weaker dollar, and the index drifts up with it. Monthly averages hide single days.",
            reference="World Bank, Commodity Price Data (The Pink Sheet); US Bureau of Labor "
            "Statistics, CPI-U.",
        ),
    ),
    Product(
        name="sovereign-debt",
        title="Sovereign debt of four governments",
        about="Returns the debt and deficits of the United States, the European Union, the United "
        "Kingdom and Japan in per cent of GDP, and whether strain spreads.\n\n"
        "Figures are yearly; `year` names the year. `contributions` add up to `debtStressIndex`, "
        "whose regime is `globalDebtRegime`.",
        price=prices.INTELLIGENCE_25,
        kept=12 * HOUR,
        answers=SovereignDebtOut,
        compute=sovereign_debt.compute_sovereign_debt,
        composites=(SOVEREIGN_DEBT, sovereign_debt.CREDIT_STRESS),
        needs=tuple(SeriesNeed(series=name) for name in sovereign_debt.SHOWN),
        heads={"Sovereign-Regime": "systemicSignals.globalDebtRegime"},
        version="2",
        prose=MethodProse(
            measures="The debt and deficits of four governments, each compared with its own past, "
            "and whether markets fear contagion between them.",
            formula="100·ECDF of gross debt (seven tenths) and of the yearly balance, where a "
            "deficit is strain (three tenths), weighted by gross domestic product. Contagion is "
            "the worse of Italy's ten-year yield spread over Germany's (100, 200, 300 basis "
            "points) and of the credit composite; the impact on settlement is the mean grade of "
            "regime and contagion, rounded down.",
            window="Expanding, from 1995; years.",
            blind="Differences in capacity: each government is compared only with its own past, "
            "so the score ignores that Japan sustains more debt than others. A year's figure is "
            "published months later and revised. Debt held by a central bank is counted; unfunded "
            "pension promises are not.",
            reference="IMF, World Economic Outlook; Eurostat, gov_10dd_edpt1; European Central "
            "Bank, long-term interest rates.",
        ),
    ),
    Product(
        name="48h-call",
        title="48-hour call",
        about="Says whether stress will be higher or lower in 48 hours, and how often it was "
        "after days in the same state.\n\n"
        "A call names its subject, the score that it starts from and when it is to be scored; "
        "`probability` is a frequency of the past, `cases` the number of past cases, "
        "`trackRecord` how such calls would have performed. With fewer than 30 cases there is "
        "NO_CALL.",
        price=prices.INTELLIGENCE_50,
        kept=4 * HOUR,
        answers=CallsOut,
        compute=call_48h.compute_calls,
        composites=SUBJECTS,
        whole="intelligence/48h-call",
        heads={
            "Subject": "call.subject",
            "Direction": "call.direction",
            "Probability": "call.probability",
            "Conviction": "call.conviction",
            "Days-Ahead": "call.daysAhead",
        },
        version="2",
        prose=MethodProse(
            measures="How often the scores of markets, currencies and oil were higher, lower or "
            "unchanged 48 hours after days in the same state.",
            formula="State: the band of the score and its move over the previous 48 hours. "
            "Probability: (k + 1) / (n + 3) of the n earlier days in that state, k of which moved "
            "in that direction, over the same span as from the last known day to 48 hours from "
            "now. It is compared with the same frequency over all days; standard errors use cases "
            "that do not overlap.",
            window="Expanding, from ten years after each series begins: every past day is ranked "
            "among the values up to that day.",
            blind="News. Two-day moves are close to chance: see the skill in `trackRecord`, which "
            "is often near 0. For series that are published late, the call starts from an older "
            "day. Past figures include revisions made since.",
            reference="Brier 1950 (the score); Laplace's rule of succession; Murphy 1973 (skill "
            "against the base rate).",
        ),
    ),
)
