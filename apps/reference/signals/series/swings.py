"""Series on how much things move: monthly, so that daily files and monthly ones say the same."""

from apps.reference.signals.series.definitions import Series, plausible_range

# price -> what moves
PRICES = {
    "oil.brent.month": "Oil, Brent",
    "gas.europe": "Natural gas, Europe",
    "copper": "Copper",
    "wheat": "Wheat",
    "gold": "Gold",
    "fx.usd.EUR": "Euros for one dollar",
    "fx.usd.JPY": "Yen for one dollar",
}

SERIES: tuple[Series, ...] = (
    *(
        Series(
            name=f"{name}.swing",
            title=f"{title}: how much it moves in a month",
            unit="per cent a month",
            kind="derived",
            inputs=(name,),
            op="swing",
            plausible=plausible_range("0", "1000"),
        )
        for name, title in PRICES.items()
    ),
    Series(
        name="us.dgs10.swing",
        title="US Treasury yield, 10 years: how much it moves in a month",
        unit="percentage points a month",
        kind="derived",
        inputs=("us.dgs10",),
        op="swing_points",
        plausible=plausible_range("0", "20"),
    ),
    Series(
        # a newspaper day tells little: the publisher's own figure of a day moves by half overnight
        name="us.epu.30d",
        title="Uncertainty of economic policy, United States, mean of thirty days",
        unit="index",
        kind="derived",
        inputs=("us.epu",),
        op="thirty_days",
        plausible=plausible_range("0", "3000"),
    ),
    Series(
        name="us.epu.month",
        title="Uncertainty of economic policy, United States, of a month",
        unit="index",
        kind="derived",
        inputs=("us.epu",),
        op="monthly",
        plausible=plausible_range("0", "3000"),
    ),
    Series(
        name="wheat.yoy",
        title="Wheat, year on year",
        unit="per cent",
        kind="derived",
        inputs=("wheat",),
        op="yearly_change",
        plausible=plausible_range("-100", "1000"),
    ),
)
