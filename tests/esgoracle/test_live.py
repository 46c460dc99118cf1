"""GET /esg-score without an LEI: three composites, their mean, and runs every ten minutes."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from rest_framework.test import APIClient

from apps.core.problems import DomainError
from apps.esgoracle import health, running
from apps.esgoracle.composites import LIVING_COSTS, ROWS
from apps.esgoracle.models import EsgRun
from apps.esgoracle.rules.live import PILLARS, average, calm, worst
from apps.signals import checks, samples
from apps.signals.series import FEEDS, SERIES
from tests.esgoracle.runs import ran
from tests.openapi import check_answer

PATH = "/esg/esg-score"
TEN = timedelta(minutes=10)


def exact(value: Any) -> Decimal:
    return Decimal(str(value))


def test_the_composite_of_its_own_is_whole() -> None:
    assert checks.problems(feeds=FEEDS, series=SERIES, composites=[LIVING_COSTS]) == []
    assert list(ROWS) == ["environmental", "social", "governance"]


def test_a_pillar_is_what_its_strain_leaves_and_the_average_is_their_mean() -> None:
    assert [calm(Decimal(one)) for one in ("0", "92.2663", "100")] == [100, Decimal("7.7337"), 0]
    scores = {one.pillar: Decimal(n) for one, n in zip(PILLARS, ("0", "0", "100"), strict=True)}
    assert average(scores) == Decimal("33.3333")
    assert worst(["LIVE", "ESTIMATED", "PARTIAL"]) == "ESTIMATED"
    assert worst(["LIVE", "PARTIAL", "LIVE"]) == "PARTIAL" and worst(["LIVE"] * 3) == "LIVE"


def test_the_live_score_tells_where_every_number_came_from(api: APIClient, series: None) -> None:
    found = api.get(PATH).json()
    check_answer("esg", "GET", "/esg-score", found)
    scores = found["scores"]
    assert found["scope"] == "LIVE" and found["dataQuality"] == "ESTIMATED"
    for pillar in found["pillars"]:
        assert (
            exact(pillar["score"])
            == 100 - exact(pillar["strain"])
            == exact(scores[pillar["pillar"]])
        )
        assert sum(exact(one["share"]) for one in pillar["inputs"]) == exact(pillar["strain"])
        assert pillar["inputs"] and "sample" in pillar["reasons"]
        for one in pillar["inputs"]:
            assert one["licence"] and one["source"] and one["ageSeconds"] > 0
    total = sum(exact(scores[one.pillar]) for one in PILLARS)
    assert abs(total / 3 - exact(scores["average"])) <= Decimal("0.00005")
    fee = found["fee"]
    assert exact(fee["bps"]) == (100 - exact(scores["average"])) / 2
    assert exact(fee["pct"]) * 100 == exact(fee["bps"])
    assert fee["formula"] == "(100 - esgScore) / 200"


def test_without_series_there_is_no_number(api: APIClient) -> None:
    answer = api.get(PATH)
    assert (answer.status_code, answer.json()["code"]) == (503, "no_data")
    assert not EsgRun.objects.exists()


@pytest.mark.parametrize("lost", ["us.cpi", "us.epu", "air.co2"])
def test_a_pillar_without_enough_of_its_series_leaves_no_score(
    api: APIClient, noon: datetime, monkeypatch: Any, lost: str
) -> None:
    others = {"us.cpi": "wheat", "us.epu": "us.tpu", "air.co2": "ice.north"}[lost]
    plain = samples.rows
    monkeypatch.setattr(
        samples,
        "rows",
        lambda *, now: (one for one in plain(now=now) if one.series not in (lost, others)),
    )
    samples.load(now=noon)
    assert api.get(PATH).status_code == 503


def test_a_request_reads_the_last_run(
    api: APIClient, series: None, noon: datetime, django_assert_num_queries: Any
) -> None:
    running.run("", noon)
    with django_assert_num_queries(1):
        found = api.get(PATH).json()
    assert found["computedAt"] == int(noon.timestamp()) and EsgRun.objects.count() == 1


@pytest.mark.parametrize(("minutes", "kept"), [(0, True), (20, True), (30, False)])
def test_a_run_that_is_too_old_is_made_anew_and_kept(
    api: APIClient, series: None, noon: datetime, minutes: int, kept: bool
) -> None:
    before = noon - timedelta(minutes=minutes)
    running.run("", before)
    found = api.get(PATH).json()
    assert found["computedAt"] == int((before if kept else noon).timestamp())
    assert EsgRun.objects.count() == (1 if kept else 2)
    api.get(PATH)
    assert EsgRun.objects.count() == (1 if kept else 2)


@pytest.mark.django_db
def test_two_runs_of_ten_minutes_are_one(series: None, noon: datetime) -> None:
    running.run("", noon)
    running.run("", noon + timedelta(minutes=9, seconds=59))
    assert EsgRun.objects.count() == 1
    running.run("", noon + TEN)
    assert EsgRun.objects.count() == 2


@pytest.mark.django_db
def test_a_run_that_comes_to_nothing_is_kept_with_its_reason(noon: datetime) -> None:
    running.run("", noon)
    run = EsgRun.objects.get()
    assert (run.ok, run.quality) == (False, "") and run.reason
    with pytest.raises(DomainError):
        running.current(now=noon)


@pytest.mark.django_db
def test_runs_leave_after_ninety_days(series: None, noon: datetime) -> None:
    running.run("", noon)
    running.run("", noon + running.KEPT)
    assert EsgRun.objects.count() == 2
    running.run("", noon + running.KEPT + TEN)
    assert EsgRun.objects.filter(slot=running.slot_of(noon)).count() == 0


@pytest.mark.django_db
@pytest.mark.parametrize(
    "change", [{"reason": "x"}, {"ok": False}, {"ok": False, "quality": "", "reason": ""}]
)
def test_no_run_is_both_good_and_without_a_score(
    series: None, noon: datetime, change: dict[str, Any]
) -> None:
    running.run("", noon)
    with pytest.raises(IntegrityError), transaction.atomic():
        EsgRun.objects.update(**change)


@pytest.mark.parametrize(
    ("runs", "due", "happened"),
    [
        ([], 0, 0),
        ([0], 1, 1),
        ([-1], 1, 1),  # that of the running ten minutes is not due yet
        ([-1, 0], 2, 2),
        ([-3, -1, 0], 4, 3),
        ([-4320, 0], 4321, 2),
        ([-4321, 0], 1, 1),  # older than thirty days
    ],
)
def test_uptime_counts_runs_that_were_due_and_those_that_happened(
    api: APIClient, noon: datetime, runs: list[int], due: int, happened: int
) -> None:
    for slot in runs:
        ran(noon + slot * TEN)
    found = api.get("/esg/reliability").json()
    check_answer("esg", "GET", "/reliability", found)
    assert (found["runsDue"], found["runsHappened"]) == (due, happened)
    if due:
        assert found["uptimePct"] == pytest.approx(100 * happened / due)
    else:
        assert "uptimePct" not in found and found["isHealthy"] is False


def test_a_run_without_a_score_is_downtime_and_stands_in_the_history(
    api: APIClient, noon: datetime
) -> None:
    ran(noon - TEN)
    ran(noon, ok=False)
    found = api.get("/esg/reliability").json()
    assert (found["uptimePct"], found["isHealthy"]) == (50, False)
    assert [one["ok"] for one in found["history"]] == [False, True]
    assert found["history"][0]["reason"] == "no data"
    assert found["history"][1]["scores"]["average"] == 50


def test_the_history_has_the_last_24_runs(api: APIClient, noon: datetime) -> None:
    for slot in range(25):
        ran(noon - slot * TEN)
    found = api.get("/esg/reliability").json()
    assert len(found["history"]) == 24 and found["isHealthy"] is True
    assert found["history"][0]["ranAt"] == int(noon.timestamp())


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
    told = health.check(noon)
    assert told["status"] == status and health.WORDS.speak(told)


def test_health_has_the_words_of_the_specification(
    api: APIClient, noon: datetime, monkeypatch: Any
) -> None:
    monkeypatch.setattr("apps.core.health.jobs", lambda now: {"status": "ok"})
    assert api.get("/esg/health").json()["esgOracle"] == "DEGRADED"
    ran(noon)
    found = api.get("/esg/health").json()
    told = (found["status"], found["esgOracle"], found["network"])
    assert told == ("healthy", "SUCCESS", "base")
