"""`manage.py load_sample_rates`: load the bundled sample of rates."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.platform.common.clock import now
from apps.reference.signals import exchange_rates
from apps.reference.signals.points import SAMPLE


class Command(BaseCommand):
    """Sample rates serve outside production, and only where real ones are missing."""

    help = "Load the bundled sample of reference rates."

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError("Production does not use sample rates.")
        new = exchange_rates.import_rates_file(
            path=exchange_rates.SAMPLE_FILE, source=SAMPLE, now=now()
        )
        self.stdout.write(f"{new} new sample rates")
