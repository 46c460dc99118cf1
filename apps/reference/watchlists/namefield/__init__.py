"""The name field as payments write it: the names in it, identifiers, and what cannot be read.

`parse_name_field` is pure and knows no list; `spot_listed_names` finds listed names within others.
"""

from apps.reference.watchlists.namefield.parser import parse_name_field
from apps.reference.watchlists.namefield.parts import Kind, NameField, NamePart, PartHit
from apps.reference.watchlists.namefield.spotted_names import cap_part_score, spot_listed_names

__all__ = [
    "Kind",
    "NameField",
    "NamePart",
    "PartHit",
    "cap_part_score",
    "parse_name_field",
    "spot_listed_names",
]
