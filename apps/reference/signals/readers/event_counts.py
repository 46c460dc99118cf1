"""Events of the world by where they are: those within a box, of some kinds, are counted.

Parameters of a series: `box`, west, south, east and north in degrees, and `kinds`, parted by
blanks, of `properties.eventtype`. A place is the last point of an event's `geometry`, which is one
of GeoJSON or a list of them. Without `box` all items count.
"""

from collections.abc import Sequence
from typing import Any

from apps.reference.signals.row_parsing import Malformed
from apps.reference.signals.series.definitions import Series


def count_events(items: Sequence[Any], row: Series) -> int:
    """Return how many items a series is about; Malformed where one has no place."""
    box = row.params.get("box")
    if box is None:
        return len(items)
    west, south, east, north = map(float, box.split(","))
    kinds = row.params.get("kinds", "").split()
    places = (_event_position(item) for item in items if not kinds or _event_kind(item) in kinds)
    return sum(west <= x <= east and south <= y <= north for x, y in places)


def _event_kind(item: Any) -> str:
    properties = item.get("properties") if isinstance(item, dict) else None
    if not isinstance(properties, dict):
        raise Malformed("an event has no properties")
    return str(properties.get("eventtype", ""))


def _event_position(item: Any) -> tuple[float, float]:
    """Return the longitude and latitude of an event: of a shape, its first corner."""
    here = item.get("geometry") if isinstance(item, dict) else None
    if isinstance(here, list) and here:
        # EONET lists the positions of an event over time: the last one is where it is now
        here = here[-1]
    coordinates = here.get("coordinates") if isinstance(here, dict) else None
    while isinstance(coordinates, list) and coordinates and isinstance(coordinates[0], list):
        coordinates = coordinates[0]
    if not isinstance(coordinates, list) or len(coordinates) < 2:
        raise Malformed("an event has no place")
    try:
        return float(coordinates[0]), float(coordinates[1])
    except (TypeError, ValueError) as error:
        raise Malformed("an event has no place") from error
