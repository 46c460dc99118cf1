"""manage.py load_sample_lists: load the bundled sample, or take it out of screening."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.reference.watchlists.catalog import ensure_samples, ensure_sources
from apps.reference.watchlists.models import Source, SourceKind
from apps.reference.watchlists.services import list_imports


class Command(BaseCommand):
    help = "Load the bundled sample lists (sandbox only); --remove takes them out of screening."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--remove", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["remove"]:
            for source in Source.objects.filter(kind=SourceKind.SAMPLE):
                source.switch(enabled=False, now=now())
                self.stdout.write(f"{source} is no longer screened.")
            return
        if settings.PRODUCTION:
            raise CommandError("Production does not screen against sample lists.")
        ensure_sources()
        for source, path in ensure_samples():
            source.switch(enabled=True, now=now())
            try:
                version = list_imports.import_files(source=source, paths=[path], now=now())
            except DomainError as error:
                raise CommandError(error.detail) from error
            self.stdout.write(f"{version}: {version.total} parties.")
