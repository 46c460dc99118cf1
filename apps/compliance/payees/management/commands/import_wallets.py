"""manage.py import_wallets FILE: register the wallets of a CSV, as an import of the desk does."""

from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Count

from apps.compliance.payees.imports import services, tasks
from apps.compliance.payees.imports.csv_parser import LARGEST
from apps.compliance.payees.models import ImportLine, Stage, WalletImport
from apps.compliance.payees.rules.import_lines import AFTER, BEFORE, CODES
from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.platform.common.progress import ProgressCounter
from apps.platform.jobs.registry import JOBS

PLAIN = ("REGISTER", "UPGRADE", "CHANGE", "SAME")


class Command(BaseCommand):
    help = (
        "Register the wallets of a CSV (columns walletAddress, legalName, country; optional "
        "lei, aliases separated by |). Each line is checked first; --dry-run stops there. An "
        "interrupted run continues where it stopped when the same file is given again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE.csv")
        parser.add_argument("--by", required=True, metavar="NAME", help="the registrar's sign-in")
        parser.add_argument("--dry-run", action="store_true", help="show the expected outcome only")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["by"]
        by = User.objects.filter(username=name, is_active=True).first()
        if by is None or not by.has_perm("registry.register_wallet"):
            raise CommandError(
                f"{name} is not a registrar: --by must name the person responsible for the import."
            )
        try:
            batch, new = services.upload_wallet_file(
                content=_read_content(options["file"]), name=options["file"].name, by=by, now=now()
            )
            if not new:
                self.stderr.write(f"This file is import {batch.pk}: it continues where it stopped.")
            self._check(batch)
            if options["dry_run"]:
                self._print_outcomes(batch, "foreseen")
                return
            self._run(batch, by)
        except DomainError as error:
            raise CommandError(error.detail) from error
        self._print_outcomes(batch, "outcome")

    def _check(self, batch: WalletImport) -> None:
        left = batch.lines.filter(foreseen="").count()
        counter = _LineCounter(ProgressCounter(self.stderr, "lines checked", left))
        while batch.stage == Stage.CHECKING and not tasks.check_next_lines(
            batch, now=now(), progress=counter
        ):
            pass
        batch.refresh_from_db()

    def _run(self, batch: WalletImport, by: User) -> None:
        """Submit the lines; those that are put off are left to the job, which comes by itself."""
        if batch.stage == Stage.CHECKED:
            # the job takes over what a cut-off run leaves
            moment = now()
            later = moment + JOBS[services.RUN].lease
            services.start_import(batch=batch, by=by, now=moment, eta=later)
        left = batch.lines.open().count()
        counter = _LineCounter(ProgressCounter(self.stderr, "lines registered", left))
        while batch.stage == Stage.RUNNING:
            moment = now()
            again = tasks.run_next_lines(batch, now=moment, progress=counter)
            batch.refresh_from_db()
            # the rest waits for GLEIF or the lists: the job does it, not this terminal
            if again is not None and again > moment:
                waiting = batch.lines.open().count()
                self.stderr.write(f"{waiting} lines will be retried from {again:%H:%M} UTC on.")
                return

    def _print_outcomes(self, batch: WalletImport, column: str) -> None:
        words = BEFORE if column == "foreseen" else AFTER
        counts = dict(batch.lines.values_list(column).annotate(Count("pk")).order_by())
        for code in CODES:
            if counts.get(code):
                self.stdout.write(f"{counts[code]:>6}  {words[code]}")
        strange = batch.lines.exclude(**{f"{column}__in": (*PLAIN, "")})
        for line in strange.order_by("number").iterator():
            word = words[getattr(line, column)]
            self.stdout.write(f"Line {line.number}: {word}. {getattr(line, f'{column}_why')}")


class _LineCounter:
    """Counts lines for a Counter."""

    def __init__(self, counter: ProgressCounter) -> None:
        self._counter, self._count = counter, 0

    def __call__(self, line: ImportLine) -> None:
        self._count += 1
        self._counter(self._count)


def _read_content(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            # one byte more than is allowed, so that a larger file is refused and not cut
            return stream.read(LARGEST + 1)
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error}") from error
