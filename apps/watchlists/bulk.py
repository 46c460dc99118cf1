"""One row of many names, held against the lists: by the look-up of a screen of the same party."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from apps.core.written import has_hidden_characters
from apps.watchlists import batch, lookup
from apps.watchlists.engine import Engine
from apps.watchlists.evidence import SCHEMAS
from apps.watchlists.matching.index import Hit, MatchIndex
from apps.watchlists.namefield import read
from apps.watchlists.sets import Screened
from apps.watchlists.sources import countries, dates
from apps.watchlists.subjects import Subject
from apps.watchlists.values import Schema

ADDS = ("score", "entity_id", "dataset", "list_set", "status", "reason", "topic", "cutoff")
SCREENED, NOT_SCREENED = "screened", "not_screened"
LONGEST = 300  # characters of a name, as the API takes them
LEAST = 0.01  # a score of nothing finds nobody, whatever the cutoff
TYPES: dict[Schema | None, str] = {
    schema: told for told, schema in SCHEMAS.items() if told != "organization"
}


class Look(Protocol):
    """A look-up of `lookup` that gives hits alone."""

    def __call__(self, *, index: MatchIndex, subject: Subject) -> Sequence[Hit]: ...


LOOKS: Mapping[Screened, Look] = {
    "sanction": lookup.sanction_hits,
    "pep": lookup.office_holder_hits,
}


@dataclass(frozen=True, slots=True)
class Order:
    """What a run asks of each of its rows; `list_set` is the id of the lists that it is held to."""

    topic: Screened
    cutoff: float
    list_set: str

    @property
    def same(self) -> dict[str, str]:
        """Return the columns that are the same in each row of a run; one of others is another's."""
        return {"list_set": self.list_set, "topic": self.topic, "cutoff": f"{self.cutoff:g}"}


class Judge:
    """Adds the best hit to a row: that of a screen of the same party, by the same look-up."""

    def __init__(self, order: Order, opened: Engine) -> None:
        """Judge by the lists that `opened` has, which are those of the order."""
        self._index = opened.sanctions if order.topic == "sanction" else opened.pep
        self._look, self._order = LOOKS[order.topic], order

    def __call__(self, row: batch.Row) -> Sequence[str]:
        """Return the columns `ADDS` of a row."""
        order = self._order
        name = " ".join(row["name"].split())
        why = unread(name)
        subject = Subject(
            name=name,
            entity_type=TYPES.get(batch.schema_of(row["schema"]), ""),
            birth_date=dates.single(row.get("birth_date", "")),
            nationality=countries.alpha2(row.get("country", "")),
        )
        hits = self._look(index=self._index, subject=subject)
        if hits and hits[0].score >= max(order.cutoff, LEAST):
            best = hits[0]
            entity_id = best.ref.removeprefix(f"{best.dataset}:")
            found = (f"{best.score:.6f}", entity_id, best.dataset)
            return self._row(*found, SCREENED, why)
        if why:
            return self._row("", "", "", NOT_SCREENED, why)
        return self._row("0", "", "", SCREENED, "")

    def _row(self, score: str, entity_id: str, dataset: str, status: str, why: str) -> list[str]:
        told = {
            "score": score,
            "entity_id": entity_id,
            "dataset": dataset,
            "status": status,
            "reason": why,
        } | self._order.same
        return [told[name] for name in ADDS]


def unread(name: str) -> str:
    """Return why a name cannot be screened whole, in sentences; empty when it can."""
    if not name:
        return "there is no name."
    if has_hidden_characters(name):
        return "it has control or invisible characters."
    long = [f"it has more than {LONGEST} characters."] if len(name) > LONGEST else []
    return " ".join([*long, *read(name[:LONGEST]).unread])
