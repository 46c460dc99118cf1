"""The oracles as they stand after a run: their endpoints tell the last one."""

from datetime import datetime
from functools import cache

from apps.core.clock import now
from apps.stability.oracle import standing
from apps.stability.oracle.running import run_once
from tests import sampling
from tests.esgoracle.runs import ran


@cache
def _loaded_at() -> datetime:
    """Return one moment for all modules of a process, so that the sample is read once."""
    return now()


def run_oracles() -> None:
    """Run each oracle once, on the bundled sample."""
    ran(now())
    sampling.load(now=_loaded_at())
    run_once(now=now())
    standing.forget()
