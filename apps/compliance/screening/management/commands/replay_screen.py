"""manage.py replay_screen ID…: compute old screens anew from their recorded versions."""

from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.compliance.screening.combined.replay import ScreenPurged, ScreenReplay, replay_screen
from apps.compliance.screening.models import Screen
from apps.platform.common.problems import DomainError


class Command(BaseCommand):
    help = "Compute screens anew from what was recorded and compare with what was decided."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("screen_id", nargs="+", type=UUID)

    def handle(self, *args: Any, **options: Any) -> None:
        differing = 0
        for screen_id in options["screen_id"]:
            record = Screen.objects.filter(screen_id=screen_id).first()
            if record is None:
                raise CommandError(f"There is no screen {screen_id}.")
            try:
                found = replay_screen(record=record)
            except (ScreenPurged, DomainError) as error:
                raise CommandError(str(error)) from error
            self._print(found)
            differing += not found.agrees
        if differing:
            raise CommandError(f"{differing} of {len(options['screen_id'])} differ.")

    def _print(self, found: ScreenReplay) -> None:
        verdict = "agrees" if found.agrees else "DIFFERS"
        self.stdout.write(f"{found.screen_id}: {verdict}")
        for name in ("decision", "risk_score", "rules"):
            then, anew = getattr(found, name)
            self.stdout.write(f"  {name}: recorded {then}, computed {anew}")
        for note in found.notes:
            self.stdout.write(self.style.WARNING(f"  {note}"))
