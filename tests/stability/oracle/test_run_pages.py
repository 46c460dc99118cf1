"""Runs at the desk: listed below a chart, and each whole with layers and series."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.insight.stability.models import RunNote, StabilityRun
from apps.insight.stability.oracle.services.oracle_runs import record_run
from apps.reference.signals.models import Fetch
from tests.conftest import NOON
from tests.platform.tampering import sql, without_triggers
from tests.review.people import at_desk, check_page, person

pytestmark = pytest.mark.django_db
Ran = Callable[..., StabilityRun]
LIST = "/admin/stability/stabilityrun/"


def desk(role: str = "Operator") -> Any:
    return at_desk(person("somebody", role))


def page(run: StabilityRun, role: str = "Operator") -> str:
    return check_page(desk(role).get(f"{LIST}{run.pk}/change/"))


def test_runs_are_listed_with_score_and_status_below_a_chart(ran: Ran) -> None:
    ran()
    record_run(now=NOON + timedelta(minutes=10))
    record_run(now=NOON + timedelta(days=3))
    html = check_page(desk().get(LIST))
    assert "99.80" in html and "Stable" in html and "Unavailable" in html
    assert html.count("<rect") == 2 and "no number" in html and "12:10: 99 of 100, stable" in html
    assert "2 of 2 due" in html


def test_an_empty_list_has_no_chart(db: Any) -> None:
    assert '<svg class="months"' not in check_page(desk("Examiner").get(LIST))


def test_a_run_is_shown_layer_by_layer_with_every_series(ran: Ran) -> None:
    run = ran(without=("us.epu",))
    RunNote.objects.create(
        run=run, reasoning="All is calm.", confidence="0.8", alerts=[], outlook="STABLE",
        model="a-model", generated_at=NOON,
    )  # fmt: skip
    html = page(run, "Examiner")
    for part in ("of 100, STABLE", "normal operations", "Geopolitics", "not known", "us.epu",
                 "Structural health of the dollar", "Outlook stable", "ofr.fsi.credit", "TEST",
                 "Comment by a-model: All is calm."):  # fmt: skip
        assert part in html, part


@pytest.mark.parametrize(("hours", "verdict"), [(3, "Counts"), (4, "Too old")])
def test_a_price_that_the_oracle_refuses_is_told_as_too_old(
    calm: Callable[..., None], hours: int, verdict: str
) -> None:
    """Its day is young; its publisher was silent for more than three hours."""
    calm()
    Fetch.objects.create(
        feed="defillama-stablecoins", at=NOON - timedelta(hours=hours), outcome="SAME"
    )
    run = record_run(now=NOON)
    assert run is not None and (run.score is None) is (verdict == "Too old")
    html = page(run)
    row = html.partition(">stable.usdt.price</th>")[2].partition("</tr>")[0]
    assert f">{verdict}</td>" in row
    other = html.partition(">ofr.fsi</th>")[2].partition("</tr>")[0]
    assert ">Counts</td>" in other


def test_a_run_without_a_number_says_why(ran: Ran) -> None:
    html = page(ran(without=("stable.usdc.price",)))
    assert "This run has no score" in html and "stable.usdt.price" in html


def test_a_run_of_the_sample_says_so(sample: None) -> None:
    run = record_run(now=NOON)
    assert run is not None and "bundled sample" in page(run)


def test_a_run_that_was_altered_says_so_and_shows_nothing(ran: Ran) -> None:
    run = ran()
    with without_triggers():
        sql("UPDATE stability_stabilityrun SET score = 1")
    run.refresh_from_db()
    html = page(run)
    assert "Integrity check failed" in html and "Geopolitics" not in html


def test_the_list_asks_as_often_for_many_runs_as_for_one(ran: Ran) -> None:
    ran()
    client, counts = desk(), []
    for turn in range(2):
        for n in range(8 * turn):
            record_run(now=NOON + timedelta(minutes=10 * (n + 1)))
        client.get(LIST)
        with CaptureQueriesContext(connection) as queries:
            client.get(LIST)
        counts.append(len(queries))
    assert counts[0] == counts[1]
