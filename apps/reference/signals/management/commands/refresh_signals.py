"""`manage.py refresh_signals [SERIES…]`: fetch files of figures, and tell what came of each."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.platform.common.clock import now
from apps.platform.upstreams.http import UpstreamError
from apps.reference.signals import services
from apps.reference.signals.models import Fetch


class Command(BaseCommand):
    """One publisher's failure stops no other; a broken file changes nothing."""

    help = "Fetch what is new of all files of figures, or of those that series stand in."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("names", nargs="*", help="Series such as us.dgs10, or files: fed-h15")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            names = [feed.name for feed in services.choose_feeds(options["names"])]
        except KeyError as error:
            raise CommandError(str(error.args[0])) from error
        done = list[Fetch]()

        def told(one: Fetch) -> None:
            done.append(one)
            said = f"{one.values} new values" if one.outcome == "NEW" else one.reason
            begun = len({note.feed for note in done})  # of some the past is asked for too
            place = f"[{begun}/{len(names)}] {one.feed}: {one.get_outcome_display()}"
            self.stdout.write(f"{place}: {said}" if said else place)

        try:
            new = 0
            if names:
                new = services.refresh_feeds(now=now(), names=names, told=told, clock=now)
        except (UpstreamError, ValueError) as error:
            failed = sum(one.outcome in ("FAILED", "REJECTED") for one in done)
            raise CommandError(f"{failed} of {len(done)} files were not kept: {error}") from error
        self.stdout.write(f"{new} new values of {len(done)} files")
