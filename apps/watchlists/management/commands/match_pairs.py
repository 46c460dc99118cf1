"""manage.py match_pairs IN.csv OUT.csv: score pairs of names as the list search would."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.core.problems import DomainError
from apps.watchlists import batch, indexes
from apps.watchlists.matching.explain import explain
from apps.watchlists.matching.index import MatchIndex, Query
from apps.watchlists.matching.lexicon import TokenWeights
from apps.watchlists.progress import Counter
from apps.watchlists.sets import current_set
from apps.watchlists.values import ListedEntity, ListedName


class Command(BaseCommand):
    help = (
        "Score the pairs of a CSV file (columns query, candidate, schema); adds score, keeps the "
        "other columns. Words weigh as they do on the live lists."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", type=Path, metavar="IN.csv")
        parser.add_argument("target", type=Path, metavar="OUT.csv")
        parser.add_argument("--profile", choices=("list",), default="list")

    def handle(self, *args: Any, **options: Any) -> None:
        started = time.monotonic()
        lists = current_set()
        built = indexes.is_built(lists.id)
        if not built:
            self.stderr.write("No index of the live lists here: words weigh as in general use.")
        weights = (
            MatchIndex.open(indexes.folder(lists.id) / "sanction").weights
            if built
            else TokenWeights.general()
        )
        try:
            rows, _ = batch.run(
                source=options["source"],
                target=options["target"],
                needs=("query", "candidate", "schema"),
                adds=("score",),
                judge=Judge(weights),
                progress=Counter(self.stderr, "pairs scored"),
            )
        except (DomainError, OSError, UnicodeError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{rows} pairs in {time.monotonic() - started:.1f} s.")


class Judge:
    """Adds the score of a row's pair."""

    def __init__(self, weights: TokenWeights) -> None:
        self.weights = weights

    def __call__(self, row: batch.Row) -> Sequence[str]:
        schema = batch.schema_of(row["schema"])
        candidate = row["candidate"]
        entity = ListedEntity(
            entity_id="", schema=schema or "Unknown", names=(ListedName(candidate, "primary"),)
        )
        found = explain(
            query=Query(name=row["query"], schema=schema),
            entity=entity,
            name=candidate,
            weights=self.weights,
        )
        return (f"{found.score:.6f}",)
