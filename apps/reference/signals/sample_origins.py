"""The origins of the bundled sample's figures, and their terms. Pure.

A figure of the sample is not one that its series' publisher offers now: it states the origin, the
day and the licence of its own file. Some were invented, and say so.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.reference.signals.series.definitions import US_PUBLIC_DOMAIN

INVENTED = "INVENTED"


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleOrigin:
    """Series of a sample file: origin, last month or year, and terms.

    A name that ends in `*` is a prefix. An `invented` one has no publisher.
    """

    file: str
    series: tuple[str, ...]
    origin: str
    to: str = ""
    licence: str = US_PUBLIC_DOMAIN
    invented: bool = False

    @property
    def terms(self) -> str:
        """The terms shown with its figures."""
        if self.invented:
            return f"{self.origin} (bundled sample, {self.file})"
        return f"{self.licence}; {self.origin}, to {self.to} (bundled sample, {self.file})"

    def covers(self, name: str) -> bool:
        """Return whether a series is of this row."""
        return any(
            name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern
            for pattern in self.series
        )


def _federal_reserve_origin(
    file: str, series: Sequence[str], release: str, to: str
) -> SampleOrigin:
    return SampleOrigin(
        file=file, series=tuple(series), origin=f"Federal Reserve Board, {release}", to=to
    )


ORIGINS: tuple[SampleOrigin, ...] = (
    _federal_reserve_origin("fx.csv, currencies.csv, earlier.csv", ["fx.eur.*"], "H.10", "2026-06"),
    _federal_reserve_origin("money.csv", ["us.dgs2"], "H.15", "2023-11"),
    _federal_reserve_origin("money.csv, earlier.csv", ["us.dgs10"], "H.15", "2026-06"),
    _federal_reserve_origin("money.csv", ["us.dfii10"], "H.15", "2026-06"),
    _federal_reserve_origin("money.csv", ["us.dollar.broad"], "H.10", "2024-12"),
    _federal_reserve_origin("money.csv", ["us.fed.assets"], "H.4.1", "2025-12"),
    SampleOrigin(
        file="money.csv, earlier.csv",
        series=("us.cpi",),
        origin="Bureau of Labor Statistics",
        to="2026-05",
    ),
    SampleOrigin(
        file="policy.csv, earlier.csv",
        series=("us.epu",),
        origin="Baker, Bloom and Davis, policyuncertainty.com",
        to="2025-08",
        licence="To be cited; reported as CC BY 4.0",
    ),
    SampleOrigin(
        file="stress.csv", series=("ofr.fsi*",), origin="Office of Financial Research", to="2026-09"
    ),
    SampleOrigin(
        file="commodities.csv, earlier.csv, prices.csv",
        series=(
            "oil.wti.month", "oil.brent.month", "gas.*", "gold", "silver", "copper", "wheat",
            "corn", "soybeans", "coffee", "cocoa", "cotton", "sugar", "timber",
        ),
        origin="World Bank, Pink Sheet of 2 June 2026",
        to="2026-05",
        licence="CC BY 4.0",
    ),
    SampleOrigin(
        file="earth.csv, land.csv",
        series=("air.*", "heat.anomaly*", "ice.north", "sea.enso"),
        origin="NOAA, NASA, NSIDC",
        to="2026-07",
    ),
    SampleOrigin(
        file="earth.csv, land.csv",
        series=("energy.*",),
        origin="Our World in Data, of Ember and Energy Institute",
        to="2025",
        licence="CC BY 4.0",
    ),
    SampleOrigin(
        file="oil.csv",
        series=("oil.brent",),
        origin="Energy Information Administration, Europe Brent spot",
        to="2026-08",
    ),
    SampleOrigin(
        file="trade.csv",
        series=("trade.gscpi",),
        origin="Federal Reserve Bank of New York, Global Supply Chain Pressure Index",
        to="2026-08",
        licence="Free use with the source named",
    ),
    SampleOrigin(
        file="trade.csv",
        series=("river.kaub", "river.kaub.low", "river.koeln", "river.koeln.low"),
        origin="Wasserstraßen- und Schifffahrtsverwaltung des Bundes, PEGELONLINE",
        to="2026-09",
        licence="DL-DE-Zero-2.0",
    ),
    SampleOrigin(
        file="made_trade.csv",
        series=(
            "trade.suez", "trade.panama", "trade.hormuz", "trade.malacca", "trade.freight",
            "river.st_louis", "river.memphis", "debt.*", "balance.*", "euro.italy.10y",
            "euro.germany.10y",
        ),
        origin="Invented for the sandbox, of no publisher",
        licence="",
        invented=True,
    ),
    SampleOrigin(
        file="made_links.csv",
        series=("us.tpu",),
        origin="Invented for the sandbox, of no publisher",
        licence="",
        invented=True,
    ),
    SampleOrigin(
        file="made.csv",
        series=("stable.*", "us.cpi.independent"),
        origin="Invented for the sandbox, of no publisher",
        licence="",
        invented=True,
    ),
    SampleOrigin(
        file="made_growing.csv, made_events.csv",
        series=("grow.*",),
        origin="Invented for the sandbox, of no publisher",
        licence="",
        invented=True,
    ),
    SampleOrigin(
        file="made_land.csv, made_heat.csv",
        series=("rain.*", "heat.us.*", "drought.*", "nature.*", "gender.*", "water.withdrawn.*"),
        origin="Invented for the sandbox, of no publisher",
        licence="",
        invented=True,
    ),
)  # fmt: skip


def find_sample_origin(name: str) -> SampleOrigin | None:
    """Return the row of a stored series; None for one that the sample does not hold."""
    return next((row for row in ORIGINS if row.covers(name)), None)


def sample_terms(name: str) -> str:
    """Return the terms shown with a figure of the sample."""
    row = find_sample_origin(name)
    return row.terms if row else "Bundled sample"


def is_invented_series(name: str) -> bool:
    """Return whether the sample's figures of a series are invented."""
    row = find_sample_origin(name)
    return row is not None and row.invented
