"""GET /reliability and its neighbours, as treasury systems see them."""

import uuid
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.insight.stability.models import RunNote, StabilityRun
from apps.insight.stability.oracle import adaptive_status, computation
from apps.insight.stability.oracle.health import WORDS, check_oracle
from apps.insight.stability.oracle.rules import series_names
from apps.insight.stability.oracle.selectors import latest_run
from apps.insight.stability.oracle.services.oracle_runs import record_run
from apps.platform.common.strict_json import parse_json
from apps.platform.upstreams import breaker
from apps.reference.signals.clients.publishers import Publisher
from apps.reference.signals.series import FEEDS, Feed
from tests.conftest import NOON
from tests.openapi import check_answer

pytestmark = pytest.mark.django_db
Ran = Callable[..., StabilityRun]
Ask = Callable[..., Any]
TEN = timedelta(minutes=10)


@pytest.fixture
def ask(monkeypatch: Any) -> Ask:
    """Ask an address of the service at a moment; the answer is as documented."""

    def call(path: str, at: datetime = NOON, status: int = 200) -> Any:
        monkeypatch.setattr("apps.platform.api.viewsets.present", lambda: at)
        answer = APIClient().get(f"/stability/{path}")
        assert answer.status_code == status, answer.content
        if status == 200:
            check_answer("stability", "GET", f"/{path}", answer.json(), status)
            return parse_json(answer.content)  # numbers as they stand there
        return answer

    return call


def test_a_calm_day_is_stable_and_healthy(ran: Ran, ask: Ask) -> None:
    run = ran()
    answer = ask("reliability")
    assert (answer["status"], answer["isHealthy"]) == ("STABLE", True)
    assert answer["decidedBy"]["code"] == "REL-STABLE"
    assert answer["decidedBy"]["action"] == "normal operations"
    assert Decimal(answer["stability"]["currentScore"]) == run.points
    assert answer["peg"] == {"deviationBps": 2, "alert": False}
    assert (answer["confidence"]["score"], answer["oracle"]["uptimePct"]) == (Decimal("99.8"), 100)
    assert answer["oracle"]["version"] == "9.0" and answer["oracle"]["runId"] == str(run.run_id)
    assert answer["dataQuality"] == "LIVE" and "intelligence" not in answer


def test_the_nowcast_beside_official_inflation_is_told_to_be_a_proxy(ran: Ran, ask: Ask) -> None:
    ran()
    usd_health = ask("reliability")["usdHealth"]
    blocks = {name: one["proxy"] for name, one in usd_health.items()
              if isinstance(one, dict) and "proxy" in one}  # fmt: skip
    assert blocks.pop("truflationVsBls") is True
    assert len(blocks) == 6 and not any(blocks.values())


def test_contributions_sum_to_the_score_that_is_told(ran: Ran, ask: Ask) -> None:
    ran(us__epu="372.12", us__nfci="0.123")
    stability = ask("reliability")["stability"]
    shares = [Decimal(str(layer["contribution"])) for layer in stability["layers"]]
    assert sum(shares) == Decimal(str(stability["currentScore"])) and len(shares) == 9


@pytest.mark.parametrize(
    ("price", "status", "healthy", "code"),
    [("0.9950001", "STABLE", True, "REL-STABLE"), ("0.995", "UNSTABLE", False, "REL-PEG"),
     ("1.005", "UNSTABLE", False, "REL-PEG"), ("1.0049999", "STABLE", True, "REL-STABLE")],
)  # fmt: skip
def test_fifty_basis_points_off_the_peg_halt(
    ran: Ran, ask: Ask, price: str, status: str, healthy: bool, code: str
) -> None:
    ran(stable__usdc__price=price)
    answer = ask("reliability")
    assert (answer["status"], answer["isHealthy"]) == (status, healthy)
    assert answer["decidedBy"]["code"] == code and answer["peg"]["alert"] is not healthy


def _scored(ran: Ran, monkeypatch: Any, points: str) -> None:
    """Make a run whose score is set: the rules have no day for each one."""
    monkeypatch.setattr(
        "apps.insight.stability.oracle.rules.layers.sum_contributions",
        lambda counted: int(Decimal(points) * 10**7),
    )
    ran()


