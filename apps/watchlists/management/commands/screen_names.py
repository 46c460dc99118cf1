"""manage.py screen_names IN.csv OUT.csv: hold many names against the lists."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.core.clock import now
from apps.core.problems import DomainError
from apps.core.written import has_hidden_characters
from apps.watchlists import batch, engine, lookup
from apps.watchlists.evidence import SCHEMAS
from apps.watchlists.matching.index import Hit, MatchIndex
from apps.watchlists.namefield import read
from apps.watchlists.progress import Counter
from apps.watchlists.sources import countries, dates
from apps.watchlists.subjects import Subject
from apps.watchlists.values import Schema

ADDS = ("score", "entity_id", "dataset", "list_set", "status", "reason")
SCREENED, NOT_SCREENED = "screened", "not_screened"
LONGEST = 300  # characters of a name, as the API takes them
LEAST = 0.01  # a score of nothing finds nobody, whatever the cutoff
TYPES: dict[Schema | None, str] = {
    schema: told for told, schema in SCHEMAS.items() if told != "organization"
}


class Look(Protocol):
    """A look-up of `lookup` that gives hits alone."""

    def __call__(self, *, index: MatchIndex, subject: Subject) -> Sequence[Hit]: ...


LOOKS: Mapping[str, Look] = {
    "sanction": lookup.sanction_hits,
    "pep": lookup.office_holder_hits,
}


class Command(BaseCommand):
    help = (
        "Screen the names of a CSV file (columns name, schema; optional country, birth_date). "
        "Adds the best score, entity id, dataset, the set of lists, and whether the row was "
        "screened: a name that could not be read whole, and found nobody, is not_screened with "
        "the reason and has no score. All columns are kept. A run that was cut off goes on where "
        "it stopped."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", type=Path, metavar="IN.csv")
        parser.add_argument("target", type=Path, metavar="OUT.csv")
        parser.add_argument("--topic", choices=("sanction", "pep"), default="sanction")
        parser.add_argument(
            "--cutoff", type=float, default=0.45, help="0 to 1: lower scores count as none (0.45)"
        )
        parser.add_argument("--restart", action="store_true", help="do not take over old rows")

    def handle(self, *args: Any, **options: Any) -> None:
        started = time.monotonic()
        counter = Counter(self.stderr, "names screened")
        topic, cutoff = options["topic"], options["cutoff"]
        if not 0 <= cutoff <= 1:
            raise CommandError(f"--cutoff {cutoff:g}: give a share from 0 to 1, as 0.70 for 70 %.")
        try:
            opened = engine.current(now(), need=(topic,))
            index = opened.sanctions if topic == "sanction" else opened.pep
            for missing in opened.lacking(topic):
                self.stderr.write(f"Not checked: {missing}")
            judge = Judge(
                index=index, look=LOOKS[topic], list_set=opened.list_set.id, cutoff=cutoff
            )
            rows, kept = batch.run(
                source=options["source"],
                target=options["target"],
                needs=("name", "schema"),
                adds=ADDS,
                judge=judge,
                resume=not options["restart"],
                same={"list_set": opened.list_set.id},
                progress=counter,
            )
        except (DomainError, OSError, UnicodeError) as error:
            raise CommandError(str(error)) from error
        taken = f", {kept} of them from an earlier run" if kept else ""
        seconds = time.monotonic() - started
        self.stdout.write(f"{rows} names{taken} in {seconds:.1f} s against {judge.list_set}.")
        if judge.unread:
            self.stdout.write(f"{judge.unread} of them could not be screened: see their reason.")


class Judge:
    """Adds the best hit to a row: that of a screen of the same party, by the same look-up."""

    def __init__(self, *, index: MatchIndex, look: Look, list_set: str, cutoff: float) -> None:
        self.index, self.look, self.list_set, self.cutoff = index, look, list_set, cutoff
        self.unread = 0

    def __call__(self, row: batch.Row) -> Sequence[str]:
        name = " ".join(row["name"].split())
        why = unread(name)
        country = countries.alpha2(row.get("country", ""))
        subject = Subject(
            name=name,
            entity_type=TYPES.get(batch.schema_of(row["schema"]), ""),
            birth_date=dates.single(row.get("birth_date", "")),
            nationality=country,
        )
        hits = self.look(index=self.index, subject=subject)
        if hits and hits[0].score >= max(self.cutoff, LEAST):
            best = hits[0]
            entity_id = best.ref.removeprefix(f"{best.dataset}:")
            found = (f"{best.score:.6f}", entity_id, best.dataset)
            return (*found, self.list_set, SCREENED, why)
        if why:
            self.unread += 1
            return ("", "", "", self.list_set, NOT_SCREENED, why)
        return ("0", "", "", self.list_set, SCREENED, "")


def unread(name: str) -> str:
    """Return why a name cannot be screened whole, in sentences; empty when it can."""
    if not name:
        return "there is no name."
    if has_hidden_characters(name):
        return "it has control or invisible characters."
    long = [f"it has more than {LONGEST} characters."] if len(name) > LONGEST else []
    return " ".join([*long, *read(name[:LONGEST]).unread])
