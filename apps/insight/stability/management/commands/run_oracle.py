"""manage.py run_oracle: one run of the stability oracle now."""

from typing import Any

from django.core.management.base import BaseCommand

from apps.insight.stability.oracle.services.oracle_runs import record_run
from apps.platform.common.clock import now


class Command(BaseCommand):
    help = "Run the stability oracle once, as the job does every ten minutes."

    def handle(self, *args: Any, **options: Any) -> None:
        run = record_run(now=now())
        if run is None:
            text = "The current ten-minute slot already has a run."
        elif run.score is None:
            text = f"No score: {run.data['fault']}"
        else:
            text = f"{run.points:.4f} of 100, {run.quality}, {run.deviation_bps:g} bps off the peg"
        self.stdout.write(text)
