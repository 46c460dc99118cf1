"""GET /esg-score without an LEI: three composites, their mean, and runs every ten minutes."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.test import APIClient

from apps.insight.esg.models.oracle_runs import EsgRun
from apps.insight.esg.oracle import health
from apps.insight.esg.oracle.composites import LIVING_COSTS, PILLAR_COMPOSITES
from apps.insight.esg.oracle.rules.live_score import (
    PILLARS,
    average_score,
    effective_weight,
    score_of_strain,
    split_contributions,
    worst_label,
)
from apps.insight.esg.oracle.services import oracle_runs
from apps.reference.signals import checks
from apps.reference.signals.series import FEEDS, SERIES
from tests import sampling
from tests.esg.oracle.sample_runs import ran
from tests.openapi import check_answer

PATH = "/esg/esg-score"
TEN = timedelta(minutes=10)


def exact(value: Any) -> Decimal:
    return Decimal(str(value))


def test_the_composite_of_its_own_is_whole() -> None:
    assert checks.find_table_problems(feeds=FEEDS, series=SERIES, composites=[LIVING_COSTS]) == []
    assert list(PILLAR_COMPOSITES) == ["environmental", "social", "governance"]


def test_a_pillar_is_what_its_strain_leaves_and_the_average_is_their_mean() -> None:
    assert [score_of_strain(Decimal(one)) for one in ("0", "92.2663", "100")] == [
        100,
        Decimal("7.7337"),
        0,
    ]
    scores = {one.pillar: Decimal(n) for one, n in zip(PILLARS, ("0", "0", "100"), strict=True)}
    assert average_score(scores) == Decimal("33.3333")
    assert worst_label(["LIVE", "ESTIMATED", "PARTIAL"]) == "ESTIMATED"
    assert (
        worst_label(["LIVE", "PARTIAL", "LIVE"]) == "PARTIAL"
        and worst_label(["LIVE"] * 3) == "LIVE"
    )


@given(st.tuples(*[st.integers(0, 1_000_000)] * 3))
def test_the_contributions_of_the_pillars_sum_to_the_average(units: tuple[int, int, int]) -> None:
    scores = {one.pillar: Decimal(n).scaleb(-4) for one, n in zip(PILLARS, units, strict=True)}
    parts = split_contributions(scores)
    assert sum(parts.values()) == average_score(scores)
    for name, part in parts.items():
        assert abs(part - scores[name] / 3) < Decimal("0.0001")


@pytest.mark.parametrize(
    ("weight", "held", "weighs"),
    [("0.4", "1", "0.4"), ("0.4", "0.8", "0.5"), ("0.4", "0.6", "0.66666667"), ("0.3", "0.3", "1")],
)
def test_what_lacks_leaves_its_weight_to_the_others(weight: str, held: str, weighs: str) -> None:
    assert str(effective_weight(Decimal(weight), held=Decimal(held))) == weighs


def test_the_live_score_tells_where_every_number_came_from(
    api: APIClient, series: None, noon: datetime
) -> None:
    oracle_runs.run_live_score("", noon)
    body = api.get(PATH).json()
    check_answer("esg", "GET", "/esg-score", body)
    scores = body["scores"]
    assert body["scope"] == "LIVE" and body["dataQuality"] == "ESTIMATED"
    for pillar in body["pillars"]:
        assert (
            exact(pillar["score"])
            == 100 - exact(pillar["strain"])
            == exact(scores[pillar["pillar"]])
        )
        assert pillar["inputs"] and "sample" in pillar["reasons"]
        for one in pillar["inputs"]:
            assert one["licence"] and one["source"] and one["ageSeconds"] > 0
    fee = body["fee"]
    assert exact(fee["bps"]) == (100 - exact(scores["average"])) / 2
    assert exact(fee["pct"]) * 100 == exact(fee["bps"])
    assert fee["formula"] == "(100 - esgScore) / 200"


@pytest.mark.parametrize("lost", [(), ("wheat",), ("us.tpu",), ("sea.temperature", "corn")])
def test_what_is_shown_of_a_score_sums_to_it(
    api: APIClient, noon: datetime, lost: tuple[str, ...]
) -> None:
    """Also where a series lacks, whose weight the others take."""
    sampling.load(now=noon, without=lost)
    oracle_runs.run_live_score("", noon)
    body = api.get(PATH).json()
    told = [exact(one["contribution"]) for one in body["pillars"]]
    assert sum(told) == exact(body["scores"]["average"])
    for pillar in body["pillars"]:
        assert sum(exact(one["share"]) for one in pillar["inputs"]) == exact(pillar["strain"])
        assert abs(sum(exact(one["weight"]) for one in pillar["inputs"]) - 1) < Decimal("1e-7")
        whole = sum(exact(one["nominalWeight"]) for one in pillar["inputs"])
        assert whole == exact(pillar["coverage"])
        for one in pillar["inputs"]:
            parts = exact(one["weight"]) * exact(one["strain"]) - exact(one["share"])
            assert abs(parts) <= Decimal("0.0001")  # what is left over goes to one of them


@pytest.mark.parametrize(
    "lost", [("us.cpi", "wheat"), ("us.epu", "us.tpu"), ("air.co2", "ice.north")]
)
def test_a_pillar_without_enough_of_its_series_leaves_no_score(
    api: APIClient, noon: datetime, lost: tuple[str, ...]
) -> None:
    sampling.load(now=noon, without=lost)
    oracle_runs.run_live_score("", noon)
    answer = api.get(PATH)
    assert (answer.status_code, answer.json()["code"]) == (503, "live_score_unavailable")
    assert "nothing is known of it" in answer.json()["detail"] and answer["Retry-After"] == "600"


def test_a_request_reads_the_last_run(
    api: APIClient, series: None, noon: datetime, django_assert_num_queries: Any
) -> None:
    oracle_runs.run_live_score("", noon)
    with django_assert_num_queries(1):
        body = api.get(PATH).json()
    assert body["computedAt"] == int(noon.timestamp()) and EsgRun.objects.count() == 1


@pytest.mark.parametrize(
    ("runs", "due", "happened"),
    [
        ([], 0, 0),
        ([0], 1, 1),
        ([-1], 1, 1),  # that of the running ten minutes is not due yet
        ([-2], 2, 1),  # the one that is over had none
        ([-1, 0], 2, 2),
        ([-3, -1, 0], 4, 3),
        ([-4319, 0], 4320, 2),
        ([-4320, 0], 4320, 1),  # older than thirty days
    ],
)
def test_uptime_counts_runs_that_were_due_and_those_that_happened(
    api: APIClient, noon: datetime, runs: list[int], due: int, happened: int
) -> None:
    for slot in runs:
        ran(noon + slot * TEN)
    body = api.get("/esg/reliability").json()
    check_answer("esg", "GET", "/reliability", body)
    assert (body["runsDue"], body["runsHappened"]) == (due, happened)
    if due:
        assert exact(body["uptimePct"]) == exact(int(10000 * happened / due)) / 100
    else:
        assert "uptimePct" not in body and body["isHealthy"] is False


def test_a_run_without_a_score_is_downtime_and_stands_in_the_history(
    api: APIClient, noon: datetime
) -> None:
    ran(noon - TEN)
    ran(noon, ok=False)
    body = api.get("/esg/reliability").json()
    assert (body["uptimePct"], body["isHealthy"]) == (50, False)
    assert [one["ok"] for one in body["history"]] == [False, True]
    assert body["history"][0]["reason"] == "no data"
    assert body["history"][1]["scores"]["average"] == 50


def test_the_history_has_the_last_24_runs(api: APIClient, noon: datetime) -> None:
    for slot in reversed(range(25)):
        ran(noon - slot * TEN)
    body = api.get("/esg/reliability").json()
    assert len(body["history"]) == 24 and body["isHealthy"] is True
    assert body["history"][0]["ranAt"] == int(noon.timestamp())


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("slots", "ok", "status"),
    [([], True, "degraded"), ([0], True, "ok"), ([2], True, "ok"), ([3], True, "degraded"),
     ([0], False, "degraded")],
)  # fmt: skip
def test_health_looks_at_the_last_run(
    noon: datetime, slots: list[int], ok: bool, status: str
) -> None:
    for slot in slots:
        ran(noon - slot * TEN, ok=ok)
    live_score = health.check_live_score(noon)
    assert live_score["status"] == status and health.WORDS.speak(live_score)


def test_health_has_the_words_of_the_specification(
    api: APIClient, noon: datetime, monkeypatch: Any
) -> None:
    monkeypatch.setattr("apps.platform.health.checks.check_jobs", lambda now: {"status": "ok"})
    assert api.get("/esg/health").json()["esgOracle"] == "DEGRADED"
    ran(noon)
    body = api.get("/esg/health").json()
    told = (body["status"], body["esgOracle"], body["network"])
    assert told == ("healthy", "SUCCESS", "base")
