"""The run of a job that a process is at (apps/platform/jobs/job_queue.py)."""

from contextvars import ContextVar
from dataclasses import dataclass

from apps.platform.jobs.models import Job, JobAttempt
from apps.platform.jobs.registry import JobSpec


@dataclass(slots=True)
class JobRun:
    """A run, and whether its end is recorded already, with what its handler wrote last."""

    job: Job
    attempt: JobAttempt
    work: JobSpec
    ended: bool = False

    def end(self) -> None:
        """Note that its end is recorded."""
        self.ended = True


CURRENT_RUN: ContextVar[JobRun | None] = ContextVar("the run of a job", default=None)
