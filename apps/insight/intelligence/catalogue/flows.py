"""Products on what moves: currencies, payments between them, goods and ships."""

from datetime import timedelta

from apps.insight.intelligence.catalogue.product import (
    WORDED_INPUTS,
    MethodProse,
    Product,
    SeriesNeed,
)
from apps.insight.intelligence.methods import (
    currency_stress,
    fx_settlement,
    shipping_stress,
    supply_chain,
)
from apps.insight.intelligence.serializers.currencies import CurrencyStressOut, FxSettlementOut
from apps.insight.intelligence.serializers.trade import ShippingStressOut, SupplyChainOut
from apps.reference.signals.composites import find_composite
from config import prices

HOUR = timedelta(hours=1)

PRODUCTS: tuple[Product, ...] = (
    Product(
        name="supply-chain",
        title="Pressure on supply",
        about="Returns the pressure on the world's supply: chains, fuel, metal, timber, water "
        "under barges, ships through four straits.\n\n"
        "`gscpiZScore` is the index of the Federal Reserve Bank of New York; `contributions` add "
        "up to `pressureIndex`, whose band is `regime`. Gauges are read against their own "
        "low-water marks; a level below 0 is possible.",
        price=prices.INTELLIGENCE_25,
        kept=6 * HOUR,
        answers=SupplyChainOut,
        compute=supply_chain.compute_supply_chain,
        composites=(find_composite("supply-pressure"),),
        needs=tuple(SeriesNeed(series=name) for name in supply_chain.SHOWN),
        heads={"GSCPI": "gscpiZScore", "Regime": "regime"},
        version="2",
        prose=MethodProse(
            measures="How pressed supply is, and where: chains, fuel, rivers, straits.",
            formula="100·ECDF of the pressure index of New York (four tenths) and of prices of "
            "oil, European gas, copper and timber, weighted. A gauge's status is its distance "
            "from its low-water mark; a strait's is how far the ships of a week are under the "
            "median of its history. `goodsInflationLeadSignal`: the lag of 1 to 18 months at "
            "which changes over a quarter of the pressure index and of yearly inflation correlate "
            "most, told where |r|·√n exceeds 3.",
            window="Expanding, from 1998; straits from 2019.",
            blind="Gauges and straits stand beside the score and are not in it: their histories "
            "are too short. The mark of the Mississippi is the zero of its gauges, and the steps "
            "under it are ours. Consumer prices are all of them, not goods alone. Ships are "
            "counted by what they broadcast: who is silent is missing. The whole pressure index is "
            "estimated anew each month. A river's FALLING is the specification's word for a level "
            "little above its mark, whether it falls or rises. Most of the score is prices in "
            "dollars of the day, which drift up: it may say CRISIS while straits are open.",
            reference="Benigno, di Giovanni, Groen, Noble 2022 (GSCPI); WSV, Gleichwertiger "
            "Wasserstand; IMF PortWatch.",
        ),
    ),
    Product(
        name="currency-stress",
        title="Stress of currencies",
        about="Returns how expensive the dollar is in five currencies, and how ten of them "
        "move.\n\n"
        "`components` add up to `stressIndex`. A currency is `pressured` if it lost more than 2 "
        "per cent against the dollar in thirty days.",
        price=prices.INTELLIGENCE_25,
        kept=3 * HOUR,
        answers=CurrencyStressOut,
        compute=currency_stress.compute_currency_stress,
        composites=(find_composite("currency-stress"),),
        needs=tuple(SeriesNeed(series=name) for name in currency_stress.SERIES.values()),
        heads={"Currency-Stress": "stressIndex", "Regime": "regime"},
        version="3",
        prose=MethodProse(
            missing=WORDED_INPUTS.format(
                what="Currencies under pressure, and the trend where it is graver,"
            ),
            measures="How weak five currencies are against the dollar, each against its own past.",
            formula="100·ECDF of what a dollar costs in euros, renminbi, yen, pounds and rupees, "
            "weighted. Volatility is the root of the mean square of changes of the last sixty days "
            "(the last twelve, where they come seldom), by the year. The dollar strengthens where "
            "two thirds of ten rates rose in thirty days.",
            window="Expanding, from 2000.",
            blind="Rates are the European Central Bank's of the afternoon: a day's crash may be in "
            "none of them. A managed rate is calm until it is not; a currency that loses year "
            "by year is always near its weakest.",
            reference="European Central Bank, euro foreign exchange reference rates; Holló, "
            "Kremer, Lo Duca 2012 (the transform).",
        ),
    ),
    Product(
        name="shipping-stress",
        title="Strain of shipping",
        about="Returns how strained shipping is: chains, freight, fuel, and ships that stay away "
        "from Suez, Panama, Hormuz and Malacca.\n\n"
        "`components` add up to `stressIndex`.",
        price=prices.INTELLIGENCE_25,
        kept=4 * HOUR,
        answers=ShippingStressOut,
        compute=shipping_stress.compute_shipping_stress,
        needs=tuple(SeriesNeed(series=name) for name in shipping_stress.SERIES),
        heads={"Shipping-Stress": "stressIndex", "Regime": "regime"},
        version="2",
        prose=MethodProse(
            measures="How hard it is to move goods by sea.",
            formula="Four tenths the place of the pressure index of New York, a tenth each those "
            "of the yearly change of freight prices and of oil, and a tenth for each of four "
            "straits: twice the per cent by which ships of a week are under the median of its "
            "history, 0 to 100.",
            window="All of each history: of the straits from 2019, at least a year.",
            blind="Freight is what American carriers report, and lags the market by months; "
            "spot rates are sold and not here. Ships that are silent are not counted.",
            reference="Benigno, di Giovanni, Groen, Noble 2022; US Bureau of Labor Statistics, "
            "PCU483111483111; IMF PortWatch.",
        ),
    ),
    Product(
        name="fx-settlement",
        title="Risk of settlement between currencies",
        about="Returns how far rates of seven pairs with the dollar move until a payment is "
        "final, and which pairs settle payment against payment.\n\n"
        "`components` add up to `settlementRiskIndex`; `advice` of a corridor is PROCEED, CAUTION "
        "or HOLD. The answer also has two stablecoins, with their deviation from the dollar.",
        price=prices.INTELLIGENCE_25,
        kept=HOUR,
        answers=FxSettlementOut,
        compute=fx_settlement.compute_fx_settlement,
        needs=tuple(SeriesNeed(series=name) for name in fx_settlement.SERIES),
        heads={"Settlement-Risk": "settlementRiskIndex", "Regime": "regime"},
        version="3",
        prose=MethodProse(
            measures="How far the rate of a pair may move between trade and settlement, against "
            "its own past.",
            formula="100·ECDF of today's volatility of each pair, weighted by turnover. Move at "
            "risk: 1.645·σ·√(business days/252). Advice: PROCEED below a place of 80, CAUTION "
            "below 95, else HOLD; at best CAUTION without payment against payment.",
            window="All of each history, at least ten years.",
            blind="Moves are taken as normal: tails are thicker, and one move in twenty may lose "
            "more than is told. Nothing is said of whether the other side pays: without payment "
            "against payment the whole amount is at risk. Costs of a bank are not in it.",
            reference="BIS, Triennial Central Bank Survey 2022 (turnover); BIS, CPSS 1996 "
            "(settlement risk); CLS, eligible currencies.",
        ),
    ),
)
