"""Runs: one a slot, stored as they came out, sealed, and never a number where too little counts."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from apps.insight.stability.models import StabilityRun, runs
from apps.insight.stability.oracle import computation, series_snapshot
from apps.insight.stability.oracle.rules import layers, series_names
from apps.insight.stability.oracle.services import oracle_runs
from apps.insight.stability.oracle.services.oracle_runs import record_run
from apps.platform.ledger import sealer
from apps.platform.ledger.models import Seal
from apps.reference.signals.models import Fetch
from tests.conftest import NOON
from tests.stability.oracle.conftest import observe

pytestmark = pytest.mark.django_db
TEN = timedelta(minutes=10)
Ran = Callable[..., StabilityRun]


def test_a_run_of_observed_series_is_live_and_sure_but_for_the_nowcast(ran: Ran) -> None:
    run = ran()
    assert (run.quality, run.sample, run.data["confidence"]) == ("LIVE", False, "99.8")
    assert run.points is not None and run.points > 95
    assert run.deviation_bps == 2  # USDT at 1.0002
    assert run.data["coverage"] == "1" and run.data["missing"] == []
    assert run.data["reasons"] == ["proxy:us.cpi.independent"]


def test_scores_are_stored_as_finely_as_they_are_summed() -> None:
    assert runs.FINEST == layers.FINEST


def test_the_stored_contributions_sum_to_the_stored_score(ran: Ran) -> None:
    run = ran()
    told = [Decimal(one["contribution"]) for one in run.data["layers"]]
    assert sum(told) == Decimal(run.data["score"]) == run.points
    for layer in run.data["layers"]:
        assert sum(Decimal(one["share"]) for one in layer["inputs"]) == Decimal(layer["value"])


def test_the_bundled_sample_makes_an_estimate_that_says_so(sample: None) -> None:
    run = record_run(now=NOON)
    assert run is not None and run.sample
    assert run.quality == "ESTIMATED" and run.data["reasons"][0] == "sample"
    assert run.points is not None and 0 < run.points <= 100
    assert Decimal(run.data["confidence"]) <= 50


def test_a_slot_has_one_run(ran: Ran) -> None:
    first = ran()
    assert record_run(now=NOON + TEN - timedelta(seconds=1)) is None
    oracle_runs.run_oracle("", NOON + TEN)
    assert [
        stability_run.slot - first.slot for stability_run in StabilityRun.objects.order_by("slot")
    ] == [0, 1]


def test_a_run_that_another_worker_made_first_is_not_made_twice(ran: Ran, monkeypatch: Any) -> None:
    ran()

    def none(*args: Any, **options: Any) -> Any:
        return StabilityRun.objects.none()

    real = StabilityRun.objects.filter
    monkeypatch.setattr(StabilityRun.objects, "filter", none)  # it saw none when it looked
    assert record_run(now=NOON) is None
    monkeypatch.setattr(StabilityRun.objects, "filter", real)
    assert StabilityRun.objects.count() == 1


@pytest.mark.parametrize("lost", [series_names.USDT_PRICE, series_names.USDC_PRICE])
def test_without_the_peg_there_is_no_number(ran: Ran, lost: str) -> None:
    run = ran(without=(lost,))
    assert (run.score, run.deviation, run.quality) == (None, None, "")
    assert "nothing is known of it" in run.data["fault"] and series_names.FSI in run.data["series"]


@pytest.mark.parametrize(
    ("lost", "coverage"),
    [
        (
            (series_names.FSI, series_names.NFCI, series_names.EUR_USD, series_names.FSI_CREDIT),
            "0.637",
        ),
        (
            (
                series_names.FSI,
                series_names.NFCI,
                series_names.EUR_USD,
                series_names.FSI_CREDIT,
                "us.epu",
            ),
            None,
        ),
    ],
)
def test_below_six_tenths_of_the_weight_there_is_no_number(
    ran: Ran, lost: tuple[str, ...], coverage: str | None
) -> None:
    run = ran(without=lost)
    assert (run.score is None) is (coverage is None)
    assert run.data.get("coverage") == coverage
    if coverage is None:
        assert "Too little is known" in run.data["fault"]


def test_a_series_that_is_too_old_leaves_the_score_and_is_named(ran: Ran) -> None:
    run = ran(without=(series_names.NFCI, "us.epu"))
    assert run.quality == "PARTIAL" and set(run.data["missing"]) == {
        series_names.NFCI,
        series_names.EPU,
    }
    told = {layer["id"]: layer for layer in run.data["layers"]}
    assert told["geopolitical"]["value"] is None
    assert Decimal(told["geopolitical"]["contribution"]) == 0
    assert Decimal(run.data["confidence"]) < 100


def test_a_change_of_which_the_base_lacks_counts_as_missing(
    calm: Callable[..., None],
) -> None:
    calm(without=(series_names.DOLLAR,))
    observe(series_names.DOLLAR, "121.5", at=NOON)
    run = record_run(now=NOON)
    assert run is not None and series_names.DOLLAR in run.data["missing"]
    usd = run.data["usd_health"]["trade_weighted_usd"]  # its level is known all the same
    assert (usd["index"], usd["change_pct"], usd["trend"]) == ("121.5", None, "UNKNOWN")


def test_uptime_counts_slots_with_a_number(ran: Ran) -> None:
    ran()
    second = record_run(now=NOON + 2 * TEN)  # one was missed
    assert second is not None and (second.due, second.good) == (3, 2)


def test_a_run_without_a_number_is_no_uptime(ran: Ran) -> None:
    run = ran(without=(series_names.USDC_PRICE,))
    assert (run.due, run.good) == (1, 0)


def test_runs_are_sealed_and_the_database_refuses_to_change_them(ran: Ran) -> None:
    run = ran()
    sealer.seal_all_ledgers(now=NOON + TEN)
    assert Seal.objects.filter(ledger="stability_runs", record_id=run.pk).exists()
    for statement in (
        "UPDATE stability_stabilityrun SET score = 1",
        "DELETE FROM stability_stabilityrun",
    ):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)


def test_what_was_known_later_changes_no_earlier_run(ran: Ran) -> None:
    run = ran()
    observe(series_names.FSI, "15", at=NOON + timedelta(hours=1))
    again = computation.compute_run(
        series_snapshot.load_series_snapshot(as_of=NOON), weights=layers.initial_weights()
    )
    assert again.score == run.score
    later = computation.compute_run(
        series_snapshot.load_series_snapshot(as_of=NOON + timedelta(hours=1)),
        weights=layers.initial_weights(),
    )
    assert later.score < again.score


def test_a_run_takes_few_queries(
    calm: Callable[..., None], django_assert_max_num_queries: Any
) -> None:
    calm()
    with django_assert_max_num_queries(14):
        record_run(now=NOON)


@pytest.mark.parametrize(
    ("ago", "outcome", "scored"),
    [
        (timedelta(hours=3), "SAME", True),
        (timedelta(hours=3), "UNCHANGED", True),
        (timedelta(hours=3, seconds=1), "SAME", False),
        (timedelta(hours=3, seconds=1), "NEW", False),
    ],
)
def test_a_peg_of_today_is_none_where_its_publisher_is_silent(
    calm: Callable[..., None], ago: timedelta, outcome: str, scored: bool
) -> None:
    """A stablecoin breaks within hours, and its last price is of the day until midnight."""
    calm()
    Fetch.objects.create(feed="defillama-stablecoins", at=NOON - ago, outcome=outcome)
    Fetch.objects.create(feed="defillama-stablecoins", at=NOON, outcome="FAILED")
    Fetch.objects.create(feed="defillama-stablecoins", at=NOON, outcome="REJECTED")
    Fetch.objects.create(feed="defillama-stablecoins", at=NOON + TEN, outcome="NEW")
    run = record_run(now=NOON)
    assert run is not None and (run.score is not None) is scored
    if not scored:
        assert "stable.usdt.price" in run.data["fault"]


def test_a_value_of_the_sample_bears_the_terms_of_its_own_file(sample: None) -> None:
    run = record_run(now=NOON)
    assert run is not None
    series = run.data["series"]
    assert all("(bundled sample, " in one["licence"] for one in series.values())
    names = {name for name, one in series.items() if one["source"] == "SAMPLE+INVENTED"}
    assert "stable.usdt.price" in names and "fx.eur.usd" not in names
