"""The rows of composites.

Required of each is what it is named for: without credit and volatility stress of markets is
something else, whatever the rest weighs; supply must not rest on one publisher's index alone, so
there it is fuel, which the bundled sample has. `asOf` of a composite is that of its required
inputs.
"""

from datetime import date
from decimal import Decimal

from apps.reference.signals.composites.definitions import Bands, Composite, Part

CALM: Bands = ((25, "CALM"), (50, "MODERATE"), (75, "STRESSED"), (100, "CRISIS"))
START = date(2000, 1, 1)


def _optional_part(series: str, weight: str, direction: int = 1) -> Part:
    return Part(series=series, weight=Decimal(weight), direction=direction)


def _required_part(series: str, weight: str, direction: int = 1) -> Part:
    return Part(series=series, weight=Decimal(weight), direction=direction, required=True)


COMPOSITES: tuple[Composite, ...] = (
    Composite(
        name="macro-stress",
        title="Stress of financial markets",
        start=START,
        parts=(
            _required_part("ofr.fsi.credit", "0.3"),
            _optional_part("ofr.fsi.equity", "0.3"),
            _required_part("ofr.fsi.volatility", "0.3"),
            _optional_part("ofr.fsi.funding", "0.1"),
        ),
        bands=((25, "EXPANSION"), (60, "LATE_CYCLE"), (85, "STRESS"), (100, "CRISIS")),
    ),
    Composite(
        name="commodity-stress",
        title="Prices of energy, food and metal",
        start=date(1990, 1, 1),
        parts=(
            _required_part("oil.wti.month", "0.25"),
            _optional_part("gas.us.month", "0.15"),
            _optional_part("gold", "0.15"),
            _optional_part("wheat", "0.15"),
            _optional_part("corn", "0.15"),
            _optional_part("copper", "0.15"),
        ),
        bands=CALM,
    ),
    Composite(
        name="climate-stress",
        title="Heat, air, ice and sea",
        start=date(1979, 1, 1),
        parts=(
            _required_part("heat.anomaly", "0.3"),
            _optional_part("air.co2", "0.3"),
            _optional_part("ice.north.year", "0.3", -1),
            _optional_part("sea.enso", "0.1"),
        ),
        bands=((25, "HEALTHY"), (50, "WATCH"), (75, "ELEVATED"), (100, "CRITICAL")),
    ),
    Composite(
        name="dollar-strain",
        title="Strain of the dollar: curve, expected inflation, balance sheet, gold",
        start=date(2003, 1, 1),
        parts=(
            _required_part("us.curve.10y2y", "0.3", -1),
            _optional_part("us.breakeven.10y", "0.2"),
            _optional_part("us.cpi.yoy", "0.2"),
            _optional_part("us.fed.assets", "0.1"),
            _optional_part("gold", "0.2"),
        ),
        bands=CALM,
    ),
    Composite(
        name="currency-stress",
        title="Currencies against the dollar",
        start=START,
        parts=(
            _required_part("fx.usd.EUR", "0.3"),
            _optional_part("fx.usd.CNY", "0.25"),
            _optional_part("fx.usd.JPY", "0.15"),
            _optional_part("fx.usd.GBP", "0.15"),
            _optional_part("fx.usd.INR", "0.15"),
        ),
        bands=CALM,
    ),
    Composite(
        name="policy-instability",
        title="Uncertainty of policy and of trade policy in the United States",
        start=date(1985, 1, 1),
        parts=(_required_part("us.epu.30d", "0.7"), _optional_part("us.tpu", "0.3")),
        bands=((20, "LOW"), (45, "MODERATE"), (70, "ELEVATED"), (100, "ACUTE")),
    ),
    Composite(
        name="supply-pressure",
        title="Pressure on supply: chains, fuel, metal, timber",
        start=date(1998, 1, 1),
        parts=(
            _optional_part("trade.gscpi", "0.4"),
            _required_part("oil.brent.month", "0.2"),
            _optional_part("gas.europe", "0.1"),
            _optional_part("copper", "0.15"),
            _optional_part("timber", "0.15"),
        ),
        bands=CALM,
    ),
    Composite(
        name="credit-stress",
        title="Credit, in markets and between states",
        start=START,
        parts=(
            _required_part("ofr.fsi.credit", "0.4"),
            _optional_part("ofr.fsi.funding", "0.25"),
            _optional_part("us.credit.premium", "0.15"),
            _optional_part("us.nfci", "0.1"),
            _optional_part("euro.btp_bund", "0.1"),
        ),
        bands=CALM,
    ),
    Composite(
        name="risk-assets",
        title="Shares and volatility",
        start=START,
        parts=(
            _required_part("ofr.fsi.equity", "0.5"),
            _optional_part("ofr.fsi.volatility", "0.5"),
        ),
        bands=CALM,
    ),
    Composite(
        name="capital-flows",
        title="Where money flees: safe assets, emerging markets, funding",
        start=START,
        parts=(
            _required_part("ofr.fsi.safe", "0.35"),
            _optional_part("ofr.fsi.funding", "0.3"),
            _optional_part("ofr.fsi.emerging", "0.2"),
            _optional_part("euro.ciss", "0.15"),
        ),
        bands=CALM,
    ),
    Composite(
        name="regime",
        title="Stress of markets, prices and policy, which determines the regime",
        start=date(1985, 1, 1),
        parts=(
            _optional_part("ofr.fsi", "0.2"),
            _required_part("us.epu.month", "0.15"),
            _required_part("oil.brent.month.swing", "0.12"),
            _optional_part("copper.swing", "0.1"),
            _optional_part("us.dgs10.swing", "0.1"),
            _optional_part("gas.europe.swing", "0.08"),
            _optional_part("wheat.swing", "0.07"),
            _optional_part("gold.swing", "0.06"),
            _optional_part("fx.usd.EUR.swing", "0.03"),
            _optional_part("fx.usd.JPY.swing", "0.03"),
            _optional_part("us.cpi.yoy", "0.06"),
        ),
        bands=(
            (20, "STABLE"),
            (40, "ELEVATED"),
            (60, "STRESSED"),
            (80, "CRITICAL"),
            (100, "CRISIS"),
        ),
    ),
)
