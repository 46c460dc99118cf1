"""Files on the weather of growing regions: one of NASA for each point."""

from apps.signals.series.feeds.earth import US
from apps.signals.series.growing import LAND, Place
from apps.signals.series.shape import DAY, Feed


def _power(name: str, place: Place) -> Feed:
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
        licence=US,
        cite="NASA Langley Research Center, POWER Project, funded through the NASA Earth Science "
        "Directorate Applied Science Program",
        cadence="month",
        lag=8 * DAY,
        max_age=50 * DAY,
        least=300,
        every=2 * DAY,
        revises="recent",
    )


FEEDS: tuple[Feed, ...] = tuple(_power(name, place) for name, place in LAND.items())
