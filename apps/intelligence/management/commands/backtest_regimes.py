"""`manage.py backtest_regimes [--json OUT]`: walks through the past of the regimes."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.core.clock import now as present
from apps.intelligence import knowing
from apps.intelligence.catalogue import product_of
from apps.intelligence.methods.transition_risk import ROW
from apps.intelligence.regimes.backtest import report
from apps.intelligence.regimes.past import ages_of, months


class Command(BaseCommand):
    """Foretell from each month of the past with what was known then, and print how good it was."""

    help = "Walk through the whole past of the regimes and print the skill at every horizon."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print the figures as JSON")
        parser.add_argument("--out", type=Path, help="write the JSON there too")

    def handle(self, *_: Any, **options: Any) -> None:
        found = self._report(present())
        text = json.dumps(found, indent=2)
        if options["out"]:
            options["out"].write_text(text + "\n")
        if options["json"]:
            self.stdout.write(text)
            return
        for line in in_words(found):
            self.stdout.write(line)

    def _report(self, now: datetime) -> dict[str, Any]:
        product = product_of("transition-risk")
        assert product is not None
        known = knowing.known(product, as_of=now)
        past = months(ROW, known.past, until=now.date(), ages=ages_of(known.points))
        if not past:
            raise CommandError("Nothing was walked through: no month of the past is known.")
        return report(past, self._progress)

    def _progress(self, done: int, of: int) -> None:
        if done % 12 == 0 or done == of:
            self.stderr.write(f"{done} of {of} months")


def in_words(found: dict[str, Any]) -> list[str]:
    """Return the figures as a table of text."""
    lines = [f"{found['months']} months, {found['from']} to {found['to']}; {found['regimes']}"]
    for name, told in found["horizons"].items():
        lines.append(f"{name}: {told['n']} forecasts")
        lines += [_line(method, one) for method, one in told["methods"].items() if one]
    return lines


def _line(method: str, one: dict[str, Any]) -> str:
    skills = ", ".join(f"{ref} {_skill(told)}" for ref, told in one["skill"].items())
    return f"  {method}: Brier {one['brier']}, RPS {one['rps']}; skill against {skills}"


def _skill(told: dict[str, Any]) -> str:
    within = told["interval"]
    return f"{told['skill']}" + (f" [{within[0]}, {within[1]}]" if within else "")
