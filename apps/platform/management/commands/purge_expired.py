"""manage.py purge_expired: blank the payloads whose retention has ended."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.platform.common.progress import ProgressCounter
from apps.platform.ledger import retention
from apps.platform.ledger.models import PurgeReason


class Command(BaseCommand):
    help = "Blank payloads past their retention (RETENTION_YEARS); records and seals stay."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ledger", nargs="*", help="names (default: all that may be purged)")
        parser.add_argument("--dry-run", action="store_true", help="count, and change nothing")
        parser.add_argument(
            "--by", default="purge_expired", help="who orders the purge, for the record"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        known = retention.purgeable_ledgers()
        ledgers = options["ledger"] or known
        unknown = sorted(set(ledgers) - set(known))
        if unknown:
            raise CommandError(f"cannot purge {', '.join(unknown)}; there are {', '.join(known)}")
        moment = now()
        for ledger in ledgers:
            before = retention.retention_cutoff(ledger=ledger, now=moment)
            expired_records = retention.find_expired_records(ledger=ledger, now=moment)
            if options["dry_run"]:
                count, word = sum(1 for _ in expired_records), "would be purged"
            else:
                # all ids first: a cursor must not stay open while its rows change
                record_ids = list(expired_records)
                count, word = self._purge(ledger, record_ids, options["by"], moment), "purged"
            hold_count = retention.active_holds(ledger=ledger).count()
            self.stdout.write(
                f"{ledger}: {count} {word}, before {before:%Y-%m-%d}; {hold_count} held"
            )

    def _purge(self, ledger: str, record_ids: list[int], by: str, moment: Any) -> int:
        progress_counter = ProgressCounter(self.stderr, f"records of {ledger}", len(record_ids))
        done = 0
        for number, record_id in enumerate(record_ids, 1):
            try:
                event = retention.purge_payload(
                    ledger=ledger,
                    record_id=record_id,
                    reason=PurgeReason.RETENTION,
                    by=by,
                    now=moment,
                )
            except DomainError as error:  # a hold that was placed just now
                self.stderr.write(f"  record {record_id}: {error.detail}")
                continue
            done += event is not None
            progress_counter(number)
        return done
