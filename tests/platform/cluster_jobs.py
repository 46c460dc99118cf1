"""The jobs of the tests of a real cluster, as an app registers its own."""

from django.apps import AppConfig


class ClusterJobsConfig(AppConfig):
    name = "tests.platform"
    label = "cluster_jobs"

    def ready(self) -> None:
        from apps.platform.jobs.registry import HOUR, JobSpec, register_jobs
        from tests.platform import job_handlers

        register_jobs(
            {
                "test.note": JobSpec(handler=job_handlers.write_down, title="Write a line"),
                "test.block": JobSpec(handler=job_handlers.block, title="Hang", lease=HOUR),
                "test.call": JobSpec(
                    handler=job_handlers.call, title="Call out", upstream=True, retries=()
                ),
            }
        )
