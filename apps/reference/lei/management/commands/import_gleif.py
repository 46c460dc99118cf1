"""`manage.py import_gleif FILE…`: load golden-copy or delta files of GLEIF."""

from pathlib import Path
from time import monotonic
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.platform.common.clock import now, parse_moment
from apps.reference.lei.services import file_imports


class Command(BaseCommand):
    """Each file is recognised by its content: LEI records, relationships, exceptions."""

    help = "Load GLEIF golden-copy or delta files (CSV or XML, zipped or not)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument(
            "--as-of",
            type=parse_moment,
            help="ISO time of publication, if the file does not state it",
        )
        parser.add_argument(
            "--accept-shrink",
            action="store_true",
            help="Load a copy that is smaller by 10 %% or more",
        )
        parser.add_argument(
            "--partial",
            action="store_true",
            help="The files are part of the register: LEIs missing from them could not be checked",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        for path in options["files"]:
            if not path.is_file():
                raise CommandError(f"No file {path}.")
            shrink, partial = options["accept_shrink"], options["partial"]
            self._load(
                file_imports.ImportOrder(
                    path, as_of=options["as_of"], accept_shrink=shrink, partial=partial
                )
            )

    def _load(self, order: file_imports.ImportOrder) -> None:
        begun = monotonic()

        def progress(rows: int) -> None:
            rate = rows / max(monotonic() - begun, 0.001)
            self.stderr.write(f"\r{order.path.name}: {rows:,} rows, {rate:,.0f}/s", ending="")

        try:
            file = file_imports.import_golden_copy(order=order, clock=now, progress=progress)
        except file_imports.FileRefused as error:
            self.stderr.write("")
            raise CommandError(error.detail) from error
        self.stderr.write("")
        seconds = monotonic() - begun
        self.stdout.write(
            f"{file.get_kind_display()} of {file.as_of:%F %R} UTC: {file.rows:,} rows live, "
            f"{file.refused:,} refused, {seconds:,.1f} s, {file.rows / max(seconds, 0.001):,.0f}/s"
        )
        if file.partial:
            self.stderr.write(
                "It is part of the register: LEIs missing from it could not be checked."
            )
