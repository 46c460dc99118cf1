"""Settings of the server on which books are measured: its addresses, and no rates."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.forecast_urls"
FREE_RATE_PER_MINUTE = 100_000_000
