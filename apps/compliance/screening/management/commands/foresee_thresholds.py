"""manage.py foresee_thresholds: what other thresholds would have made of screens on record."""

from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.compliance.screening.rules.threshold_effects import EFFECTS, SPECIFIED, Thresholds
from apps.compliance.screening.simulation.simulate import ThresholdProposal, simulate_thresholds
from apps.platform.common.days import parse_day


class Command(BaseCommand):
    help = (
        "Compare closed cases, and screens without an officer's review, with proposed "
        "thresholds in whole percent. Nothing is changed: the thresholds come from the "
        "specification."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--match", type=int, default=SPECIFIED.match, help="match that blocks")
        parser.add_argument(
            "--look", type=int, default=SPECIFIED.look, help="match that goes to review"
        )
        parser.add_argument("--pep", type=int, default=SPECIFIED.pep, help="PEP match")
        parser.add_argument("--since", default="", help="first day, as 2026-11-20 (UTC)")
        parser.add_argument("--until", default="", help="last day")

    def handle(self, *args: Any, **options: Any) -> None:
        bars = Thresholds(options["match"], options["look"], options["pep"])
        if bars.fault:
            raise CommandError(bars.fault)
        since, until = (_parse_day(options[name]) for name in ("since", "until"))
        outcome = simulate_thresholds(ThresholdProposal(bars, since, until))
        self.stdout.write(
            f"{outcome.closed:,} closed cases and {outcome.without:,} screens without a review; "
            f"not counted: {outcome.unknown:,} not reproduced by today's rules or purged, "
            f"{outcome.unproved:,} failed the integrity check"
        )
        for (then, otherwise), count in sorted(outcome.pairs.items()):
            self.stdout.write(f"{then}, would have been {otherwise}: {count:,}")
        for effect in EFFECTS:
            if outcome.effects[effect.code]:
                self.stdout.write(f"  {effect.title}: {outcome.effects[effect.code]:,}")


def _parse_day(text: str) -> date | None:
    day = parse_day(text)
    if text and day is None:
        raise CommandError("Enter dates as 2026-11-20.")
    return day
