"""manage.py run_job: run the jobs of one kind that are due, in this process."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.platform.common.clock import now
from apps.platform.jobs import job_queue
from apps.platform.jobs.models import Job, JobState
from apps.platform.jobs.registry import JOBS


class Command(BaseCommand):
    help = (
        "Run the due jobs of one kind in this process; a periodic job runs even if it is not due."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("job", help="name of the job, as its app registers it")

    def handle(self, *args: Any, **options: Any) -> None:
        name, moment = options["job"], now()
        if name not in JOBS:
            raise CommandError(f"no such job: {name}; there are {', '.join(sorted(JOBS))}")
        if JOBS[name].every:
            job_queue.enqueue_job(job=name, now=moment)
        due = Job.objects.filter(name=name, state=JobState.PENDING, eta__lte=moment)
        # before the first runs: a job that plans itself again must not keep the command from ending
        numbers = list(due.order_by("eta", "pk").values_list("pk", flat=True))
        for number in numbers:
            job_queue.run_job(number)
        # a job that will be tried again is PENDING, but has the error of its last run
        failed = Job.objects.filter(pk__in=numbers).exclude(last_error="")
        for job in failed:
            self.stderr.write(f"  {job.name} {job.key}: {job.last_error}")
        self.stdout.write(f"{name}: {len(numbers)} run, {len(failed)} failed")
        if failed:
            raise CommandError(f"{len(failed)} of {name} failed")
