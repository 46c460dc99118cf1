"""Settings of the server on which answers about stress are measured: its addresses, no rates."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.intelligence_urls"
FREE_RATE_PER_MINUTE = 100_000_000
RATES = {"DATA": 100_000_000}
