"""Series on how much things move: monthly, so that daily files and monthly ones say the same."""

from apps.signals.series.shape import Series, between

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
            plausible=between("0", "1000"),
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
        plausible=between("0", "20"),
    ),
    Series(
        name="us.epu.month",
        title="Uncertainty of economic policy, United States, of a month",
        unit="index",
        kind="derived",
        inputs=("us.epu",),
        op="monthly",
        plausible=between("0", "3000"),
    ),
    Series(
        name="wheat.yoy",
        title="Wheat, year on year",
        unit="per cent",
        kind="derived",
        inputs=("wheat",),
        op="yearly_change",
        plausible=between("-100", "1000"),
    ),
)
