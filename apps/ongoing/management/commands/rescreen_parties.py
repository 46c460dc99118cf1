"""Holds all known parties against what changed on the lists, as the job does."""

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.core.clock import now
from apps.core.problems import DomainError
from apps.ongoing.models import Rescreen
from apps.ongoing.rescreen import planning, running
from apps.watchlists import engine as engines
from apps.watchlists import locks
from apps.watchlists.models import Source


class Command(BaseCommand):
    help = "Hold all known parties against what changed on the lists; what is news opens a case."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--list", default="", help="one list by its short name; else all")
        parser.add_argument(
            "--since", type=int, help="hold against all since this version (0: the whole list)"
        )
        parser.add_argument("--dry-run", action="store_true", help="count, and write nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        moment, since = now(), options["since"]
        if since is not None and not options["list"]:
            raise CommandError("--since is a version of one list: name it with --list.")
        found = list(self._runs(options["list"], since, moment, dry=options["dry_run"]))
        if not found:
            self.stdout.write("Nothing changed that known parties were not held against.")
            return
        try:
            engine = engines.current(moment, need=())
            on = running.ground(engine=engine, now=moment, progress=self._filed)
        except DomainError as error:
            raise CommandError(error.detail) from error
        for run in found:
            if options["dry_run"]:
                self._foresee(run, on, moment)
            else:
                self._run(run, on)

    def _runs(self, slug: str, since: int | None, moment: datetime, *, dry: bool) -> Any:
        """Yield the runs to go on with: what stands, what is due, or what was asked for."""
        named = planning.sources().filter(**({"slug": slug} if slug else {}))
        if slug and not named.exists():
            raise CommandError(f"No list {slug} is screened against.")
        due = {source.pk: begins for source, begins in planning.due(slug)}
        for source in named.select_related("live"):
            standing = None if dry else planning.unfinished(source)
            begins = due.get(source.pk) if since is None else since
            if standing and standing.settles_at and standing.settles_at > moment:
                self.stdout.write(f"{standing}: the late look is due at {standing.settles_at}.")
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
        made = planning.planned(source=source, begins=begins, now=moment)
        if made is None:
            raise CommandError(f"A run of {source.slug} was begun just now: try again.")
        return made

    def _filed(self, parties: int) -> None:
        if parties % 20_000 == 0:
            self.stdout.write(f"{parties:,} parties filed")

    def _run(self, run: Rescreen, on: running.Ground) -> None:
        def told(run: Rescreen) -> None:
            far = f"{run.verified:,} looked up, {run.opened:,} cases"
            self.stdout.write(f"{run}: {far}, at {run.entry or 'the start'}")

        try:
            with locks.one_at_a_time(f"rescreen-{run.source.slug}"):
                running.go_on(run=run, on=on, now=now(), progress=told)
        except locks.Busy as error:
            raise CommandError(error.detail) from error
        no_news = ", ".join(f"{why} {count}" for why, count in sorted(run.skipped.items()))
        self.stdout.write(
            f"{run}: {run.entries:,} changed entries, {run.candidates:,} candidates of "
            f"{run.parties:,} parties, {run.opened:,} cases; no news: {no_news or 'none'}"
        )

    def _foresee(self, run: Rescreen, on: running.Ground, moment: datetime) -> None:
        for seen in running.foresee(run=run, on=on, now=moment):
            held = ", ".join(f"{why} {count}" for why, count in sorted(seen.pairs.items()))
            self.stdout.write(
                f"{run}: {seen.entries:,} changed entries, {seen.candidates:,} looked up, "
                f"{seen.cases:,} cases would open; pairs: {held or 'none'}"
            )
