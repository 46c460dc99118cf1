"""manage.py screen_worker ADDRESS: screen names for runs of `screen_names --scheduler`."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.reference.watchlists import distributed_screening, engine


class Command(BaseCommand):
    help = (
        "Run a worker of a Dask scheduler (tcp://… or tls://…): it screens the names of runs of "
        "`screen_names --scheduler ADDRESS` against the lists that this host has. Start one for "
        "each core. SIGTERM ends it once the rows at hand are done; a run goes on without it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("scheduler", metavar="ADDRESS")

    def handle(self, *args: Any, **options: Any) -> None:
        address = options["scheduler"]
        try:
            distributed_screening.require_guarded_address(address)
            lists = engine.load_current_engine(
                now()
            ).list_set.id  # one without lists would fail every run
            distributed_screening.run_worker(
                address,
                folder=settings.VAR_DIR / "dask",
                ready=lambda own: self.stdout.write(
                    f"{own} screens for {address} against {lists}."
                ),
            )
        except (DomainError, OSError) as error:
            raise CommandError(str(error)) from error