@pytest.mark.parametrize(
    ("points", "status", "code"),
    [("90", "STABLE", "REL-STABLE"), ("89.9999999", "CAUTION", "REL-CAUTION"),
     ("75", "CAUTION", "REL-CAUTION"), ("74.9999999", "UNSTABLE", "REL-DEFER")],
)  # fmt: skip
def test_what_a_score_means(
    ran: Ran, ask: Ask, monkeypatch: Any, points: str, status: str, code: str
) -> None:
    _scored(ran, monkeypatch, points)
    answer = ask("reliability")
    assert (answer["status"], answer["decidedBy"]["code"]) == (status, code)
    assert answer["isHealthy"] is (status == "STABLE")
    assert Decimal(str(answer["stability"]["currentScore"])) == Decimal(points)


@pytest.mark.parametrize(
    ("minutes", "status"), [(0, "STABLE"), (20, "STABLE"), (20.1, "CAUTION"), (30, "CAUTION")]
)
def test_a_run_that_is_late_is_never_stable(
    ran: Ran, ask: Ask, minutes: float, status: str
) -> None:
    ran()
    answer = ask("reliability", NOON + timedelta(minutes=minutes))
    assert (answer["status"], answer["isHealthy"]) == (status, status == "STABLE")


def test_out_of_the_bundled_sample_the_table_decides_and_the_answer_says_so(
    sample: None, ask: Ask
) -> None:
    record_run(now=NOON)
    latest_run.forget_latest_run()
    answer = ask("reliability")
    assert answer["decidedBy"]["action"].endswith(": demonstration figures")
    assert answer["dataQuality"] == "ESTIMATED" and "sample" in answer["reasons"]
    assert ask("api/status")["status"] == ask("api/history")[0]["status"] == answer["status"]


def test_each_publisher_is_told_with_its_terms(sample: None, ask: Ask) -> None:
    record_run(now=NOON)
    latest_run.forget_latest_run()
    told = ask("reliability")
    named = {source["source"] for source in told["sources"]}
    assert all("(bundled sample, " in source["licence"] for source in told["sources"])
    assert named == {"SAMPLE", "SAMPLE+INVENTED"}
    parts = {part for layer in told["stability"]["layers"] for part in layer["source"].split("+")}
    assert parts == {"SAMPLE", "INVENTED"}


def test_of_measured_figures_nothing_is_said_of_a_demonstration(ran: Ran, ask: Ask) -> None:
    ran()
    assert "demonstration" not in str(ask("reliability"))


@pytest.mark.parametrize("path", ["reliability", "api/status"])
def test_a_run_that_is_too_old_is_no_answer(ran: Ran, ask: Ask, path: str) -> None:
    ran()
    refused = ask(path, NOON + timedelta(minutes=30, seconds=1), status=503)
    assert refused.json()["code"] == "oracle_stale" and int(refused["Retry-After"]) > 0


@pytest.mark.parametrize("path", ["reliability", "api/status"])
def test_before_the_first_run_there_is_no_answer(ask: Ask, path: str) -> None:
    refused = ask(path, status=503)
    assert refused.json()["code"] == "oracle_unavailable" and int(refused["Retry-After"]) > 0
    assert ask("api/history") == []


@pytest.mark.parametrize("path", ["reliability", "api/status"])
def test_a_run_that_could_not_compute_is_no_number_though_there_is_an_older_one(
    ran: Ran, ask: Ask, path: str
) -> None:
    ran()
    later = NOON + timedelta(days=3)  # the prices are too old then
    record_run(now=later)
    latest_run.forget_latest_run()
    refused = ask(path, later + timedelta(minutes=4), status=503)
    assert refused.json()["code"] == "oracle_unavailable"
    assert "is too old" in refused.json()["detail"] and refused["Retry-After"] == "360"
    history = ask("api/history", later)
    assert [one["status"] for one in history] == ["UNAVAILABLE", "STABLE"]
    assert history[0]["score"] is None


def test_a_run_that_is_not_as_it_was_written_is_no_answer(ran: Ran, ask: Ask) -> None:
    run = ran()
    run.pk, run.slot, run.run_id = None, run.slot + 1, uuid.uuid4()
    run.score = 100 * 10**7
    run.save(force_insert=True)  # a row that somebody put there, with the MAC of another
    latest_run.forget_latest_run()
    refused = ask("reliability", status=503)
    assert refused.json()["code"] == "oracle_unavailable"
    assert len(ask("api/history")) == 1
    oracle = check_oracle(NOON)
    assert (oracle["status"], oracle["answers"]) == ("degraded", False)
    assert "failed its integrity check" in " ".join(WORDS.speak(oracle))


