"""The job run that this process is executing (apps/platform/jobs/job_queue.py)."""

from contextvars import ContextVar
from dataclasses import dataclass

from apps.platform.jobs.models import Job, JobAttempt
from apps.platform.jobs.registry import JobSpec


@dataclass(slots=True)
class JobRun:
    """A run, and whether its end is already recorded, with the handler's last writes."""

    job: Job
    attempt: JobAttempt
    work: JobSpec
    ended: bool = False

    def end(self) -> None:
        """Note that the run's end is recorded."""
        self.ended = True


CURRENT_RUN: ContextVar[JobRun | None] = ContextVar("the run of a job", default=None)
