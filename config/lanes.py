"""Lanes of background jobs: each has worker processes of its own (config/cluster.py)."""

from datetime import timedelta

# jobs that go out to others' servers
OUTBOUND = "outbound"
# callbacks, which are due to the second: nothing long runs there
CALLBACKS = "callbacks"
# payments: their checks may call GLEIF or a model, and a caller waits for each
PAYMENTS = "payments"

# No job may hold its run longer: the cluster would send it a second time
LONGEST_JOB_LEASE = timedelta(hours=2)
