"""Options of a parser, apart from the file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from apps.platform.common.clock import assume_utc
from apps.reference.watchlists.completeness import FileReport
from apps.reference.watchlists.listed_entity import ListedEntity, Topic


@dataclass(frozen=True, slots=True)
class ParseOptions:
    """What a parser needs besides the files, and where it reports what it notices.

    `topic` is what the source lists where the file does not say; `columns` maps a field of an
    in-house file to the column that holds it; a parser adds to `notes` what people should know of
    the file, and to `reading` what tells whether it is the whole list.
    """

    topic: Topic = "sanction"
    columns: Mapping[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    reading: FileReport = field(default_factory=FileReport)

    def kept(self, entity: ListedEntity | None) -> Iterator[ListedEntity]:
        """Yield a party; one without a name is counted as left out."""
        if entity is None:
            self.reading.losses["dropped"] += 1
        else:
            yield entity

    def stated(self, text: str) -> None:
        """Take what a file says of its publication: ISO 8601, or `27-Feb-2026`, or `27/02/2026`.

        A day without a time counts from its beginning; the latest of several counts.
        """
        publication_time = _parse_publication_time(text.strip())
        if publication_time and (
            self.reading.published is None or publication_time > self.reading.published
        ):
            self.reading.published = publication_time


def _parse_publication_time(text: str) -> datetime | None:
    for form in ("%d-%b-%Y", "%d/%m/%Y"):
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return assume_utc(moment)
