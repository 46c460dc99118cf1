"""Pages of the desk on lists: the lists themselves, and changes of where they come from."""

from apps.watchlists.admin.changes import SourceChangeAdmin
from apps.watchlists.admin.lists import ListVersionAdmin, SourceAdmin, running
from apps.watchlists.admin.parties import EntityStateAdmin, PartyAdmin
from apps.watchlists.standing import judge

__all__ = [
    "EntityStateAdmin",
    "ListVersionAdmin",
    "PartyAdmin",
    "SourceAdmin",
    "SourceChangeAdmin",
    "judge",
    "running",
]
