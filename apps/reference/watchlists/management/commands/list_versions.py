"""manage.py list_versions: the sources, their live versions, and the imports of one of them."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.reference.watchlists.catalog import ensure_sources
from apps.reference.watchlists.live_list_sets import build_live_source
from apps.reference.watchlists.models import ListVersion, Source


class Command(BaseCommand):
    help = "Show the sources and their live versions; with SOURCE, its imports and what changed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", nargs="?")
        parser.add_argument("--report", type=int, metavar="SEQUENCE", help="what a version changed")

    def handle(self, *args: Any, **options: Any) -> None:
        ensure_sources()
        if not options["source"]:
            for source in Source.objects.select_related("live"):
                self._source(source)
            return
        if not Source.objects.filter(slug=options["source"]).exists():
            raise CommandError(f"No source {options['source']}.")
        versions = ListVersion.objects.filter(source__slug=options["source"])
        versions = versions.select_related("source")
        if options["report"] is not None:
            version = versions.filter(sequence=options["report"]).first()
            if version is None:
                raise CommandError(f"{options['source']} has no version {options['report']}.")
            self.stdout.write(json.dumps(version.report, indent=1, ensure_ascii=False))
            return
        for version in versions:
            self._version(version)

    def _source(self, source: Source) -> None:
        live = "-"
        if source.live:
            live = f"version {source.live.sequence}, {source.live.total} parties"
            if source.live.published_at:
                live += f", published {source.live.published_at:%Y-%m-%d %H:%M}"
            live += ", a part of the list" if source.live.partial else ""
        checked = f"{source.last_checked_at:%Y-%m-%d %H:%M}" if source.last_checked_at else "never"
        off = "" if source.enabled else " (off)"
        if build_live_source(source).required:
            off += " (required)"
        self.stdout.write(f"{source.slug}{off}: {source.topic}, {live}, checked {checked}")
        if source.last_error:
            self.stdout.write(f"  last error: {source.last_error}")

    def _version(self, version: ListVersion) -> None:
        self.stdout.write(
            f"{version} {version.status}, {version.fetched_at:%Y-%m-%d %H:%M}: {version.total} "
            f"parties, {version.added} added, {version.changed} changed, {version.removed} removed"
        )
        if error := version.report.get("error"):
            self.stdout.write(f"  {error}")
