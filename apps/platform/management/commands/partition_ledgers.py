"""manage.py partition_ledgers: hold the tables of large ledgers in monthly partitions."""

from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connection

from apps.platform.common.clock import now
from apps.platform.common.progress import ProgressCounter
from apps.platform.ledger.partitions import creation, pg_catalog, space_reclamation
from apps.platform.ledger.records import LedgerRecord
from apps.platform.ledger.table_proofs import BY_MONTH


class Command(BaseCommand):
    help = "Partition ledgers by month (PostgreSQL), and create the partitions of the next months."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ledger", nargs="*", help=f"names (default: {', '.join(BY_MONTH)})")
        parser.add_argument("--dry-run", action="store_true", help="only show what would change")
        parser.add_argument(
            "--reclaim",
            action="store_true",
            help="release the disk space of past months whose payloads were mostly purged",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if connection.vendor != "postgresql":
            raise CommandError("partitions require PostgreSQL")
        ledgers = options["ledger"] or list(BY_MONTH)
        unknown = sorted(set(ledgers) - set(BY_MONTH))
        if unknown:
            raise CommandError(
                f"cannot partition {', '.join(unknown)}; there are {', '.join(BY_MONTH)}"
            )
        moment = now()
        for model in pg_catalog.partitionable_models():
            if model.LEDGER in ledgers:
                try:
                    self._process_ledger(model, moment, options)
                except (creation.PartitioningNotPossible, DatabaseError) as error:
                    raise CommandError(f"{model.LEDGER}: {error}".strip()) from error

    def _process_ledger(
        self, model: type[LedgerRecord], moment: datetime, options: dict[str, Any]
    ) -> None:
        if options["reclaim"]:
            for partition in space_reclamation.find_reclaimable_partitions(model, now=moment):
                # outside a transaction, which VACUUM does not allow
                freed = 0 if options["dry_run"] else space_reclamation.reclaim_disk_space(partition)
                text = "would be rewritten" if options["dry_run"] else f"{freed >> 20} MB released"
                self._say(
                    model,
                    f"{partition.table}: {partition.purged} of {partition.rows} purged, {text}",
                )
        elif options["dry_run"]:
            self._say(model, self._planned(model))
        elif pg_catalog.is_partitioned(model._meta.db_table):
            upcoming_partitions = creation.create_upcoming_partitions(model, now=moment)
            self._say(model, f"new partitions: {', '.join(upcoming_partitions) or 'none'}")
        else:
            creation.partition_table(
                model, now=moment, progress=ProgressCounter(self.stderr, "rows have their keys")
            )
            partitions = pg_catalog.list_partitions(model._meta.db_table)
            self._say(model, f"partitioned: {', '.join(piece.table for piece in partitions)}")

    def _planned(self, model: type[LedgerRecord]) -> str:
        partitions = pg_catalog.list_partitions(model._meta.db_table)
        if partitions:
            return f"is partitioned: {', '.join(partition.table for partition in partitions)}"
        against = pg_catalog.list_obstacles(model)
        return f"cannot be: {'; '.join(against)}" if against else "would be partitioned"

    def _say(self, model: type[LedgerRecord], text: str) -> None:
        self.stdout.write(f"{model.LEDGER}: {text}")
