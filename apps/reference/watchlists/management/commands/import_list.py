"""manage.py import_list SOURCE FILE…: load the files of a list and make it live."""

import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.platform.common.clock import now, parse_moment
from apps.platform.common.problems import DomainError
from apps.platform.common.progress import ProgressCounter
from apps.platform.desk.operator_pairs import OperatorPair, find_operator_pair
from apps.reference.watchlists.catalog import ensure_sources
from apps.reference.watchlists.models import ListVersion, Source, SourceKind, SourceTopic
from apps.reference.watchlists.services import list_imports, source_changes


class Command(BaseCommand):
    help = (
        "Load the files of a list. An unknown SOURCE becomes an in-house list, read as "
        "CSV; --map FIELD=COLUMN says which column holds a field."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", help="the source's short name (see list_versions)")
        parser.add_argument("files", nargs="+", type=Path)
        parser.add_argument("--map", action="append", default=[], metavar="FIELD=COLUMN")
        parser.add_argument(
            "--topic", choices=SourceTopic.values, help="of a new source (sanction)"
        )
        parser.add_argument("--title", help="of a new source")
        parser.add_argument(
            "--delta", action="store_true", help="the files are OpenSanctions deltas"
        )
        parser.add_argument("--enable", action="store_true", help="screen against it from now on")
        parser.add_argument(
            "--accept-shrink", action="store_true", help="accept a much smaller list"
        )
        parser.add_argument(
            "--published",
            type=parse_moment,
            help="ISO date or time of publication, if no file says it",
        )
        parser.add_argument(
            "--partial", action="store_true", help="the files are a part of the list: screens flag"
        )
        parser.add_argument("--by", metavar="NAME", help="requester, a staff account")
        parser.add_argument(
            "--confirmed-by",
            metavar="NAME",
            help=(
                "approver, another staff account: in production for --enable, "
                "--accept-shrink, --published"
            ),
        )

    def handle(self, *args: Any, **options: Any) -> None:
        ensure_sources()
        started = time.monotonic()
        try:
            self.pair = _operator_pair_of(options)
            known = Source.objects.filter(slug=options["source"]).first()
            # an in-house list that never had a live version is created anew
            if known is not None and (known.live is not None or known.kind != SourceKind.IN_HOUSE):
                source, before = known, known.live_id
                self._agree(source, options)
                version = self._further(source, options)
            else:
                source, before = self._new(options), None
                version = self._first(source, options)
                self._agree(source, options)  # one that is refused leaves nothing behind
        except DomainError as error:
            raise CommandError(error.detail) from error
        if options["enable"] and self.pair:
            reason = f"import_list --enable, {_file_names(options)}"
            source_changes.agree_to_enable(source=source, reason=reason, pair=self.pair, now=now())
        elif options["enable"]:
            source.switch(enabled=True, now=now())
        self._tell(source, version, before, time.monotonic() - started)

    def _agree(self, source: Source, options: dict[str, Any]) -> None:
        """Record who stated when the files were published."""
        if not (option := options["published"]) or not self.pair:
            return
        published_at = source.live.published_at if source.live else None
        source_changes.record_publication_agreement(
            source=source,
            before=published_at.isoformat() if published_at else "",
            moment=option,
            reason=f"import_list --published, {_file_names(options)}",
            pair=self.pair,
            now=now(),
        )

    def _tell(
        self, source: Source, version: ListVersion, before: int | None, seconds: float
    ) -> None:
        if not source.enabled:
            self.stderr.write(f"{source} is off and not screened against; use --enable.")
        if version.pk == before:
            self.stdout.write(f"{version} is already live; the files are the same.")
            return
        self.stdout.write(
            f"{version} is live: {version.total} parties, {version.added} added, "
            f"{version.changed} changed, {version.removed} removed, in {seconds:.1f} s."
        )
        for note in version.report.get("notes", ()):
            self.stderr.write(f"{source}: {note}")

    def _import(self, source: Source, options: dict[str, Any]) -> ListVersion:
        load = list_imports.import_delta if options["delta"] else list_imports.import_files
        published, partial = options["published"], options["partial"]
        return load(
            source=source,
            paths=options["files"],
            now=now(),
            progress=ProgressCounter(self.stderr, "parties read"),
            accept_shrink=options["accept_shrink"],
            terms=list_imports.ImportTerms(
                by_hand=True, published=published, partial=partial, agreed=self.pair is not None
            ),
        )

    def _new(self, options: dict[str, Any]) -> Source:
        """Return an in-house list that has no version yet; one that never got any begins anew."""
        for source in Source.objects.filter(slug=options["source"]):
            self._forget(source)
        return list_imports.add_in_house_source(
            slug=options["source"],
            title=options["title"] or options["source"],
            topic=options["topic"] or SourceTopic.SANCTION,
            columns=self._columns(options),
        )

    def _first(self, source: Source, options: dict[str, Any]) -> ListVersion:
        """Import the first version; if it is refused, the list is not created."""
        try:
            return self._import(source, options)
        except BaseException:
            self._forget(source)
            raise

    def _forget(self, source: Source) -> None:
        source.versions.all().delete()
        source.delete()

    def _further(self, source: Source, options: dict[str, Any]) -> ListVersion:
        """Import a further version; a mapping holds from now on if its files are taken."""
        if options["accept_shrink"] and self.pair:
            source_changes.record_shrink_agreement(
                source=source,
                files=[path.name for path in options["files"]],
                reason=f"import_list --accept-shrink, {_file_names(options)}",
                pair=self.pair,
                now=now(),
            )
        columns, held_columns = self._columns(options), source.columns
        if columns and source.kind != SourceKind.IN_HOUSE:
            raise CommandError(
                f"{source.slug} is not an in-house list: --map does not apply to it."
            )
        if options["topic"] and options["topic"] != source.topic:
            raise CommandError(f"{source.slug} lists {source.topic}; load a separate list.")
        if not columns or columns == held_columns:
            return self._import(source, options)
        source.remap(columns, now=now())
        try:
            return self._import(source, options)
        except BaseException:
            source.remap(held_columns, now=now())
            raise

    def _columns(self, options: dict[str, Any]) -> dict[str, str]:
        return dict(self._pair(text) for text in options["map"])

    def _pair(self, text: str) -> tuple[str, str]:
        field, separator, column = text.partition("=")
        if not separator or not field or not column:
            raise CommandError(f"--map {text!r}: write it as FIELD=COLUMN.")
        return field.strip(), column.strip()


def _operator_pair_of(options: dict[str, Any]) -> OperatorPair | None:
    """Return the two operators who approve a change that takes two; a sandbox needs none."""
    usernames = [options["by"], options["confirmed_by"]]
    if all(usernames):
        return find_operator_pair(
            by=usernames[0],
            confirmed_by=usernames[1],
            change="watchlists.sourcechange",
            thing="a change of a source",
            refused=source_changes.SourceChangeConflict,
        )
    # one name alone is refused even in a sandbox: an agreement takes two
    weighty = options["enable"] or options["accept_shrink"] or options["published"]
    if any(usernames) or (settings.PRODUCTION and weighty):
        raise CommandError(
            "Changes that weaken or widen the lists take two people: --by NAME --confirmed-by NAME."
        )
    return None


def _file_names(options: dict[str, Any]) -> str:
    return ", ".join(path.name for path in options["files"])
