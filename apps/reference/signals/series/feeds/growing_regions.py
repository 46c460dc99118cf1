"""Files on the weather of growing regions: one of NASA for each point."""

from apps.reference.signals.series.definitions import DAY, US_PUBLIC_DOMAIN, Feed
from apps.reference.signals.series.growing_regions import LAND_REGIONS, GrowingRegion


def _nasa_power_feed(name: str, place: GrowingRegion) -> Feed:
    assert place.point is not None
    latitude, longitude = place.point
    return Feed(
        name=f"power-{name}",
        publisher="NASA POWER",
        title=f"Days of temperature and rain since 1991: {place.title}",
        url="https://power.larc.nasa.gov/api/temporal/daily/point",
        query={
            "parameters": "T2M,PRECTOTCORR",
            "community": "AG",
            "latitude": latitude,
            "longitude": longitude,
            "start": "19910101",
            "end": "{day}",
            "format": "JSON",
        },
        reader="power",
        licence=US_PUBLIC_DOMAIN,
        cite="NASA Langley Research Center, POWER Project, funded through the NASA Earth Science "
        "Directorate Applied Science Program",
        cadence="month",
        lag=8 * DAY,
        max_age=50 * DAY,
        least=300,
        every=2 * DAY,
        revises="recent",
    )


FEEDS: tuple[Feed, ...] = tuple(
    _nasa_power_feed(name, place) for name, place in LAND_REGIONS.items()
)
