"""manage.py match_pairs: score pairs of names as the list search does, or as payees are checked."""

import csv
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.platform.common.problems import DomainError
from apps.platform.common.progress import ProgressCounter
from apps.reference.names.payee.evaluation import LABELS, EvaluationFigures, LabelledPair
from apps.reference.watchlists import csv_batch, indexes
from apps.reference.watchlists.listed_entity import ListedEntity, ListedName
from apps.reference.watchlists.live_list_sets import load_current_set
from apps.reference.watchlists.matching.explanation import explain_score
from apps.reference.watchlists.matching.index import MatchIndex, Query
from apps.reference.watchlists.matching.token_weights import TokenWeights

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
            "--errors",
            action="store_true",
            help="print each pair with an unexpected result (payee)",
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
        lists = load_current_set()
        built = indexes.is_index_built(lists.id)
        if not built:
            self.stderr.write("No index of the live lists here: words weigh as in general use.")
        weights = (
            MatchIndex.open(indexes.index_folder(lists.id) / "sanction").weights
            if built
            else TokenWeights.general()
        )
        rows, _ = csv_batch.run_csv_batch(
            source=options["source"],
            target=options["target"],
            needs=("query", "candidate", "schema"),
            adds=("score",),
            judges=csv_batch.judge_row_by_row(PairScorer(weights)),
            progress=ProgressCounter(self.stderr, "pairs scored"),
        )
        return rows

    def _payees(self, options: dict[str, Any]) -> int:
        if options["target"] is not None:
            raise CommandError("Profile payee writes no CSV file: name only IN.csv.")
        figures = EvaluationFigures()
        for wrong in figures.measure(read_payee_pairs(options["source"])):
            if options["errors"]:
                pair, outcome = wrong.pair, wrong.outcome
                names = " | ".join(
                    name[:_LONGEST_SHOWN] for name in (pair.submitted, pair.registered)
                )
                expected = f"{pair.expected}/{pair.alt}" if pair.alt else pair.expected
                rule = f"{outcome.decided.code} {outcome.decided.title}"
                mark = " " if wrong.allowed else "!"
                self.stdout.write(
                    f"{mark} {pair.category:10} {expected:12} {outcome.band} {outcome.score}: "
                    f"{names} ({rule})"
                )
        payee_figures = figures.data()
        for name, shares in [
            *payee_figures["categories"].items(),
            ("overall", payee_figures["overall"]),
        ]:
            self.stdout.write(f"{name:15} {json.dumps(shares)[1:-1]}")
        if options["json"] is not None:
            options["json"].write_text(json.dumps(payee_figures, indent=2) + "\n")
        return figures.total.pairs


def read_payee_pairs(source: Path) -> Iterator[LabelledPair]:
    """Yield the labelled pairs of a CSV file, one by one; BatchRefused for any other file."""
    with source.open(encoding="utf-8-sig", newline="") as reading:
        reader = csv.DictReader(reading)
        if missing := sorted(set(PAYEE_COLUMNS) - set(reader.fieldnames or ())):
            raise csv_batch.BatchRefused(f"{source.name} lacks the columns {', '.join(missing)}.")
        for number, row in enumerate(reader, start=1):
            pair = LabelledPair(
                submitted=row["submitted"] or "",
                registered=row["registered"] or "",
                expected=(row["expected"] or "").strip().upper(),
                alt=(row.get("alt") or "").strip().upper(),
                category=(row.get("category") or "").strip(),
            )
            if pair.expected not in LABELS or pair.alt not in (*LABELS, ""):
                labels = ", ".join(LABELS)
                raise csv_batch.BatchRefused(
                    f"Row {number} of {source.name} is not one of {labels}."
                )
            yield pair


class PairScorer:
    """Adds the score of a row's pair."""

    def __init__(self, weights: TokenWeights) -> None:
        self.weights = weights

    def __call__(self, row: csv_batch.Row) -> Sequence[str]:
        schema = csv_batch.parse_schema_cell(row["schema"])
        candidate = row["candidate"]
        entity = ListedEntity(
            entity_id="", schema=schema or "Unknown", names=(ListedName(candidate, "primary"),)
        )
        score = explain_score(
            query=Query(name=row["query"], schema=schema),
            entity=entity,
            name=candidate,
            weights=self.weights,
        )
        return (f"{score.score:.6f}",)
