"""Settings of a real cluster in a test: the project's own, and three jobs more."""

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.platform.cluster_jobs.ClusterJobsConfig"]
