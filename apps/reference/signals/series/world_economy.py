"""Series on the world's economy: commodities, euro area, currencies, policy, trade, debt."""

from decimal import Decimal

from apps.reference.signals.series.definitions import Series, plausible_range

PERCENT, INDEX = "per cent", "index"
PINK = {
    "oil.wti.month": ("Oil, West Texas, of a month", "USD for a barrel", "Crude oil, WTI"),
    "oil.brent.month": ("Oil, Brent, of a month", "USD for a barrel", "Crude oil, Brent"),
    "gas.us.month": ("Natural gas, US, of a month", "USD for a million BTU", "Natural gas, US"),
    "gas.europe": ("Natural gas, Europe", "USD for a million BTU", "Natural gas, Europe"),
    "gold": ("Gold", "USD for an ounce", "Gold"),
    "silver": ("Silver", "USD for an ounce", "Silver"),
    "copper": ("Copper", "USD for a tonne", "Copper"),
    "wheat": ("Wheat, US hard red winter", "USD for a tonne", "Wheat, US HRW"),
    "corn": ("Maize", "USD for a tonne", "Maize"),
    "soybeans": ("Soybeans", "USD for a tonne", "Soybeans"),
    "coffee": ("Coffee, arabica", "USD for a kilogram", "Coffee, Arabica"),
    "cocoa": ("Cocoa", "USD for a kilogram", "Cocoa"),
    "cotton": ("Cotton", "USD for a kilogram", "Cotton, A Index"),
    "sugar": ("Sugar, world", "USD for a kilogram", "Sugar, world"),
    "timber": ("Sawnwood, Malaysian", "USD for a cubic metre", "Sawnwood, Malaysian"),
}
PAIRS = ("AUD", "CAD", "CHF", "CNY", "GBP", "INR", "JPY", "MXN", "SEK")
COUNTRIES = {"us": "USA", "uk": "GBR", "japan": "JPN", "eu": "EU"}


def _spot_price_series(name: str, title: str, unit: str, feed: str, fallback: str) -> Series:
    return Series(
        name=name,
        title=title,
        unit=unit,
        feed=feed,
        params={"path": "response.data"},
        plausible=plausible_range("-100", "1000"),
        fallback=(fallback,),
    )


def _bond_series(name: str, title: str, feed: str) -> Series:
    return Series(
        name=name,
        title=title,
        unit=PERCENT,
        feed=feed,
        params={"column": "OBS_VALUE"},
        plausible=plausible_range("-3", "40"),
    )


def _government_series(prefix: str, title: str, feed: str, indicator: str) -> tuple[Series, ...]:
    return tuple(
        Series(
            name=f"{prefix}.{name}",
            title=f"{title}, {code}",
            unit="per cent of GDP",
            feed=feed,
            params={"path": f"values.{indicator}.{code}"},
            plausible=plausible_range("-60", "400"),
        )
        for name, code in COUNTRIES.items()
    )


SERIES: tuple[Series, ...] = (
    *(
        Series(
            name=name,
            title=title,
            unit=unit,
            feed="pink-sheet",
            params={"column": column},
            plausible=plausible_range("0.01", "100000"),
        )
        for name, (title, unit, column) in PINK.items()
    ),
    _spot_price_series(
        "oil.wti", "Oil, West Texas", "USD for a barrel", "eia-wti", "oil.wti.month"
    ),
    _spot_price_series(
        "oil.brent", "Oil, Brent", "USD for a barrel", "eia-brent", "oil.brent.month"
    ),
    _spot_price_series(
        "gas.us", "Natural gas, US", "USD for a million BTU", "eia-gas", "gas.us.month"
    ),
    Series(
        name="euro.ciss",
        title="Systemic stress of the euro area",
        unit="0 to 1",
        feed="ecb-ciss",
        params={"column": "OBS_VALUE"},
        plausible=plausible_range("0", "1"),
    ),
    _bond_series("euro.italy.10y", "Yield of Italian bonds of ten years", "ecb-bonds-it"),
    _bond_series("euro.germany.10y", "Yield of German bonds of ten years", "ecb-bonds-de"),
    Series(
        name="euro.btp_bund",
        title="Yields of ten-year bonds: Italy less Germany",
        unit="basis points",
        kind="derived",
        inputs=("euro.italy.10y", "euro.germany.10y"),
        op="hundredfold",
        plausible=plausible_range("-500", "3000"),
    ),
    Series(
        name="fx.usd.EUR",
        title="Euros for one dollar",
        unit="EUR for 1 USD",
        kind="derived",
        inputs=("fx.eur.USD",),
        op="inverse",
        plausible=plausible_range("0.2", "5"),
    ),
    *(
        Series(
            name=f"fx.usd.{code}",
            title=f"{code} for one dollar",
            unit=f"{code} for 1 USD",
            kind="derived",
            inputs=(f"fx.eur.{code}", "fx.eur.USD"),
            op="ratio",
            plausible=plausible_range("0.001", "1000000"),
        )
        for code in PAIRS
    ),
    Series(
        name="us.epu",
        title="Uncertainty of economic policy, United States",
        unit=INDEX,
        feed="epu-daily",
        params={"column": "daily_policy_index"},
        plausible=plausible_range("0", "3000"),
    ),
    Series(
        name="us.tpu",
        title="Uncertainty of trade policy",
        unit=INDEX,
        feed="iacoviello-tpu",
        params={"column": "TPU"},
        plausible=plausible_range("0", "5000"),
    ),
    Series(
        name="trade.gscpi",
        title="Pressure on the world's supply chains",
        unit="standard deviations",
        feed="nyfed-gscpi",
        plausible=plausible_range("-6", "10"),
    ),
    *_government_series("debt", "Gross debt of the government", "imf-debt", "GGXWDG_NGDP"),
    *_government_series("balance", "Net lending of the government", "imf-balance", "GGXCNL_NGDP"),
    *(
        Series(
            name=f"{name}.eu27",
            title=f"{title}, the 27 of the European Union",
            unit="per cent of GDP",
            feed=f"eurostat-{name}",
            params={"column": "OBS_VALUE", "where": "geo=EU27_2020&unit=PC_GDP"},
            plausible=plausible_range("-60", "400"),
        )
        for name, title in (
            ("debt", "Gross debt of the governments"),
            ("balance", "Net lending of the governments"),
        )
    ),
    Series(
        name="us.debt",
        title="Public debt of the United States",
        unit="trillion USD",
        feed="treasury-debt",
        params={"path": "data"},
        scale=Decimal("0.000000000001"),
        plausible=plausible_range("1", "500"),
    ),
    Series(
        name="energy.renewables",
        title="Renewable sources in the world's electricity",
        unit=PERCENT,
        feed="owid-energy",
        params={"column": "renewables_share_elec", "where": "country=World"},
        plausible=plausible_range("0", "100"),
    ),
    Series(
        name="energy.carbon",
        title="Carbon in the world's electricity",
        unit="g CO2 for a kWh",
        feed="owid-energy",
        params={"column": "carbon_intensity_elec", "where": "country=World"},
        plausible=plausible_range("0", "1500"),
    ),
    Series(
        name="water.withdrawn",
        title="Freshwater withdrawn in the world, share of available resources",
        unit=PERCENT,
        feed="worldbank-water",
        params={"path": "1"},
        plausible=plausible_range("0", "100"),
    ),
)
