"""The run of a job that a process is at (apps/core/jobs.py)."""

from contextvars import ContextVar
from dataclasses import dataclass

from apps.core.models import Job, JobAttempt
from config.jobs import Work


@dataclass(slots=True)
class Run:
    """A run, and whether its end is recorded already, with what its handler wrote last."""

    job: Job
    attempt: JobAttempt
    work: Work
    ended: bool = False

    def end(self) -> None:
        """Note that its end is recorded."""
        self.ended = True


RUNNING: ContextVar[Run | None] = ContextVar("the run of a job", default=None)
