"""What a parser is told besides the file."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.watchlists.values import Topic


@dataclass(frozen=True, slots=True)
class Options:
    """`topic` is what the source lists where the file does not say; `columns` maps a field of an
    in-house file to the column that holds it; a parser adds to `notes` what people should know of
    the file."""

    topic: Topic = "sanction"
    columns: Mapping[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
