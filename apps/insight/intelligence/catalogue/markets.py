"""Products on markets, raw materials and debt."""

from datetime import timedelta

from apps.insight.intelligence.catalogue.product import (
    WORDED_INPUTS,
    MethodProse,
    Product,
    SeriesNeed,
)
from apps.insight.intelligence.methods import call_48h, commodity, macro_stress, sovereign_debt
from apps.insight.intelligence.rules.call_subjects import SUBJECTS
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
        title="Stress of financial markets",
        about="Returns how strained financial markets are: credit, shares, volatility, funding.\n\n"
        "0 is the calmest day since 2000 and 100 the most strained; the contributions of "
        "`contributions` add up to `stressIndex`. A component whose publisher's licence allows no "
        "resale is null; its `signal` is then that of a public series, which `proxy` names, and "
        "`note` says why.",
        price=prices.INTELLIGENCE_15,
        kept=HOUR,
        answers=MacroStressOut,
        compute=macro_stress.compute_macro_stress,
        composites=(find_composite("macro-stress"),),
        needs=tuple(SeriesNeed(series=name) for name in macro_stress.SHOWN),
        heads={"Stress-Index": "stressIndex", "Regime": "regime"},
        version="3",
        prose=MethodProse(
            measures="How strained credit, shares, volatility and funding are, together; and what "
            "such strain has told of the dollar.",
            formula="100·ECDF of each category of the OFR Financial Stress Index, weighted. "
            "The lead is the lag of 0 to 26 weeks at "
            "which weekly changes of the index and of the broad dollar correlate most; it is told "
            "where |r|·√n exceeds 3, n being the pairs, less what autocorrelation takes.",
            window="Expanding, from 1 January 2000; of the lead, all weeks of both series.",
            blind="It tells strain that markets show, not strain that they do not see; and nothing "
            "of a single firm. A lead of the past need not hold: the best of 27 lags flatters "
            "itself, for which the bound of three errors allows. `hySpread` has no figure and the "
            "signal of the same category as `igSpread`: of the three components two are measured.",
            reference="Monin 2019, Risks 7(1):25; Holló, Kremer, Lo Duca 2012 (the transform); "
            "Bartlett 1935 (pairs that resemble each other).",
        ),
    ),
    Product(
        name="commodity",
        title="Stress of raw materials",
        about="Returns how strained prices of oil, natural gas, gold, wheat, maize and copper "
        "are.\n\n"
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
            missing=WORDED_INPUTS.format(what="Signals of all six prices, where graver,"),
            measures="How dear six raw materials are, each against its own past.",
            formula="100·ECDF of each price, weighted: energy four tenths, gold, wheat, maize and "
            "copper 15 hundredths each. `crossCommoditySignal` is broad where two thirds of their "
            "yearly changes go one way. The lead is that of the mean of the six yearly changes "
            "over yearly inflation: the lag of 1 to 18 months at which changes of both over a "
            "quarter correlate most, told where |r|·√n exceeds 3.",
            window="Expanding, from 1990; months.",
            blind="Prices are nominal: a dear month is partly the dollar's loss, and the index "
            "drifts up with it. Averages of months hide days; nothing is said of stocks or "
            "futures.",
            reference="World Bank, Commodity Price Data (The Pink Sheet); US Bureau of Labor "
            "Statistics, CPI-U.",
        ),
    ),
    Product(
        name="sovereign-debt",
        title="Debt of four governments",
        about="Returns the debt and deficits of the United States, the European Union, the United "
        "Kingdom and Japan, per cent of GDP, and whether strain spreads.\n\n"
        "Figures are yearly: `year` says for which year. `contributions` add up to "
        "`debtStressIndex`, whose regime is `globalDebtRegime`.",
        price=prices.INTELLIGENCE_25,
        kept=12 * HOUR,
        answers=SovereignDebtOut,
        compute=sovereign_debt.compute_sovereign_debt,
        composites=(SOVEREIGN_DEBT, sovereign_debt.CREDIT_STRESS),
        needs=tuple(SeriesNeed(series=name) for name in sovereign_debt.SHOWN),
        heads={"Sovereign-Regime": "systemicSignals.globalDebtRegime"},
        version="2",
        prose=MethodProse(
            measures="How much four governments owe and lack, each against its own past, and "
            "whether markets fear that one's strain becomes another's.",
            formula="100·ECDF of gross debt (seven tenths) and of the yearly balance, a deficit "
            "being strain (three tenths), weighted by gross domestic product. Contagion is the "
            "worse of Italy's ten-year yield over Germany's (100, 200, 300 basis points) and of "
            "the composite of credit; the impact on settlement is the mean grade of regime and "
            "contagion, rounded down.",
            window="Expanding, from 1995; years.",
            blind="A year's figure is months old when it comes, and is revised. Debt that a "
            "central bank holds is counted; what is promised to the old is not. Each is held "
            "against itself: that Japan bears more than others is not in the score.",
            reference="IMF, World Economic Outlook; Eurostat, gov_10dd_edpt1; European Central "
            "Bank, long-term interest rates.",
        ),
    ),
    Product(
        name="48h-call",
        title="Call on the coming 48 hours",
        about="Says whether stress will be higher or lower in 48 hours, and how often it was "
        "after days like this.\n\n"
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
            measures="How often scores of markets, currencies and oil were higher, lower or "
            "unchanged 48 hours on, after days in the same state.",
            formula="State: the band of the score and its move over the 48 hours before. "
            "(k + 1) / (n + 3) of the n earlier days in that state, k of which went that way, "
            "as long after them as 48 hours from now are after the last day that is known. Held "
            "against the same of all days; errors are of the cases that do not overlap.",
            window="Expanding, from ten years after each series begins: every past day is placed "
            "among what was seen up to it.",
            blind="It knows nothing of news, and moves of two days are close to chance: see the "
            "skill of `trackRecord`, which is often near 0. Series that are published late are "
            "called from farther back. Revisions made since are in the past that it counts.",
            reference="Brier 1950 (the score); Laplace's rule of succession; Murphy 1973 (skill "
            "against the base rate).",
        ),
    ),
)
