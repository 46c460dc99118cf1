"""`manage.py load_sample_signals`: load the bundled sample of series."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.platform.common.clock import now
from apps.reference.signals import sample_data


class Command(BaseCommand):
    """The sample serves outside production, and only where nothing real was ever fetched."""

    help = "Load the bundled sample of series."

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError("Production does not use sample figures.")
        self.stdout.write(f"{sample_data.load_sample(now=now())} new sample values")
