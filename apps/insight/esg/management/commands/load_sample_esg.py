"""`manage.py load_sample_esg`: load the bundled sample of ESG evidence."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.insight.esg import evidence_figure_files, evidence_figures
from apps.platform.common.clock import now


class Command(BaseCommand):
    """Sample figures serve outside production, and only where published ones are missing."""

    help = "Load the bundled sample of ESG evidence."

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError("Production does not use sample evidence.")
        figures = evidence_figure_files.read_evidence_file(
            path=evidence_figure_files.SAMPLE_FILE, source=evidence_figures.SAMPLE
        )
        new = evidence_figures.record_figures(figures=figures, now=now())
        self.stdout.write(f"{new} new sample figures")
