"""manage.py keep_index: keep this host's match index in step with the live lists."""

import signal
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, close_old_connections

from apps.reference.watchlists import indexes, locks
from apps.reference.watchlists.live_list_sets import load_current_set

VERIFY_EVERY = 60.0  # seconds between full readings of the index that is served
_POLL_SECONDS = 0.2  # within which a signal ends the wait


class Command(BaseCommand):
    help = "Watch the live lists and build this host's index when they change; one per host."
    verified_at = float("-inf")
    stopping = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--every", type=float, default=3.0, help="seconds between checks")
        parser.add_argument("--once", action="store_true", help="check once and exit")

    def handle(self, *args: Any, **options: Any) -> None:
        # Python sets signal handlers in the main thread alone
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, self._stop)
        lock = Path(settings.VAR_DIR) / "index" / "keeper.lock"
        try:
            with locks.hold_file_lock(lock):
                self._keep(options["every"], once=options["once"])
        except locks.AlreadyRunning as error:
            raise CommandError("Another keep_index runs on this host.") from error

    def _stop(self, number: int, frame: FrameType | None) -> None:
        # no `threading.Event`: set here while the loop waits for it, it would hang
        self.stopping = True

    def _keep(self, seconds: float, *, once: bool) -> None:
        done = ""
        while not self.stopping:
            try:
                done = self._look(done)
            except DatabaseError as error:
                # The database may be restarting; the existing index stays usable.
                self._tell(f"The database did not answer: {error}", once=once)
            except OSError as error:
                # A full disk ends no keeper: the index that is there is served until there is room.
                self._tell(f"The index could not be built: {error}", once=once)
            if once:
                return
            # a connection that the database closed would fail in the next round as well
            close_old_connections()
            looks_at = time.monotonic() + seconds
            while not self.stopping and time.monotonic() < looks_at:
                time.sleep(min(seconds, _POLL_SECONDS))

    def _tell(self, trouble: str, *, once: bool) -> None:
        """Report a problem and continue; with --once, fail."""
        if once:
            raise CommandError(trouble)
        self.stderr.write(trouble)

    def _look(self, done: str) -> str:
        lists = load_current_set()
        if lists.id == done and self._whole(lists.id):
            return done
        self.verified_at = time.monotonic()
        if indexes.build_set_index(lists):
            self.stdout.write(f"Built the index of set {lists.id}: {lists.versions}")
            self.stdout.flush()
        return lists.id

    def _whole(self, list_set_id: str) -> bool:
        """Return whether the index is there and, read anew once a minute, as it was built."""
        if not indexes.is_index_built(list_set_id):
            return False
        if time.monotonic() - self.verified_at < VERIFY_EVERY:
            return True
        self.verified_at = time.monotonic()
        return indexes.is_index_sound(indexes.index_folder(list_set_id))
