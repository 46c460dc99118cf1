"""`manage.py load_sample_esg`: load the bundled sample of ESG evidence."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.core.clock import now
from apps.esg import evidence, files


class Command(BaseCommand):
    """Sample figures serve outside production, and only where published ones are missing."""

    help = "Load the bundled sample of ESG evidence."

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError("Production does not use sample evidence.")
        figures = files.read(path=files.SAMPLE_FILE, source=evidence.SAMPLE)
        new = evidence.record(figures=figures, now=now())
        self.stdout.write(f"{new} new sample figures")
