"""manage.py refresh_lists: download the configured lists and make what changed live."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.platform.common.progress import ProgressCounter
from apps.platform.upstreams.http import UpstreamError
from apps.reference.watchlists.catalog import ensure_sources
from apps.reference.watchlists.models import Source
from apps.reference.watchlists.services import refresh_list


class Command(BaseCommand):
    help = "Download the official lists that are enabled (or one SOURCE) and import what changed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--source", help="only this one, enabled or not")

    def handle(self, *args: Any, **options: Any) -> None:
        ensure_sources()
        sources = refresh_list.due_sources()
        if options["source"]:
            sources = list(Source.objects.filter(slug=options["source"]))
            if not sources:
                raise CommandError(f"No source {options['source']}.")
        failed = [source.slug for source in sources if not self._refresh(source)]
        if failed:
            raise CommandError(f"Not refreshed: {', '.join(failed)}.")

    def _refresh(self, source: Source) -> bool:
        counter = ProgressCounter(self.stderr, f"parties of {source.slug} read")
        try:
            version = refresh_list.download_and_import(source=source, now=now(), progress=counter)
        except (DomainError, UpstreamError) as error:
            self.stderr.write(f"{source.slug}: {error}")
            return False
        self.stdout.write(f"{version}: {version.total} parties.")
        for note in version.report.get("notes", ()):
            self.stderr.write(f"{source.slug}: {note}")
        return True