def test_the_health_of_the_dollar_has_every_field(ran: Ran, ask: Ask) -> None:
    ran()
    usd = ask("reliability")["usdHealth"]
    assert len(usd["signals"]) == 12 and usd["score"] > 95
    assert (usd["structuralOutlook"], usd["usdStrengthConsensus"]) == ("STABLE", "NEUTRAL")
    assert usd["confidenceInOfficialData"] == "HIGH"
    assert usd["tradeWeightedUsd"]["currencies"] == 26
    assert usd["yieldCurve"]["state"] == "NORMAL" and not usd["yieldCurve"]["recessionSignal"]
    assert usd["breakevenInflation"]["elevated"] is False
    assert usd["fedBalanceSheet"]["trend"] == "STABLE"
    assert usd["gold"]["debasementSignal"] is False
    assert Decimal(str(usd["stablecoinHealth"]["dominanceRatio"])) == Decimal("0.72")
    assert usd["truflationVsBls"]["divergenceFlag"] is False
    for name in ("tradeWeightedUsd", "yieldCurve", "gold"):
        assert usd[name]["source"] == "TEST" and usd[name]["asOf"].startswith("2026-11-20")


def test_what_is_not_known_of_the_dollar_is_null_and_not_left_out(ran: Ran, ask: Ask) -> None:
    ran(without=(series_names.INDEPENDENT,))
    answer = ask("reliability")
    assert answer["usdHealth"]["truflationVsBls"] is None
    assert answer["usdHealth"]["confidenceInOfficialData"] == "MODERATE"
    assert answer["dataQuality"] == "PARTIAL" and series_names.INDEPENDENT in answer["missing"]


def test_what_a_model_made_of_the_run_stands_beside_it(ran: Ran, ask: Ask) -> None:
    run = ran()
    assert "intelligence" not in ask("reliability")
    RunNote.objects.create(
        run=run, reasoning="Calm.", confidence=Decimal("0.8"), alerts=[], outlook="STABLE",
        model="a-model", generated_at=NOON,
    )  # fmt: skip
    latest_run.forget_latest_run()
    intelligence = ask("reliability")["intelligence"]
    assert intelligence["reasoning"] == "Calm." and intelligence["outlook"] == "STABLE"
    record_run(now=NOON + TEN)
    latest_run.forget_latest_run()
    assert "intelligence" not in ask("reliability", NOON + TEN)  # it was of another run


def test_the_status_has_every_input_with_its_origin(ran: Ran, ask: Ask) -> None:
    ran()
    answer = ask("api/status")
    inputs = [one for layer in answer["layers"] for one in layer["inputs"]]
    assert len(inputs) == 31 and all(input_["source"] and input_["asOf"] for input_ in inputs)
    assert all(input_["title"] and input_["method"] and input_["unit"] for input_ in inputs)
    known = {series["series"]: series for series in answer["series"]}
    assert (
        known[series_names.FSI]["source"] == "TEST"
        and known[series_names.FSI]["kind"] == "observed"
    )


def test_a_run_that_a_later_release_wrote_is_told_as_this_one_knows_it(
    ran: Ran, ask: Ask, monkeypatch: Any
) -> None:
    """Hosts are upgraded one after another: the one that runs the job may be ahead."""
    plain = computation.serialize_evidence
    monkeypatch.setattr(
        computation,
        "serialize_evidence",
        lambda found: {name: one | {"later": 1} for name, one in plain(found).items()},
    )
    ran()
    series = ask("api/status")["series"]
    assert series and not any("later" in one for one in series)
    assert all(one["counts"] is True for one in series)


def test_the_history_has_the_last_24_runs(ran: Ran, ask: Ask) -> None:
    ran()
    for number in range(1, 27):
        record_run(now=NOON + number * TEN)
    at = NOON + 26 * TEN
    told = ask("api/history", at)
    assert len(told) == 24 and told[0]["computedAt"].startswith(f"{at:%Y-%m-%dT%H:%M}")
    assert [one["computedAt"] for one in told] == sorted(
        (one["computedAt"] for one in told), reverse=True
    )


def test_a_missed_slot_shows_in_the_uptime_before_the_next_run(ran: Ran, ask: Ask) -> None:
    ran()
    assert ask("reliability", NOON + timedelta(minutes=19))["oracle"]["uptimePct"] == 100
    assert ask("reliability", NOON + timedelta(minutes=20))["oracle"]["uptimePct"] == 50


def feed(name: str) -> Feed:
    return next(one for one in FEEDS if one.name == name)


