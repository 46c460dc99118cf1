"""Background work in django-q2: one place for the numbers, reasons in docs/operations.md."""

from config import env
from config.lanes import CALLBACKS, LONGEST_JOB_LEASE, OUTBOUND, PAYMENTS

# What the workers of a lane load before they start, in addition to the code of its jobs. The lane
# without a name has the jobs that declare none. Jobs of every lane but that of callbacks screen
# names.
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
    # tasks that a cluster takes from the table ahead of its workers: the time that a task waits
    # there counts against `retry`
    "queue_limit": 2,
    # one task per poll, so that another cluster can take the next one
    "bulk": 1,
    # seconds. Each job sets its lease as the timeout of its task (apps/platform/jobs/job_queue.py);
    # this one is for tasks without a job.
    # `retry` must outlive the longest lease, or that job would be sent twice
    "timeout": 1800,
    "retry": int(LONGEST_JOB_LEASE.total_seconds()) + 100,
    # a task is never sent again: each job plans its own retries as a row
    "max_attempts": 1,
    "ack_failures": True,
    # store no results: 469 tasks a second on PostgreSQL instead of 58. Chains of tasks need results
    # and do not work.
    "save_limit": -1,
    # slots that were missed while no cluster ran are skipped, not replayed one by one
    "catch_up": False,
    # seconds; with this a task starts at most 0.3 s after it is due
    "poll": 0.2,
    # tasks after which a worker process is replaced
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
        # none of the lanes runs django-q2's scheduler: the cluster without a lane does, once
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
