"""Series on money: yields, the dollar, the central bank, prices, stress, stablecoins, gold."""

from datetime import date
from decimal import Decimal

from apps.reference.signals.series.definitions import Series, plausible_range

PERCENT, INDEX, POINTS = "per cent", "index", "percentage points"
MILLION_TO_TRILLION = Decimal("0.000001")
TO_BILLION = Decimal("0.000000001")


def _yield_series(name: str, title: str, column: str, *fallback: str) -> Series:
    return Series(
        name=name,
        title=title,
        unit=PERCENT,
        feed="fed-h15",
        params={"column": column},
        plausible=plausible_range("-2", "20"),
        fallback=fallback,
    )


def _par_yield_series(name: str, title: str, column: str) -> Series:
    return Series(
        name=name,
        title=title,
        unit=PERCENT,
        feed="treasury-yields",
        params={"column": column},
        plausible=plausible_range("-2", "20"),
    )


def _stress_series(name: str, title: str, column: str) -> Series:
    return Series(
        name=name,
        title=f"OFR financial stress: {title}",
        unit=INDEX,
        feed="ofr-fsi",
        params={"column": column},
        plausible=plausible_range("-30", "60"),
    )


def _stablecoin_series(symbol: str) -> tuple[Series, Series]:
    """Return the amount in circulation and the price of a stablecoin."""
    path = f"peggedAssets.symbol={symbol}."
    return (
        Series(
            name=f"stable.{symbol.lower()}.cap",
            title=f"{symbol} in circulation",
            unit="billion USD",
            feed="defillama-stablecoins",
            params={"path": path + "circulating.peggedUSD"},
            scale=TO_BILLION,
            plausible=plausible_range("0.001", "5000"),
        ),
        Series(
            name=f"stable.{symbol.lower()}.price",
            title=f"Price of {symbol}",
            unit="USD",
            feed="defillama-stablecoins",
            params={"path": path + "price"},
            plausible=plausible_range("0.05", "2"),
        ),
    )


