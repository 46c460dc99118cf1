"""Lists, their versions and the states of the parties on them; parties that we came across.

A list is stored by change: a row is one state of one listed party and says from which version
of its source it holds and up to which. Version N is every row with `first <= N` and `last`
empty or `>= N`. So an import writes only what changed, readers name the version they mean and
never see a half-staged one, and every older version can be read again.
"""

from apps.reference.watchlists.choices import SourceKind, SourceTopic, VersionStatus
from apps.reference.watchlists.models.list_records import ListRecord
from apps.reference.watchlists.models.list_versions import (
    READ_BATCH,
    EntityState,
    EntityStates,
    ListVersion,
)
from apps.reference.watchlists.models.screened_parties import Party, PartyKind
from apps.reference.watchlists.models.source_changes import SourceChange, SourceEvent
from apps.reference.watchlists.models.sources import Source, formats

__all__ = [
    "READ_BATCH",
    "EntityState",
    "EntityStates",
    "ListRecord",
    "ListVersion",
    "Party",
    "PartyKind",
    "Source",
    "SourceChange",
    "SourceEvent",
    "SourceKind",
    "SourceTopic",
    "VersionStatus",
    "formats",
]
