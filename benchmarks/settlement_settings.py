"""Settings of the server on which flow checks are measured: its addresses, and no rates."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.settlement_urls"
FREE_RATE_PER_MINUTE = 100_000_000
RATES = {"SIGNING": 100_000_000}
