"""manage.py verify_ledger: recompute the chains and name every fault."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from apps.platform.common.clock import now
from apps.platform.common.progress import ProgressCounter
from apps.platform.ledger import sealer
from apps.platform.ledger.records import ledger_models
from apps.platform.ledger.verification import signed_heads, verifier


class Command(BaseCommand):
    help = "Verify that no ledger record was altered, removed, reordered or truncated."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ledger", nargs="*", help="names (default: all)")
        parser.add_argument(
            "--heads",
            type=Path,
            help="signed heads, as written by export_heads (default: all that are stored here)",
        )
        parser.add_argument(
            "--processes", type=int, default=1, help="that verify a ledger in parallel (default: 1)"
        )
        parser.add_argument("--seal", action="store_true", help="seal waiting records first")

    def handle(self, *args: Any, **options: Any) -> None:
        known = ledger_models()
        ledgers = options["ledger"] or sorted(known)
        unknown = sorted(set(ledgers) - set(known))
        if unknown:
            raise CommandError(f"no such ledger: {', '.join(unknown)}; there are {sorted(known)}")
        exported = self._heads(options["heads"])
        try:
            faults = self._verify(
                ledgers, exported, seal=options["seal"], processes=max(1, options["processes"])
            )
        except DatabaseError as error:
            raise CommandError(f"the ledgers cannot be read: {error}") from error
        if faults:
            raise CommandError(f"{faults} fault(s) found")

    def _heads(self, given: Path | None) -> signed_heads.Heads:
        """Return the exported heads to verify against: those of the given file, or all."""
        paths = [given] if given else signed_heads.head_files()
        try:
            heads, notes = signed_heads.read_signed_heads(paths)
        except signed_heads.BadHeads as error:
            raise CommandError(str(error)) from error
        for note in notes:
            self.stderr.write(self.style.WARNING(note))
        # verifying against an empty file would look like a success
        if given and not heads:
            raise CommandError(f"{given} contains no heads")
        shown = ", ".join(str(path) for path in paths)
        self.stdout.write(
            f"against the exported heads of {shown}"
            if heads
            else "there are no exported heads: a truncated tail would not be detected"
        )
        return heads

    def _verify(
        self, wanted: list[str], exported: signed_heads.Heads, *, seal: bool, processes: int
    ) -> int:
        moment = now()
        if seal:
            # the verification below reports a refusal to seal as a fault again
            try:
                sealed = sealer.seal_all_ledgers(now=moment, whole=True)
            except sealer.SealingRefused as refused:
                sealed = refused.sealed
                self.stderr.write(self.style.ERROR(f"some records could not be sealed: {refused}"))
            self.stdout.write(f"sealed {sealed} waiting records")
        faults = 0
        for name in wanted:
            report = verifier.verify_ledger(
                ledger=name,
                heads=exported.get(name),
                progress=ProgressCounter(self.stderr, "records checked"),
                processes=processes,
            )
            faults += len(report.faults)
            self._print(report, moment)
        return faults

    def _print(self, report: verifier.VerificationReport, moment: Any) -> None:
        waiting = f"{report.unsealed} not yet sealed"
        if report.oldest_unsealed:
            seconds = int((moment - report.oldest_unsealed).total_seconds())
            waiting += f" (oldest {seconds} s)"
        self.stdout.write(
            f"{report.ledger}: {report.sealed} sealed, {report.purged} purged, {waiting}, "
            f"head {report.head[:16]}…"
        )
        for fault in report.faults:
            self.stdout.write(self.style.ERROR(f"  {fault}"))
