"""The name field as payments write it: the names in it, identifiers, and what cannot be read.

`read` is pure and knows no list; `search` holds every part against an index.
"""

from apps.watchlists.namefield.reading import read
from apps.watchlists.namefield.spotting import held, spotted
from apps.watchlists.namefield.values import Field, Kind, Part, PartHit

__all__ = ["Field", "Kind", "Part", "PartHit", "held", "read", "spotted"]
