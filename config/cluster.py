"""Background work in django-q2: one place for the numbers, reasons in docs/operations.md."""

from config import env
from config.jobs import CALLBACKS, JOBS, OUTBOUND, PAYMENTS

# what the workers of a lane have at hand as they start, also those that replace others
WARMED = {
    PAYMENTS: (
        "config.warming.tables",
        "config.warming.index",
        "config.warming.payments",
        "config.warming.settled",
    ),
}
Q_CLUSTER = {
    "name": "oracle",
    "orm": "default",
    "broker_class": "apps.core.broker.Queue",
    "workers": env.whole("JOB_WORKERS", 2, about="Background worker processes", least=1),
    "queue_limit": 2,
    "bulk": 1,
    # `retry` must outlive the longest lease of config/jobs.py, or that job would be sent twice
    "timeout": 1800,
    "retry": int(max(work.lease for work in JOBS.values()).total_seconds()) + 100,
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
            "workers": env.whole(
                "OUTBOUND_WORKERS", 2, about="Worker processes for jobs that call others", least=1
            ),
            "scheduler": False,
        },
        # each sends many callbacks at once: the second is there while the first finishes
        CALLBACKS: {
            "workers": env.whole(
                "CALLBACK_WORKERS", 2, about="Worker processes that send callbacks", least=1
            ),
            "scheduler": False,
        },
        PAYMENTS: {
            "workers": env.whole(
                "PAYMENT_WORKERS", 2, about="Worker processes that carry payments on", least=1
            ),
            "scheduler": False,
        },
    },
}
