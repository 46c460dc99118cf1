"""manage.py import_list SOURCE FILE…: load the files of a list and make it live."""

import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.core.clock import now
from apps.core.problems import DomainError
from apps.watchlists import actions
from apps.watchlists.catalog import ensure_sources
from apps.watchlists.models import Kind, ListVersion, Source, Topic
from apps.watchlists.progress import Counter


class Command(BaseCommand):
    help = (
        "Load the files of a list. A SOURCE that is not known becomes an in-house list, read as "
        "CSV; --map FIELD=COLUMN says which column holds a field."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", help="the source's short name (see list_versions)")
        parser.add_argument("files", nargs="+", type=Path)
        parser.add_argument("--map", action="append", default=[], metavar="FIELD=COLUMN")
        parser.add_argument("--topic", choices=Topic.values, help="of a new source (sanction)")
        parser.add_argument("--title", help="of a new source")
        parser.add_argument(
            "--delta", action="store_true", help="the files are OpenSanctions deltas"
        )
        parser.add_argument("--enable", action="store_true", help="screen against it from now on")
        parser.add_argument("--accept-shrink", action="store_true", help="take a much smaller list")

    def handle(self, *args: Any, **options: Any) -> None:
        ensure_sources()
        try:
            source = self._source(options)
        except DomainError as error:
            raise CommandError(error.detail) from error
        counter = Counter(self.stderr, "parties read")
        before, started = source.live_id, time.monotonic()
        try:
            version = self._import(source, options, counter)
        except DomainError as error:
            raise CommandError(error.detail) from error
        if options["enable"]:
            source.switch(enabled=True, now=now())
        if not source.enabled:
            self.stderr.write(f"{source} is off and not screened against; use --enable.")
        if version.pk == before:
            self.stdout.write(f"{version} is live already; the files are the same.")
            return
        seconds = time.monotonic() - started
        self.stdout.write(
            f"{version} is live: {version.total} parties, {version.added} added, "
            f"{version.changed} changed, {version.removed} removed, in {seconds:.1f} s."
        )

    def _import(self, source: Source, options: dict[str, Any], counter: Counter) -> ListVersion:
        load = actions.import_delta if options["delta"] else actions.import_files
        return load(
            source=source,
            paths=options["files"],
            now=now(),
            progress=counter,
            accept_shrink=options["accept_shrink"],
        )

    def _source(self, options: dict[str, Any]) -> Source:
        columns = dict(self._pair(text) for text in options["map"])
        source = Source.objects.filter(slug=options["source"]).first()
        if source is None:
            return actions.add_in_house_source(
                slug=options["source"],
                title=options["title"] or options["source"],
                topic=options["topic"] or Topic.SANCTION,
                columns=columns,
            )
        if columns and source.kind != Kind.IN_HOUSE:
            raise CommandError(f"{source.slug} is no in-house list; --map does not apply to it.")
        if options["topic"] and options["topic"] != source.topic:
            raise CommandError(f"{source.slug} lists {source.topic}; that is changed in the admin.")
        if columns and columns != source.columns:
            source.remap(columns)
        return source

    def _pair(self, text: str) -> tuple[str, str]:
        field, separator, column = text.partition("=")
        if not separator or not field or not column:
            raise CommandError(f"--map {text!r}: write it as FIELD=COLUMN.")
        return field.strip(), column.strip()
