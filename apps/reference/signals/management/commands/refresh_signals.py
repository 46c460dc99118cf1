"""`manage.py refresh_signals [SERIES…]`: fetch files of figures, and report on each."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.platform.common.clock import now
from apps.platform.upstreams.http import UpstreamError
from apps.reference.signals import services
from apps.reference.signals.models import Fetch


class Command(BaseCommand):
    """One publisher's failure stops no other; a broken file changes nothing."""

    help = "Fetch new values of all data files, or of the files of the series named."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("names", nargs="*", help="Series such as us.dgs10, or files: fed-h15")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            names = [feed.name for feed in services.choose_feeds(options["names"])]
        except KeyError as error:
            raise CommandError(str(error.args[0])) from error
        done = list[Fetch]()

        def report(fetch: Fetch) -> None:
            done.append(fetch)
            outcome = f"{fetch.values} new values" if fetch.outcome == "NEW" else fetch.reason
            begun = len({note.feed for note in done})  # for some files history is requested too
            place = f"[{begun}/{len(names)}] {fetch.feed}: {fetch.get_outcome_display()}"
            self.stdout.write(f"{place}: {outcome}" if outcome else place)

        try:
            new = 0
            if names:
                new = services.refresh_feeds(now=now(), names=names, report=report, clock=now)
        except (UpstreamError, ValueError) as error:
            failed = sum(fetch.outcome in ("FAILED", "REJECTED") for fetch in done)
            raise CommandError(f"{failed} of {len(done)} files were not kept: {error}") from error
        self.stdout.write(f"{new} new values of {len(done)} files")