def told_of(found: list[dict[str, Any]], publisher: str) -> tuple[bool, int]:
    """Return whether the breaker of a publisher is told as open, and its failures."""
    [one] = [one for one in found if one["breaker_name"] == publisher]
    return one["is_open"], one["failure_count"]


def test_the_adaptive_part_tells_weights_and_the_real_breakers(ran: Ran, ask: Ask) -> None:
    ofr, ecb = feed("ofr-fsi"), feed("ecb-rates")
    for _ in range(breaker.OPENS_AFTER):
        breaker.record_failure(Publisher(ofr).name, "no answer", NOON)
    breaker.record_failure(Publisher(ecb).name, "no answer", NOON)
    answer = ask("api/adaptive/status")
    circuit_breakers = answer["circuitBreakers"]
    assert [circuit_breaker["breaker_name"] for circuit_breaker in circuit_breakers] == sorted(
        {one.publisher for one in FEEDS}
    )
    assert told_of(circuit_breakers, ofr.publisher) == (True, 5)
    assert told_of(circuit_breakers, ecb.publisher) == (False, 1)
    assert told_of(circuit_breakers, feed("defillama-stablecoins").publisher) == (False, 0)
    assert (answer["status"], answer["predictions"], answer["weightsVersion"]) == ("ACTIVE", 0, 0)
    assert sum(Decimal(str(weight)) for weight in answer["weights"].values()) == Decimal("0.8")
    assert answer["policy"] == {"confidenceThreshold": Decimal("0.99"), "executed": False}


def test_nobody_is_told_which_hosts_an_operator_asks(ran: Ran, ask: Ask, settings: Any) -> None:
    settings.SIGNALS_FEEDS = ["ofr-fsi=https://mirror.bank.internal:8443/fsi.csv"]
    mirror = Publisher(feed("ofr-fsi")).name
    for name in (mirror, "facilitator pay.bank.internal", "oidc login.bank.internal", "advisory"):
        for _ in range(breaker.OPENS_AFTER):
            breaker.record_failure(name, "no answer", NOON)
    circuit_breakers = ask("api/adaptive/status")["circuitBreakers"]
    assert told_of(circuit_breakers, feed("ofr-fsi").publisher) == (True, 5)
    assert [
        circuit_breaker["breaker_name"]
        for circuit_breaker in circuit_breakers
        if circuit_breaker["is_open"]
    ] == [feed("ofr-fsi").publisher]
    assert "internal" not in str(circuit_breakers) and "mirror" not in str(circuit_breakers)


def test_a_breaker_whose_pause_is_over_is_not_told_as_open(ran: Ran) -> None:
    ecb = feed("ecb-rates")
    for _ in range(breaker.OPENS_AFTER):
        breaker.record_failure(Publisher(ecb).name, "no answer", NOON)
    end = NOON + breaker.pause_after(breaker.OPENS_AFTER)
    found = [
        told_of(adaptive_status.list_breakers(at), ecb.publisher)[0]
        for at in (end - TEN / 600, end)
    ]
    assert found == [True, False]


def test_requests_read_the_last_run_alone(
    ran: Ran, ask: Ask, django_assert_num_queries: Any
) -> None:
    ran()
    ask("reliability")
    with django_assert_num_queries(0):  # within a second of the last look
        ask("reliability")
    latest_run.forget_latest_run()
    with django_assert_num_queries(1):
        ask("reliability")


def test_health_says_whether_the_last_run_is_one_to_answer_from(ran: Ran) -> None:
    assert check_oracle(NOON)["status"] == "degraded"
    ran()
    oracles = [check_oracle(NOON + timedelta(minutes=n)) for n in (20, 21, 30, 31)]
    assert [oracle["status"] for oracle in oracles] == ["ok", "degraded", "degraded", "degraded"]
    assert [oracle["answers"] for oracle in oracles] == [True, True, True, False]
    assert "503" in " ".join(WORDS.speak(oracles[-1])) and "503" not in " ".join(
        WORDS.speak(oracles[0])
    )


def test_each_published_value_is_told_with_the_terms_of_its_publisher(ran: Ran, ask: Ask) -> None:
    ran()
    told = {series["series"]: series for series in ask("api/status")["series"]}
    assert all(one["licence"] for one in told.values())
    assert told["stable.usdt.price"]["licence"].startswith("DefiLlama")
    assert told["us.curve.10y2y"]["licence"] == "US government work, public domain"
