"""manage.py replay_screen ID…: compute old screens anew from their recorded versions."""

from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.compliance.screening.combined.replay import ScreenPurged, ScreenReplay, replay_screen
from apps.compliance.screening.models import Screen
from apps.platform.common.problems import DomainError


class Command(BaseCommand):
    help = "Recompute screens from their records and compare with the recorded decisions."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("screen_id", nargs="+", type=UUID)

    def handle(self, *args: Any, **options: Any) -> None:
        differing = 0
        for screen_id in options["screen_id"]:
            record = Screen.objects.filter(screen_id=screen_id).first()
            if record is None:
                raise CommandError(f"No screen {screen_id}.")
            try:
                screen = replay_screen(record=record)
            except (ScreenPurged, DomainError) as error:
                raise CommandError(str(error)) from error
            self._print(screen)
            differing += not screen.agrees
        if differing:
            raise CommandError(f"{differing} of {len(options['screen_id'])} differ.")

    def _print(self, screen_replay: ScreenReplay) -> None:
        verdict = "agrees" if screen_replay.agrees else "DIFFERS"
        self.stdout.write(f"{screen_replay.screen_id}: {verdict}")
        for name in ("decision", "risk_score", "rules"):
            then, anew = getattr(screen_replay, name)
            self.stdout.write(f"  {name}: recorded {then}, computed {anew}")
        for note in screen_replay.notes:
            self.stdout.write(self.style.WARNING(f"  {note}"))
