"""One deadline of 1.5 seconds holds for every check: what did not run by then holds the flow."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from apps.payments.settlement import check_judgements, deadline_pool, flow_check
from apps.payments.settlement.rules.flow import CHECKS
from apps.payments.settlement.selectors import market_data
from tests.settlement.test_flow_check import outcomes

Flow = Callable[..., Any]
FIGURE_OF = {"aml": market_data.WEIGHTS, "stability": market_data.ORACLE}


@pytest.fixture(autouse=True)
def _unhurried() -> None:
    """The deadline is as it is."""


class Clock:
    """A clock that stands, but for what a check takes."""

    def __init__(self) -> None:
        self.at = 1000.0

    def monotonic(self) -> float:
        return self.at

    def perf_counter(self) -> float:
        return self.at


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    for module in (flow_check, deadline_pool):
        monkeypatch.setattr(module, "time", made)
    return made


@pytest.fixture
def slow(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let a check take so many seconds, to look or to judge."""

    def call(name: str, step: str, seconds: float) -> None:
        check = check_judgements.CHECKS[name]
        done = getattr(check, step)

        def takes(*given: Any) -> Any:
            clock.at += seconds
            return done(*given)

        changed = replace(check, **{step: takes})
        monkeypatch.setattr(check_judgements, "CHECKS", {**check_judgements.CHECKS, name: changed})

    return call


def broken(*given: Any, **named: Any) -> Any:
    raise RuntimeError("it broke")


@pytest.mark.django_db
class TestEveryCheck:
    @pytest.mark.parametrize("name", CHECKS)
    @pytest.mark.parametrize("step", ["look", "judge"])
    def test_it_holds_where_it_breaks(
        self, known: str, steady: None, flow: Flow, monkeypatch: pytest.MonkeyPatch,
        name: str, step: str,
    ) -> None:  # fmt: skip
        changed = replace(check_judgements.CHECKS[name], **{step: broken})
        monkeypatch.setattr(check_judgements, "CHECKS", {**check_judgements.CHECKS, name: changed})
        found = flow()
        assert found["decision"] == "HOLD" and outcomes(found)[name] == "NOT_RUN"
        assert [one for one, said in outcomes(found).items() if said != "PASS"] == [name]

    @pytest.mark.parametrize("name", CHECKS)
    @pytest.mark.parametrize("step", ["look", "judge"])
    def test_it_passes_just_before_the_deadline_and_holds_at_it(
        self, known: str, steady: None, flow: Flow, slow: Any, name: str, step: str
    ) -> None:
        slow(name, step, 1.499)
        assert flow()["decision"] == "PROCEED"
        slow(name, step, 0.001)
        found = flow()
        assert found["decision"] == "HOLD" and outcomes(found)[name] == "NOT_RUN"

    @pytest.mark.parametrize("name", CHECKS)
    def test_a_settlement_is_held_where_it_breaks(
        self, known: str, steady: None, settle: Any, monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        changed = replace(check_judgements.CHECKS[name], judge=broken)
        monkeypatch.setattr(check_judgements, "CHECKS", {**check_judgements.CHECKS, name: changed})
        made = settle()
        assert made["status"] == "held" and outcomes(made)[name] == "NOT_RUN"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "lost"),
    [
        (
            "apps.compliance.payees.selectors.registrations.load_registration_history",
            {"aml", "sanctions", "fatf_r16", "esg"},
        ),
        ("apps.compliance.aml.active_weights.load_active_weights", {"aml"}),
        ("apps.insight.stability.oracle.selectors.latest_run.load_latest_run", {"stability"}),
        # a table that is broken tells of nobody: neither check was made with the amount
        ("apps.reference.signals.exchange_rates._load_rate_table", {"aml", "sanctions"}),
    ],
)
class TestWhatTheyRestOn:
    """What several checks rest on is waited for as they are: a fault is no refusal of the flow."""

    def test_it_holds_where_that_breaks(
        self, known: str, steady: None, flow: Flow, monkeypatch: pytest.MonkeyPatch,
        path: str, lost: set[str],
    ) -> None:  # fmt: skip
        monkeypatch.setattr(path, broken)
        found = flow(**{"from": "EUR"})
        assert found["decision"] == "HOLD"
        assert {one for one, said in outcomes(found).items() if said == "NOT_RUN"} == lost

    def test_it_holds_where_that_comes_at_the_deadline(
        self, known: str, steady: None, flow: Flow, clock: Clock, monkeypatch: Any,
        path: str, lost: set[str],
    ) -> None:  # fmt: skip
        def late(*given: Any, **named: Any) -> Any:
            clock.at += 1.5

        monkeypatch.setattr(path, late)
        found = flow(**{"from": "EUR"})
        assert found["decision"] == "HOLD"
        assert lost <= {one for one, said in outcomes(found).items() if said == "NOT_RUN"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "path",
    [
        "apps.compliance.payees.selectors.registrations.load_registration_history",
        "apps.insight.stability.oracle.selectors.latest_run.load_latest_run",
    ],
)
def test_whoever_asks_is_answered_by_the_deadline(
    known: str, steady: None, flow: Flow, settings: Any, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    settings.FLOW_CHECK_THREADS = 3
    deadline_pool.stop_threads()
    monkeypatch.setattr("apps.payments.settlement.flow_check.DEADLINE_SECONDS", 0.5)
    monkeypatch.setattr(path, lambda *given: time.sleep(3))
    began = time.monotonic()
    assert flow()["decision"] == "HOLD"
    assert time.monotonic() - began < 2.5
    deadline_pool.stop_threads()


def test_the_deadline_is_that_of_the_documents() -> None:
    assert flow_check.DEADLINE_SECONDS == 1.5
