"""manage.py build_index: build this host's match index of the live lists."""

import time
from typing import Any

from django.core.management.base import BaseCommand

from apps.platform.common.progress import ProgressCounter
from apps.reference.watchlists import indexes
from apps.reference.watchlists.live_list_sets import load_current_set


class Command(BaseCommand):
    help = "Build this host's match index of the live lists unless it already exists."

    def handle(self, *args: Any, **options: Any) -> None:
        lists = load_current_set()
        started = time.monotonic()
        counter = ProgressCounter(self.stderr, "parties indexed")
        if indexes.build_set_index(lists, progress=counter):
            counter.close()
            seconds = time.monotonic() - started
            self.stdout.write(f"Built the index of set {lists.id} in {seconds:.1f} s.")
        else:
            self.stdout.write(f"The index of set {lists.id} already exists.")
        for slug, sequence in lists.versions.items():
            self.stdout.write(f"  {slug} version {sequence}")