SERIES: tuple[Series, ...] = (
    _yield_series(
        "us.dgs2", "US Treasury yield, 2 years, constant maturity", "RIFLGFCY02_N.B", "us.par.2y"
    ),
    _yield_series(
        "us.dgs10",
        "US Treasury yield, 10 years, constant maturity",
        "RIFLGFCY10_N.B",
        "us.par.10y",
    ),
    _yield_series("us.dgs3mo", "US Treasury yield, 3 months, constant maturity", "RIFLGFCM03_N.B"),
    _par_yield_series("us.par.2y", "US Treasury par yield, 2 years", "2 Yr"),
    _par_yield_series("us.par.10y", "US Treasury par yield, 10 years", "10 Yr"),
    Series(
        name="us.dfii10",
        title="US Treasury real yield, 10 years, constant maturity",
        unit=PERCENT,
        feed="fed-h15-real",
        params={"name": "RIFLGFCY10_XII_N.B"},
        plausible=plausible_range("-5", "15"),
    ),
    Series(
        name="us.curve.10y2y",
        title="US Treasury yields: 10 years less 2 years",
        unit=POINTS,
        kind="derived",
        inputs=("us.dgs10", "us.dgs2"),
        op="difference",
        plausible=plausible_range("-5", "5"),
    ),
    Series(
        name="us.curve.10y3m",
        title="US Treasury yields: 10 years less 3 months",
        unit=POINTS,
        kind="derived",
        inputs=("us.dgs10", "us.dgs3mo"),
        op="difference",
        plausible=plausible_range("-5", "5"),
    ),
    Series(
        name="us.breakeven.10y",
        title="Inflation implied by ten-year US Treasury yields",
        unit=POINTS,
        kind="derived",
        inputs=("us.dgs10", "us.dfii10"),
        op="difference",
        plausible=plausible_range("-5", "10"),
    ),
    Series(
        name="us.dollar.broad",
        title="Nominal broad index of the dollar (January 2006 = 100)",
        unit=INDEX,
        feed="fed-h10",
        params={"name": "JRXWTFB_N.B"},
        plausible=plausible_range("60", "200"),
    ),
    Series(
        name="us.fed.assets",
        title="Assets of the Federal Reserve",
        unit="trillion USD",
        feed="fed-h41",
        params={"name": "RESPPMA_N.WW"},
        scale=MILLION_TO_TRILLION,
        plausible=plausible_range("0.3", "30"),
    ),
    Series(
        name="us.credit.spread",
        title="Spread of US corporate bonds (Gilchrist and Zakrajsek)",
        unit=POINTS,
        feed="fed-ebp",
        params={"column": "gz_spread"},
        plausible=plausible_range("-2", "20"),
    ),
    Series(
        name="us.credit.premium",
        title="Excess premium of US corporate bonds",
        unit=POINTS,
        feed="fed-ebp",
        params={"column": "ebp"},
        plausible=plausible_range("-5", "15"),
    ),
    _stress_series("ofr.fsi", "the index", "OFR FSI"),
    _stress_series("ofr.fsi.credit", "credit", "Credit"),
    _stress_series("ofr.fsi.equity", "equity valuation", "Equity valuation"),
    _stress_series("ofr.fsi.safe", "safe assets", "Safe assets"),
    _stress_series("ofr.fsi.funding", "funding", "Funding"),
    _stress_series("ofr.fsi.volatility", "volatility", "Volatility"),
    _stress_series("ofr.fsi.us", "United States", "United States"),
    _stress_series("ofr.fsi.advanced", "other advanced economies", "Other advanced economies"),
    _stress_series("ofr.fsi.emerging", "emerging markets", "Emerging markets"),
    Series(
        name="us.nfci",
        title="National financial conditions of the United States",
        unit=INDEX,
        feed="chicago-nfci",
        params={"column": "NFCI"},
        plausible=plausible_range("-5", "15"),
    ),
    Series(
        name="us.anfci",
        title="Financial conditions adjusted for activity and inflation",
        unit=INDEX,
        feed="chicago-nfci",
        params={"column": "ANFCI"},
        plausible=plausible_range("-5", "15"),
    ),
    Series(
        name="us.vix",
        title="Volatility implied by options on the S&P 500 (VIX)",
        unit=INDEX,
        feed="cboe-vix",
        params={"column": "CLOSE"},
        plausible=plausible_range("1", "200"),
    ),
    Series(
        name="fred.t10y2y",
        title="Yield curve as FRED has it",
        unit=POINTS,
        feed="fred-t10y2y",
        params={"path": "observations"},
        plausible=plausible_range("-5", "5"),
    ),
    Series(
        name="us.cpi",
        title="Consumer prices of the United States, not adjusted (1982-84 = 100)",
        unit=INDEX,
        feed="bls",
        params={"path": "Results.series.seriesID=CUUR0000SA0.data"},
        plausible=plausible_range("5", "2000"),
        past=date(1984, 1, 1),
    ),
    Series(
        name="us.cpi.yoy",
        title="Consumer prices of the United States, year on year",
        unit=PERCENT,
        kind="derived",
        inputs=("us.cpi",),
        op="yearly_change",
        plausible=plausible_range("-20", "40"),
    ),
    Series(
        name="us.cpi.independent",
        title="Inflation of the United States, year on year, as the Cleveland Fed nowcasts it",
        unit=PERCENT,
        feed="cleveland-nowcast",
        params={"column": "CPI Inflation"},
        kind="proxy",  # a forecast of the official figure, and no independent count of prices
        plausible=plausible_range("-20", "40"),
    ),
    Series(
        name="us.lumber",
        title="Producer prices of lumber (1982 = 100)",
        unit=INDEX,
        feed="bls-lumber",
        params={"path": "Results.series.seriesID=WPU081.data"},
        plausible=plausible_range("10", "2000"),
        past=date(1980, 1, 1),
    ),
    *_stablecoin_series("USDT"),
    *_stablecoin_series("USDC"),
    Series(
        name="stable.usdt.share",
        title="USDT as a share of USDT and USDC",
        unit=PERCENT,
        kind="derived",
        inputs=("stable.usdt.cap", "stable.usdc.cap"),
        op="share",
        plausible=plausible_range("0", "100"),
    ),
    Series(
        name="gold.paxg",
        title="Price of a token backed by an ounce of gold",
        unit="USD for an ounce",
        feed="defillama-gold",
        params={
            "path": "coins.coingecko:pax-gold.price",
            "at": "coins.coingecko:pax-gold.timestamp",
        },
        kind="proxy",
        plausible=plausible_range("100", "50000"),
    ),
)
