"""What a process keeps of the ledger for a second or so, held still while a test runs.

In a test these values go stale when they are cleared and never by the clock: how many queries a
call takes must not depend on how fast the machine is.
"""

from collections.abc import Iterator

import pytest

from apps.compliance.aml import active_weights
from apps.insight.intelligence.selectors import product_inputs
from apps.insight.stability.oracle.selectors import latest_run
from apps.payments.payments.selectors import esg_score
from apps.payments.settlement import wallet_fact_cache
from apps.payments.settlement.selectors import market_data
from apps.reference.countries import listings
from apps.reference.watchlists import engine

# seconds for which a process answers from what it read last
PERIODS = (
    (active_weights, "LOOK_EVERY"),
    (engine, "LOOK_EVERY"),
    (esg_score, "REREAD_EVERY"),
    (latest_run, "LOOK_EVERY"),
    (listings, "CACHED_SECONDS"),
    (market_data, "CACHE_SECONDS"),
)


@pytest.fixture(autouse=True)
def oracles_forgotten() -> Iterator[None]:
    """Forget what the process holds of the oracles, which is another test's."""
    latest_run.forget_latest_run()
    esg_score.clear_esg_score_cache()
    yield
    latest_run.forget_latest_run()
    esg_score.clear_esg_score_cache()


def stop_expiry(patch: pytest.MonkeyPatch) -> None:
    """Let no cached value expire while the patch holds."""
    for module, name in PERIODS:
        patch.setattr(module, name, 1000.0)


def clear_process_caches() -> None:
    """Forget what an earlier test left in this process; a rollback does not take it back."""
    active_weights.forget_weights()
    engine._held.looked_at = float("-inf")  # what it has open stays open: that is dear
    esg_score.clear_esg_score_cache()
    wallet_fact_cache.clear_flow_cache()
    latest_run.forget_latest_run()
    listings.clear_listings_cache()
    product_inputs.clear_series_cache()
