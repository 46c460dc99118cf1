"""manage.py match_pairs: score pairs of names as the list search does, or as payees are checked."""

import csv
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.core.problems import DomainError
from apps.core.progress import Counter
from apps.names.payee.figures import LABELS, Figures, Labelled, Wrong
from apps.watchlists import batch, indexes
from apps.watchlists.matching.explain import explain
from apps.watchlists.matching.index import MatchIndex, Query
from apps.watchlists.matching.lexicon import TokenWeights
from apps.watchlists.sets import current_set
from apps.watchlists.values import ListedEntity, ListedName

PAYEE_COLUMNS = ("submitted", "registered", "expected")
_LONGEST_SHOWN = 60


class Command(BaseCommand):
    help = (
        "Profile list: score the pairs of a CSV file (columns query, candidate, schema) as the "
        "search of the live lists would; adds score, keeps the other columns. Profile payee: "
        "compare the pairs of a CSV file (columns submitted, registered, expected, and perhaps "
        "alt, category) and print how many are as expected; writes no file but --json."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", type=Path, metavar="IN.csv")
        parser.add_argument("target", type=Path, metavar="OUT.csv", nargs="?")
        parser.add_argument("--profile", choices=("list", "payee"), default="list")
        parser.add_argument("--json", type=Path, metavar="OUT", help="figures of profile payee")
        parser.add_argument(
            "--errors", action="store_true", help="print each pair that is not as expected (payee)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        started = time.monotonic()
        try:
            judge = self._payees if options["profile"] == "payee" else self._listed
            rows = judge(options)
        except (DomainError, OSError, UnicodeError, csv.Error) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{rows} pairs in {time.monotonic() - started:.1f} s.")

    def _listed(self, options: dict[str, Any]) -> int:
        if options["target"] is None:
            raise CommandError("Profile list writes a file: name IN.csv and OUT.csv.")
        lists = current_set()
        built = indexes.is_built(lists.id)
        if not built:
            self.stderr.write("No index of the live lists here: words weigh as in general use.")
        weights = (
            MatchIndex.open(indexes.folder(lists.id) / "sanction").weights
            if built
            else TokenWeights.general()
        )
        rows, _ = batch.run(
            source=options["source"],
            target=options["target"],
            needs=("query", "candidate", "schema"),
            adds=("score",),
            judges=batch.by_row(Judge(weights)),
            progress=Counter(self.stderr, "pairs scored"),
        )
        return rows

    def _payees(self, options: dict[str, Any]) -> int:
        if options["target"] is not None:
            raise CommandError("Profile payee writes no CSV file: name IN.csv alone.")
        figures = Figures()
        for wrong in figures.measure(payee_pairs(options["source"])):
            if options["errors"]:
                self.stdout.write(_told(wrong))
        found = figures.data()
        for name, shares in [*found["categories"].items(), ("overall", found["overall"])]:
            self.stdout.write(f"{name:15} {json.dumps(shares)[1:-1]}")
        if options["json"] is not None:
            options["json"].write_text(json.dumps(found, indent=2) + "\n")
        return figures.total.pairs


def payee_pairs(source: Path) -> Iterator[Labelled]:
    """Yield the labelled pairs of a CSV file, one by one; batch.BatchRefused where it has none."""
    with source.open(encoding="utf-8-sig", newline="") as reading:
        reader = csv.DictReader(reading)
        if missing := sorted(set(PAYEE_COLUMNS) - set(reader.fieldnames or ())):
            raise batch.BatchRefused(f"{source.name} lacks the columns {', '.join(missing)}.")
        for number, row in enumerate(reader, start=1):
            pair = Labelled(
                submitted=row["submitted"] or "",
                registered=row["registered"] or "",
                expected=(row["expected"] or "").strip().upper(),
                alt=(row.get("alt") or "").strip().upper(),
                category=(row.get("category") or "").strip(),
            )
            if pair.expected not in LABELS or pair.alt not in (*LABELS, ""):
                labels = ", ".join(LABELS)
                raise batch.BatchRefused(f"Row {number} of {source.name} is none of {labels}.")
            yield pair


def _told(wrong: Wrong) -> str:
    """Return a line for a pair that is not as expected."""
    pair, outcome = wrong.pair, wrong.outcome
    names = " | ".join(name[:_LONGEST_SHOWN] for name in (pair.submitted, pair.registered))
    expected = f"{pair.expected}/{pair.alt}" if pair.alt else pair.expected
    rule = f"{outcome.decided.code} {outcome.decided.title}"
    mark = " " if wrong.allowed else "!"
    return (
        f"{mark} {pair.category:10} {expected:12} {outcome.band} {outcome.score}: {names} ({rule})"
    )


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
