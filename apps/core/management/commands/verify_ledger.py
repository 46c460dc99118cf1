"""manage.py verify_ledger: recompute the chains and name every fault."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.core import sealing
from apps.core.clock import now
from apps.core.ledger import ledgers
from apps.core.signing import holds

Heads = dict[str, dict[int, set[str]]]


class Command(BaseCommand):
    help = "Verify that no ledger record was altered, removed, reordered or cut off."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ledger", nargs="*", help="names (default: all)")
        parser.add_argument("--heads", type=Path, help="signed heads, as export_heads writes them")
        parser.add_argument("--seal", action="store_true", help="chain waiting records first")

    def handle(self, *args: Any, **options: Any) -> None:
        moment = now()
        known = ledgers()
        wanted = options["ledger"] or sorted(known)
        unknown = sorted(set(wanted) - set(known))
        if unknown:
            raise CommandError(f"no such ledger: {', '.join(unknown)}; there are {sorted(known)}")
        heads = read_heads(options["heads"]) if options["heads"] else {}
        if options["seal"]:
            sealed = sealing.seal_all(now=moment, whole=True)
            self.stdout.write(f"sealed {sealed} waiting records")
        faults = 0
        for name in wanted:
            report = sealing.verify(ledger=name, heads=heads.get(name), progress=self._progress)
            faults += len(report.faults)
            self._print(report, moment)
        if faults:
            raise CommandError(f"{faults} fault(s) found")

    def _print(self, report: sealing.Report, moment: Any) -> None:
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

    def _progress(self, done: int) -> None:
        self.stderr.write(f"  {done} verified", ending="\r")


def read_heads(path: Path) -> Heads:
    """Return every head that a file states, by ledger and position.

    All lines count, not only the last: a head written after a tail was cut would hide the cut.
    CommandError for a line that is no statement of ours.
    """
    found: Heads = {}
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        stated = _statement(line, f"{path}, line {number}")
        for name, head in stated["heads"].items():
            positions = found.setdefault(name, {})
            positions.setdefault(head["position"], set()).add(head["digest"])
    if not found:
        raise CommandError(f"{path} holds no heads")
    return found


def _statement(line: str, where: str) -> dict[str, Any]:
    try:
        stated = json.loads(line)
    except ValueError:
        raise CommandError(f"{where}: this is not JSON") from None
    if not isinstance(stated, dict) or not holds(stated):
        raise CommandError(f"{where}: the signature does not hold")
    if not isinstance(stated.get("heads"), dict):
        raise CommandError(f"{where}: this statement is not about heads")
    return stated
