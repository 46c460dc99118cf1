"""manage.py foresee_thresholds: what other thresholds would have made of screens on record."""

from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.core.written import day_from
from apps.screening.foresee.looking import Proposal, foresee
from apps.screening.rules.foreseen import EFFECTS, SPECIFIED, Bars


class Command(BaseCommand):
    help = (
        "Hold closed cases, and screens that no officer saw, against proposed thresholds in "
        "whole percents. Nothing is changed: the thresholds are the specification's."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--match", type=int, default=SPECIFIED.match, help="a match blocks")
        parser.add_argument("--look", type=int, default=SPECIFIED.look, help="an officer looks")
        parser.add_argument("--pep", type=int, default=SPECIFIED.pep, help="an office holder")
        parser.add_argument("--since", default="", help="first day, as 2026-11-20 (UTC)")
        parser.add_argument("--until", default="", help="last day")

    def handle(self, *args: Any, **options: Any) -> None:
        bars = Bars(options["match"], options["look"], options["pep"])
        if bars.fault:
            raise CommandError(bars.fault)
        since, until = (_day(options[name]) for name in ("since", "until"))
        found = foresee(Proposal(bars, since, until))
        self.stdout.write(
            f"{found.closed:,} closed cases and {found.without:,} screens that no officer saw; "
            f"not counted: {found.unknown:,} not borne out by today's rules or purged, "
            f"{found.unproved:,} not as they were written"
        )
        for (then, otherwise), count in sorted(found.pairs.items()):
            self.stdout.write(f"{then}, would have been {otherwise}: {count:,}")
        for one in EFFECTS:
            if found.effects[one.code]:
                self.stdout.write(f"  {one.title}: {found.effects[one.code]:,}")


def _day(text: str) -> date | None:
    found = day_from(text)
    if text and found is None:
        raise CommandError("Days are written as 2026-11-20.")
    return found
