"""manage.py screen_names IN.csv OUT.csv: hold many names against the lists."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.core.clock import now
from apps.core.problems import DomainError
from apps.watchlists import batch, engine
from apps.watchlists.matching.index import MatchIndex, Query
from apps.watchlists.progress import Counter
from apps.watchlists.sources import countries, dates

ADDS = ("score", "entity_id", "dataset", "list_set")


class Command(BaseCommand):
    help = (
        "Screen the names of a CSV file (columns name, schema; optional country, birth_date). "
        "Adds the best score, entity id, dataset and the set of lists; all columns are kept. A "
        "run that was cut off goes on where it stopped."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", type=Path, metavar="IN.csv")
        parser.add_argument("target", type=Path, metavar="OUT.csv")
        parser.add_argument("--topic", choices=("sanction", "pep"), default="sanction")
        parser.add_argument("--cutoff", type=float, default=0.45, help="lower scores count as none")
        parser.add_argument("--restart", action="store_true", help="do not take over old rows")

    def handle(self, *args: Any, **options: Any) -> None:
        started = time.monotonic()
        counter = Counter(self.stderr, "names screened")
        topic = options["topic"]
        try:
            opened = engine.current(now(), need=(topic,))
            index = opened.sanctions if topic == "sanction" else opened.pep
            judge = Judge(index=index, list_set=opened.list_set.id, cutoff=options["cutoff"])
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


class Judge:
    """Adds the best hit to a row."""

    def __init__(self, *, index: MatchIndex, list_set: str, cutoff: float) -> None:
        self.index, self.list_set, self.cutoff = index, list_set, cutoff

    def __call__(self, row: batch.Row) -> Sequence[str]:
        country = countries.alpha2(row.get("country", ""))
        query = Query(
            name=row["name"],
            schema=batch.schema_of(row["schema"]),
            birth_date=dates.single(row.get("birth_date", "")),
            countries=(country,) if country else (),
        )
        hits = self.index.search(query, cutoff=self.cutoff, limit=1)
        if not hits:
            return ("0", "", "", self.list_set)
        best = hits[0]
        entity_id = best.ref.removeprefix(f"{best.dataset}:")
        return (f"{best.score:.6f}", entity_id, best.dataset, self.list_set)
