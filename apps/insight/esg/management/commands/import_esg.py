"""`manage.py import_esg FILE --source NAME`: import figures from a CSV file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.insight.esg import evidence_figure_files, evidence_figures
from apps.platform.common.clock import now


class Command(BaseCommand):
    """A file is imported whole or not at all; known figures are skipped."""

    help = (
        "Import ESG figures from a CSV file (columns as in apps/insight/esg/sample/evidence.csv)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--source", required=True, help="The source of the figures, such as VENDOR"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        source = str(options["source"]).upper()
        if source == evidence_figures.SAMPLE:
            raise CommandError("SAMPLE is reserved for the bundled sample.")
        try:
            figures = evidence_figure_files.read_evidence_file(path=options["file"], source=source)
            new = evidence_figures.record_figures(figures=figures, now=now())
        except (ValueError, OSError) as error:
            raise CommandError(f"No figures were imported: {error}") from error
        self.stdout.write(f"{new} new figures")
