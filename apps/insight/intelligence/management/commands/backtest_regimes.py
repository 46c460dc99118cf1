"""`manage.py backtest_regimes [--json] [--out FILE]`: backtest the regime predictions."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.insight.intelligence.catalogue import product_of
from apps.insight.intelligence.regimes.backtest import build_backtest_report
from apps.insight.intelligence.regimes.past_months import build_past_months, max_ages_of_points
from apps.insight.intelligence.regimes.predictions import REGIME_COMPOSITE
from apps.insight.intelligence.selectors import product_inputs
from apps.platform.common import clock


class Command(BaseCommand):
    """Forecast from each past month with what was known then, and print the skill."""

    help = "Backtest regime predictions over the whole past and print the skill at each horizon."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print the figures as JSON")
        parser.add_argument("--out", type=Path, help="also write the JSON to this file")

    def handle(self, *_: Any, **options: Any) -> None:
        backtest = self._report(clock.now())
        text = json.dumps(backtest, indent=2)
        if options["out"]:
            options["out"].write_text(text + "\n")
        if options["json"]:
            self.stdout.write(text)
            return
        for line in format_backtest_report(backtest):
            self.stdout.write(line)

    def _report(self, now: datetime) -> dict[str, Any]:
        product = product_of("transition-risk")
        assert product is not None
        method_inputs = product_inputs.load_method_inputs(product, as_of=now)
        past = build_past_months(
            REGIME_COMPOSITE,
            method_inputs.past,
            until=now.date(),
            ages=max_ages_of_points(method_inputs.points),
        )
        if not past:
            raise CommandError("Nothing to backtest: no past month is known.")
        return build_backtest_report(past, self._progress)

    def _progress(self, done: int, of: int) -> None:
        if done % 12 == 0 or done == of:
            self.stderr.write(f"{done} of {of} months")


def format_backtest_report(report: dict[str, Any]) -> list[str]:
    """Return the figures as a table of text."""
    lines = [f"{report['months']} months, {report['from']} to {report['to']}; {report['regimes']}"]
    for name, horizon in report["horizons"].items():
        lines.append(f"{name}: {horizon['n']} forecasts")
        lines += [
            _format_method_scores(method, scores)
            for method, scores in horizon["methods"].items()
            if scores
        ]
    return lines


def _format_method_scores(method: str, scores: dict[str, Any]) -> str:
    skills = ", ".join(f"{ref} {_format_skill(skill)}" for ref, skill in scores["skill"].items())
    return f"  {method}: Brier {scores['brier']}, RPS {scores['rps']}; skill against {skills}"


def _format_skill(skill: dict[str, Any]) -> str:
    within = skill["interval"]
    return f"{skill['skill']}" + (f" [{within[0]}, {within[1]}]" if within else "")
