"""Screen one row of many names against the lists, like a screen of the same party."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from apps.platform.common.hidden_characters import has_hidden_characters
from apps.reference.watchlists import csv_batch, lookup
from apps.reference.watchlists.engine import Engine
from apps.reference.watchlists.listed_entity import Schema
from apps.reference.watchlists.live_list_sets import Screened
from apps.reference.watchlists.match_effects import SCHEMAS
from apps.reference.watchlists.matches import BulkHits
from apps.reference.watchlists.matching.index import MatchIndex
from apps.reference.watchlists.sources import countries, dates
from apps.reference.watchlists.subjects import Subject

ADDS = ("score", "entity_id", "dataset", "list_set", "status", "reason", "topic", "cutoff")
SCREENED, NOT_SCREENED = "screened", "not_screened"
LONGEST = 300  # characters of a name, as the API takes them
LONGEST_READ = 1000  # of a longer cell the beginning is compared, and it says so
LEAST = 0.01  # a score of zero is no match, whatever the cutoff
# two labels mean Organization: `company` is the one that a row gets
TYPES: dict[Schema | None, str] = {
    schema: label for label, schema in SCHEMAS.items() if label != "organization"
}


class HitSearch(Protocol):
    """A look-up of `lookup` that gives hits alone."""

    def __call__(self, *, index: MatchIndex, subject: Subject) -> BulkHits: ...


HIT_SEARCHES: Mapping[Screened, HitSearch] = {
    "sanction": lookup.find_sanction_hits,
    "pep": lookup.find_pep_hits,
}


@dataclass(frozen=True, slots=True)
class ScreeningOrder:
    """What a run asks of each of its rows; `list_set` is the id of the lists that it is held to."""

    topic: Screened
    cutoff: float
    list_set: str

    @property
    def same(self) -> dict[str, str]:
        """Return the columns that are the same in each row of a run; one of others is another's."""
        return {"list_set": self.list_set, "topic": self.topic, "cutoff": f"{self.cutoff:g}"}


class RowScreener:
    """Adds the best hit to a row: that of a screen of the same party, by the same look-up."""

    def __init__(self, order: ScreeningOrder, opened: Engine) -> None:
        """Judge by the lists that `opened` has, which are those of the order."""
        self._index = opened.sanctions if order.topic == "sanction" else opened.pep
        self._look, self._order = HIT_SEARCHES[order.topic], order

    def __call__(self, row: csv_batch.Row) -> Sequence[str]:
        """Return the columns `ADDS` of a row."""
        order = self._order
        name = " ".join(row["name"].split())
        subject = Subject(
            name=name[:LONGEST_READ],
            entity_type=TYPES.get(csv_batch.parse_schema_cell(row["schema"]), ""),
            birth_date=dates.parse_date(row.get("birth_date", "")),
            nationality=countries.parse_country_code(row.get("country", "")),
        )
        lookup_result = self._look(index=self._index, subject=subject)
        if not name:
            unread = "the name is missing."
        elif has_hidden_characters(name):
            unread = "the name has control or invisible characters."
        else:
            long = [f"it has more than {LONGEST} characters."] if len(name) > LONGEST else []
            unread = " ".join([*long, *lookup_result.unread])
        hits = lookup_result.hits
        if hits and hits[0].score >= max(order.cutoff, LEAST):
            best = hits[0]
            # a reference is `list:id`; publishers and their users know the id
            entity_id = best.ref.removeprefix(f"{best.dataset}:")
            best_row = (f"{best.score:.6f}", entity_id, best.dataset)
            # what could not be read takes nothing from a hit, and is said beside it
            return self._row(*best_row, SCREENED, unread)
        if unread:
            return self._row("", "", "", NOT_SCREENED, unread)
        return self._row("0", "", "", SCREENED, "")

    def _row(self, score: str, entity_id: str, dataset: str, status: str, reason: str) -> list[str]:
        cells = {
            "score": score,
            "entity_id": entity_id,
            "dataset": dataset,
            "status": status,
            "reason": reason,
        } | self._order.same
        return [cells[name] for name in ADDS]
