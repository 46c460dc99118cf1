"""Pages of the desk on lists: the lists themselves, and changes of where they come from."""

from apps.reference.watchlists.admin.lists import (
    ListVersionAdmin,
    SourceAdmin,
    list_running_imports,
)
from apps.reference.watchlists.admin.parties import EntityStateAdmin, PartyAdmin
from apps.reference.watchlists.admin.source_changes import SourceChangeAdmin
from apps.reference.watchlists.list_status import describe_source_status

__all__ = [
    "EntityStateAdmin",
    "ListVersionAdmin",
    "PartyAdmin",
    "SourceAdmin",
    "SourceChangeAdmin",
    "describe_source_status",
    "list_running_imports",
]
