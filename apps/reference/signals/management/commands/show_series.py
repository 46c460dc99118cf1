"""`manage.py show_series ID --as-of DATE`: what was known of a series on a day."""

from argparse import ArgumentTypeError
from datetime import UTC, date, datetime, time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.platform.common.clock import now
from apps.reference.signals.selectors import series_values


def _parse_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a day, such as 2026-03-20") from None


class Command(BaseCommand):
    """Only values that were known by the end of that day are shown."""

    help = "Show the newest values of a series as they were known on a day."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("series", help="Such as us.dgs10")
        parser.add_argument("--as-of", type=_parse_day, help="A day; default: now")
        parser.add_argument("--last", type=int, default=10, help="Number of values")

    def handle(self, *args: Any, **options: Any) -> None:
        name, day = options["series"], options["as_of"]
        at = datetime.combine(day, time.max, UTC) if day else now()
        try:
            point = series_values.load_latest_points([name], as_of=at).get(name)
        except KeyError as error:
            raise CommandError(str(error.args[0])) from error
        if point is None:
            raise CommandError(f"Nothing was known of {name} at {at:%Y-%m-%d %H:%M} UTC.")
        age = f"{point.age(at).days} days old, at most {point.max_age.days}"
        self.stdout.write(f"{name}: {point.value.normalize():f} {point.unit}, {point.kind}")
        self.stdout.write(f"of {point.day}, {age}; known since {point.vintage:%Y-%m-%d %H:%M} UTC")
        self.stdout.write(f"source {point.source}: {point.licence}")
        for when, value in list(series_values.load_history(name, as_of=at))[
            -max(options["last"], 0) :
        ]:
            self.stdout.write(f"{when}  {value.normalize():f}")
