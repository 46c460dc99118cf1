"""manage.py rescreen_parties: screen all known parties against list changes, as the job does."""

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.compliance.screening.models.rescreens import Rescreen
from apps.compliance.screening.rescreening import due_runs, runner
from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.reference.watchlists import engine as watchlist_engine
from apps.reference.watchlists import locks
from apps.reference.watchlists.models import Source


class Command(BaseCommand):
    help = "Screen all known parties against list changes; new matches open a case."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--list", default="", help="one list by its short name; else all")
        parser.add_argument(
            "--since",
            type=int,
            help="re-screen against all changes since this version (0: the whole list)",
        )
        parser.add_argument("--dry-run", action="store_true", help="count, and write nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        moment, since = now(), options["since"]
        if since is not None and not options["list"]:
            raise CommandError("--since is a version of one list: name it with --list.")
        runs = list(self._runs(options["list"], since, moment, dry=options["dry_run"]))
        if not runs:
            self.stdout.write("No list changes to re-screen known parties against.")
            return
        try:
            engine = watchlist_engine.load_current_engine(moment, need=())
            on = runner.prepare_run_context(engine=engine, now=moment, progress=self._filed)
        except DomainError as error:
            raise CommandError(error.detail) from error
        for run in runs:
            if options["dry_run"]:
                for seen in runner.forecast_run(run=run, on=on, now=moment):
                    text = ", ".join(f"{why} {count}" for why, count in sorted(seen.pairs.items()))
                    self.stdout.write(
                        f"{run}: {seen.entries:,} changed entries, {seen.candidates:,} looked up, "
                        f"{seen.cases:,} cases would open; pairs: {text or 'none'}"
                    )
            else:
                self._run(run, on)

    def _runs(self, slug: str, since: int | None, moment: datetime, *, dry: bool) -> Any:
        """Yield the runs to continue or start: unfinished, due, or requested by --since."""
        named = due_runs.list_screened_sources().filter(**({"slug": slug} if slug else {}))
        if slug and not named.exists():
            raise CommandError(f"No screened list is called {slug}.")
        due = {source.pk: begins for source, begins in due_runs.find_due_lists(slug)}
        for source in named.select_related("live"):
            # a forecast looks at the change as a whole, not at the rest of a run
            standing = None if dry else due_runs.find_unfinished_run(source)
            begins = due.get(source.pk) if since is None else since
            if standing and standing.settles_at and standing.settles_at > moment:
                self.stdout.write(f"{standing}: the late check is due at {standing.settles_at}.")
                continue
            if standing or begins is None:
                yield from [standing] if standing else []
                continue
            if source.live and begins > source.live.sequence:
                raise CommandError(f"{slug} has no version {begins} yet.")
            yield self._new(source, begins, moment, dry=dry)

    def _new(self, source: Source, begins: int, moment: datetime, *, dry: bool) -> Rescreen:
        if dry:
            through = source.live.sequence if source.live else 0
            return Rescreen(source=source, since=begins, through=through, planned_at=moment)
        run = due_runs.plan_run(source=source, begins=begins, now=moment)
        if run is None:
            raise CommandError(f"A run of {source.slug} has just started: try again.")
        return run

    def _filed(self, parties: int) -> None:
        if parties % 20_000 == 0:
            self.stdout.write(f"{parties:,} parties indexed")

    def _run(self, run: Rescreen, on: runner.RunContext) -> None:
        def progress(run: Rescreen) -> None:
            far = f"{run.verified:,} looked up, {run.opened:,} cases"
            self.stdout.write(f"{run}: {far}, at {run.entry or 'the start'}")

        try:
            # the lock of the job: the two never work on one list at once
            with locks.hold_database_lock(f"rescreen-{run.source.slug}"):
                runner.continue_run(run=run, on=on, now=now(), progress=progress)
        except locks.AlreadyRunning as error:
            raise CommandError(error.detail) from error
        no_news = ", ".join(f"{why} {count}" for why, count in sorted(run.skipped.items()))
        self.stdout.write(
            f"{run}: {run.entries:,} changed entries, {run.candidates:,} candidates of "
            f"{run.parties:,} parties, {run.opened:,} cases; without a case: {no_news or 'none'}"
        )
