"""The oracles as they stand after a run: their endpoints tell the last one."""

from apps.core.clock import now
from apps.stability.oracle import standing
from apps.stability.oracle.running import run_once
from tests import sampling
from tests.esgoracle.runs import ran


def run_oracles() -> None:
    """Run each oracle once, on the bundled sample."""
    ran(now())
    sampling.load(now=now())
    run_once(now=now())
    standing.forget()
