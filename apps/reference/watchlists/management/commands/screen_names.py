"""manage.py screen_names IN.csv OUT.csv: screen many names against the lists."""

import csv
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.platform.common.progress import ProgressCounter
from apps.reference.watchlists import csv_batch, distributed_screening, engine
from apps.reference.watchlists.bulk_screening import ADDS, NOT_SCREENED, RowScreener, ScreeningOrder

BULK_NICENESS = 10  # where the system has no idle class
WAITS = 30.0  # seconds in which the first worker of a cluster may come


class Command(BaseCommand):
    help = (
        "Screen the names of a CSV file (columns name, schema; optional country, birth_date). "
        "Adds the best score, entity id, dataset, the set of lists, whether the row was "
        "screened, and against which topic from which cutoff: a name that could not be read "
        "whole, and found nobody, is not_screened with the reason and has no score. All columns "
        "are kept. An interrupted run continues where it stopped."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", type=Path, metavar="IN.csv")
        parser.add_argument("target", type=Path, metavar="OUT.csv")
        parser.add_argument("--topic", choices=("sanction", "pep"), default="sanction")
        parser.add_argument(
            "--cutoff", type=float, default=0.45, help="0 to 1: lower scores count as none (0.45)"
        )
        parser.add_argument("--restart", action="store_true", help="do not reuse old rows")
        parser.add_argument(
            "--scheduler",
            metavar="ADDRESS",
            default="",
            help="use the workers of a Dask scheduler, such as tls://10.0.0.5:8786",
        )
        parser.add_argument(
            "--wait", type=float, default=WAITS, help="seconds for its first worker (30)"
        )

    def run_from_argv(self, argv: list[str]) -> None:
        """Run as a process of its own, which yields the processor to the requests of clients."""
        # here, not in `handle`: a command called within another process must not slow it down
        if hasattr(os, "sched_setscheduler"):
            # a request of the same session takes the core at once, not at the end of a slice
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        else:
            os.nice(BULK_NICENESS)
        super().run_from_argv(argv)

    def handle(self, *args: Any, **options: Any) -> None:
        started = time.monotonic()
        cutoff = options["cutoff"]
        if not 0 <= cutoff <= 1:
            raise CommandError(f"--cutoff {cutoff:g}: give a share from 0 to 1, as 0.70 for 70 %.")
        try:
            tally, kept_rows = self._run(options)
        except (DomainError, OSError, UnicodeError, csv.Error) as error:
            raise CommandError(str(error)) from error
        taken = f", {kept_rows} of them from an earlier run" if kept_rows else ""
        seconds = time.monotonic() - started
        rows = tally.rows + kept_rows
        self.stdout.write(f"{rows} names{taken} in {seconds:.1f} s against {tally.list_set}.")
        if tally.unread:
            self.stdout.write(f"{tally.unread} of them could not be screened: see their reason.")

    def _run(self, options: dict[str, Any]) -> "tuple[ScreeningTally, int]":
        topic = options["topic"]
        opened = engine.load_current_engine(now(), need=(topic,))
        for missing in opened.lacking(topic):
            self.stderr.write(f"Not checked: {missing}")
        order = ScreeningOrder(topic, options["cutoff"], opened.list_set.id)
        tally = ScreeningTally(order.list_set)
        with self._judges(order, opened, options) as judges:
            _, kept_rows = csv_batch.run_csv_batch(
                source=options["source"],
                target=options["target"],
                needs=("name", "schema"),
                adds=ADDS,
                judges=lambda rows: tally.counted(judges(rows)),
                resume=not options["restart"],
                same=order.same,
                progress=ProgressCounter(self.stderr, "names screened"),
            )
        return tally, kept_rows

    def _judges(
        self, order: ScreeningOrder, opened: engine.Engine, options: dict[str, Any]
    ) -> AbstractContextManager[csv_batch.Judges]:
        if address := options["scheduler"]:
            return distributed_screening.screen_on_cluster(address, order, waits=options["wait"])
        return nullcontext(csv_batch.judge_row_by_row(RowScreener(order, opened)))


class ScreeningTally:
    """How many rows were judged, and how many of them could not be screened."""

    def __init__(self, list_set: str) -> None:
        """Count the rows of a run against these lists."""
        self.list_set, self.rows, self.unread = list_set, 0, 0

    def counted(self, found: Iterable[Sequence[str]]) -> Iterator[Sequence[str]]:
        """Pass on what rows got, and count it."""
        status = ADDS.index("status")
        for added in found:
            self.rows += 1
            self.unread += added[status] == NOT_SCREENED
            yield added
