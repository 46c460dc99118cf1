"""Pages of the desk on lists: the lists themselves, and changes of where they come from."""

from apps.watchlists.admin.changes import SourceChangeAdmin
from apps.watchlists.admin.lists import (
    EntityStateAdmin,
    ListVersionAdmin,
    PartyAdmin,
    SourceAdmin,
    judge,
    running,
)

__all__ = [
    "EntityStateAdmin",
    "ListVersionAdmin",
    "PartyAdmin",
    "SourceAdmin",
    "SourceChangeAdmin",
    "judge",
    "running",
]
