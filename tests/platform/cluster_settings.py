"""Settings of a real cluster in a test: the project's own, and three jobs more."""

from config.jobs import HOUR, JOBS, JobSpec
from config.settings import *  # noqa: F403

JOBS["test.note"] = JobSpec(handler="tests.platform.job_handlers.write_down", title="Write a line")
JOBS["test.block"] = JobSpec(handler="tests.platform.job_handlers.block", title="Hang", lease=HOUR)
JOBS["test.call"] = JobSpec(
    handler="tests.platform.job_handlers.call", title="Call out", upstream=True, retries=()
)
