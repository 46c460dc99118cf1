"""`manage.py refresh_rates [FILE]`: fetch reference rates, or read them from a file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.platform.common.clock import now
from apps.platform.upstreams.http import UpstreamError
from apps.reference.signals import exchange_rates, services


class Command(BaseCommand):
    """Only what changed is kept; a broken file changes nothing."""

    help = "Fetch new euro reference rates (or read euro rates from an SDMX-CSV file)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="SDMX-CSV file of the ECB")

    def handle(self, *args: Any, **options: Any) -> None:
        path, moment = options["file"], now()
        try:
            new = (
                exchange_rates.import_rates_file(path=path, source="ECB", now=moment)
                if path
                else services.refresh_feeds(now=moment, names=["ecb-rates"], clock=now)
            )
        except (UpstreamError, ValueError, OSError) as error:
            raise CommandError(f"No rates were kept: {error}") from error
        self.stdout.write(f"{new} new rates")
