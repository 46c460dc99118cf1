"""Settings of the server on which payments are measured: its addresses, and no rates."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.payments_urls"
RATES = dict.fromkeys(RATES, 10_000_000)  # noqa: F405
