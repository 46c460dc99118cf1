"""The oracles as they stand after a run: their endpoints tell the last one."""

from datetime import datetime
from functools import cache

from apps.insight.stability.oracle.selectors import latest_run
from apps.insight.stability.oracle.services.oracle_runs import record_run
from apps.platform.common.clock import now
from tests import sampling
from tests.esg.oracle.sample_runs import ran


@cache
def _loaded_at() -> datetime:
    """Return one moment for all modules of a process, so that the sample is read once."""
    return now()


def run_oracles() -> None:
    """Run each oracle once, on the bundled sample."""
    ran(now())
    sampling.load(now=_loaded_at())
    record_run(now=now())
    latest_run.forget_latest_run()
