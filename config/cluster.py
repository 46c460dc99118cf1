"""Background work in django-q2: one place for the numbers, reasons in docs/operations.md."""

from config import env
from config.lanes import CALLBACKS, LONGEST_JOB_LEASE, OUTBOUND, PAYMENTS

# what the workers of a lane have at hand as they start beside the code of its jobs, also those
# that replace others; the lane without a name is that of jobs without one of their own. In each
# but that of callbacks, which name nobody, some job screens names.
SCREENING = (
    "config.warm_up.load_name_tables",
    "config.warm_up.open_match_index",
    "config.warm_up.freeze_garbage_collector",
)
WARMED = {"": SCREENING, OUTBOUND: SCREENING, PAYMENTS: SCREENING}
Q_CLUSTER = {
    "name": "oracle",
    "orm": "default",
    "broker_class": "apps.platform.jobs.broker.JobBroker",
    "workers": env.read_integer("JOB_WORKERS", 2, about="Background worker processes", least=1),
    "queue_limit": 2,
    "bulk": 1,
    # `retry` must outlive the longest lease, or that job would be sent twice
    "timeout": 1800,
    "retry": int(LONGEST_JOB_LEASE.total_seconds()) + 100,
    "max_attempts": 1,
    "ack_failures": True,
    "save_limit": -1,
    "catch_up": False,
    "poll": 0.2,
    "recycle": 500,
    "label": "Background jobs",
    # started with Q_CLUSTER_NAME=outbound, or =callbacks; what is not given here is as above
    "ALT_CLUSTERS": {
        OUTBOUND: {
            "workers": env.read_integer(
                "OUTBOUND_WORKERS",
                2,
                about="Worker processes for jobs that call external servers",
                least=1,
            ),
            "scheduler": False,
        },
        # each sends many callbacks at once: the second is there while the first finishes
        CALLBACKS: {
            "workers": env.read_integer(
                "CALLBACK_WORKERS", 2, about="Worker processes that send callbacks", least=1
            ),
            "scheduler": False,
        },
        PAYMENTS: {
            "workers": env.read_integer(
                "PAYMENT_WORKERS", 2, about="Worker processes that process payments", least=1
            ),
            "scheduler": False,
        },
    },
}
