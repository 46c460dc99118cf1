"""manage.py purge_record: blank one record's payload under an erasure order."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.platform.ledger import retention
from apps.platform.ledger.models import PurgeReason


class Command(BaseCommand):
    help = "Blank one record's payload under an erasure order; the record and its seal stay."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ledger")
        parser.add_argument("record", type=int)
        parser.add_argument("--by", required=True, help="who orders the purge, for the record")
        parser.add_argument(
            "--reason",
            default="",
            help="the order, for the record; required while statutory retention applies",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        ledger, record = options["ledger"], options["record"]
        try:
            event = retention.purge_payload(
                ledger=ledger,
                record_id=record,
                reason=PurgeReason.ERASURE,
                by=options["by"],
                why=options["reason"],
                now=now(),
            )
        except DomainError as error:
            raise CommandError(error.detail) from error
        done = "had already been purged" if event is None else "is purged; the purge is recorded"
        self.stdout.write(f"{ledger} {record} {done}")
