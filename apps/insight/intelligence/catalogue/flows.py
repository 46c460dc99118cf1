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
        title="Supply chain pressure",
        about="Returns the pressure on global supply chains: freight and delivery, fuel, metal, "
        "timber, river levels, and ship traffic through four straits.\n\n"
        "`gscpiZScore` is the index of the Federal Reserve Bank of New York; `contributions` add "
        "up to `pressureIndex`, whose band is `regime`. River gauges are compared with their own "
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
            measures="How much pressure supply chains are under, and where: the chains "
            "themselves, fuel, rivers, straits.",
            formula="100·ECDF of the New York Fed's pressure index (four tenths) and of prices of "
            "oil, European gas, copper and timber, weighted. A gauge's status is its distance "
            "from its low-water mark; a strait's is how far a week's ship count is below the "
            "median of its history. `goodsInflationLeadSignal`: the lag of 1 to 18 months at "
            "which quarterly changes of the pressure index and of yearly inflation correlate "
            "most, reported where |r|·√n exceeds 3.",
            window="Expanding, from 1998; straits from 2019.",
            blind="Rivers and straits in the score: their histories are too short, so they are "
            "only reported with it. The mark of the Mississippi is the zero of its gauges, and "
            "the steps below it are ours. Consumer prices cover all items, not goods alone. Ships "
            "are counted by their broadcast positions; ships that do not broadcast are missing. "
            "The whole pressure index is re-estimated each month. A river's FALLING is the "
            "specification's word for a level a little above its mark, whether it falls or rises. "
            "Most of the score is nominal dollar prices, which drift up, so it may say CRISIS "
            "while straits are open.",
            reference="Benigno, di Giovanni, Groen, Noble 2022 (GSCPI); WSV, Gleichwertiger "
            "Wasserstand; IMF PortWatch.",
        ),
    ),
    Product(
        name="currency-stress",
        title="Currency stress",
        about="Returns how expensive the dollar is in five currencies, and how ten currencies "
        "move against it.\n\n"
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
                what="Currencies under pressure, and the trend where it is more severe,"
            ),
            measures="How weak five currencies are against the dollar, each compared with its own "
            "past.",
            formula="100·ECDF of the price of a dollar in euros, renminbi, yen, pounds and "
            "rupees, weighted. Volatility is the root mean square of the last sixty daily changes "
            "(the last twelve, for monthly series), annualised. The dollar strengthens where two "
            "thirds of ten rates rose in thirty days.",
            window="Expanding, from 2000.",
            blind="Crashes within a day: the European Central Bank's rates are fixed once, in the "
            "afternoon. A managed rate looks calm until its peg breaks; a currency that weakens "
            "year after year is always near its weakest.",
            reference="European Central Bank, euro foreign exchange reference rates; Holló, "
            "Kremer, Lo Duca 2012 (the transform).",
        ),
    ),
    Product(
        name="shipping-stress",
        title="Shipping stress",
        about="Returns how strained shipping is: supply chains, freight, fuel, and the fall in "
        "traffic through Suez, Panama, Hormuz and Malacca.\n\n"
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
            formula="Four tenths: the percentile of the New York Fed's pressure index. One tenth "
            "each: the percentiles of the yearly change of freight prices and of the oil price. "
            "One tenth for each of four straits: twice the percentage by which a week's ship "
            "count is below the median of its history, 0 to 100.",
            window="The full history of each series; for straits from 2019, at least a year.",
            blind="Spot freight rates, which are sold and not used here: freight is what American "
            "carriers report, months behind the market. Ships that do not broadcast are not "
            "counted.",
            reference="Benigno, di Giovanni, Groen, Noble 2022; US Bureau of Labor Statistics, "
            "PCU483111483111; IMF PortWatch.",
        ),
    ),
    Product(
        name="fx-settlement",
        title="Currency settlement risk",
        about="Returns how far the rates of seven dollar pairs may move before a payment is "
        "final, and which pairs settle payment versus payment.\n\n"
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
            measures="How far the rate of a pair may move between trade and settlement, compared "
            "with its own past.",
            formula="100·ECDF of today's volatility of each pair, weighted by turnover. Move at "
            "risk: 1.645·σ·√(business days/252). Advice: PROCEED below the 80th percentile, "
            "CAUTION below the 95th, else HOLD; at best CAUTION without payment versus payment.",
            window="The full history of each pair, at least ten years.",
            blind="Whether the other side pays: without payment versus payment the whole amount "
            "is at risk. Moves are assumed to be normally distributed; real tails are thicker, "
            "and one move in twenty may exceed the figure given. Bank charges are not included.",
            reference="BIS, Triennial Central Bank Survey 2022 (turnover); BIS, CPSS 1996 "
            "(settlement risk); CLS, eligible currencies.",
        ),
    ),
)
