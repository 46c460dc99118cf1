"""How long work is retried that the bank has not accepted or reported. Pure."""

from datetime import timedelta

RETRY_DELAYS = (
    timedelta(seconds=5),
    timedelta(seconds=30),
    timedelta(minutes=2),
    timedelta(minutes=10),
    timedelta(minutes=30),
)
# a retry that is due is in the queue: after this long the sweep considers it lost
OVERDUE = timedelta(minutes=2)
