"""`dataQuality` of a flow check is the worst quality of what its checks rest on."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from apps.insight.esg.oracle.services import oracle_runs
from apps.insight.stability.models import StabilityRun
from apps.insight.stability.oracle.selectors.latest_run import LatestRun
from apps.payments.payments.selectors import esg_score
from apps.payments.payments.selectors.esg_score import EsgScore
from apps.payments.settlement import check_judgements
from apps.payments.settlement.check_judgements import CheckResult, FlowContext, FlowRequest
from apps.payments.settlement.flow_check import FlowCheckResult
from apps.payments.settlement.rules.flow import CHECKS, FlowFacts, judge_flow
from apps.payments.settlement.selectors import market_data
from apps.platform.common.clock import now
from apps.reference.signals.exchange_rates import UsdAmount
from tests.esg.oracle.sample_runs import TOLD
from tests.payees.registration.conftest import MICROSOFT, wallet
from tests.settlement.conftest import KNOWN

AT = now()
REQUEST = FlowRequest(Decimal(100), "USD", "USD", wallet(KNOWN))
GRADES = [
    ("LIVE", False, "LIVE"),
    ("LIVE", True, "SAMPLE"),
    ("PARTIAL", False, "PARTIAL"),
    ("ESTIMATED", False, "PARTIAL"),
    ("ESTIMATED", True, "SAMPLE"),
]


def concluded(source: str = "USD", **qualities: str | None) -> str:
    """Return the quality of a flow whose checks have these qualities; None did not run."""
    found = {
        name: CheckResult({}, "here", quality)
        for name in CHECKS
        if (quality := qualities.get(name, "LIVE")) is not None
    }
    facts = FlowFacts(ran=frozenset())
    amount = UsdAmount(Decimal(100), Decimal(1), AT.date(), source)
    return FlowCheckResult(REQUEST, facts, judge_flow(facts), found, {}, amount, AT).quality


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("quality", check_judgements.QUALITIES)
def test_one_check_of_a_worse_quality_makes_the_answer_so(name: str, quality: str) -> None:
    assert concluded(**{name: quality}) == quality


@pytest.mark.parametrize("name", CHECKS)
def test_a_check_that_did_not_run_makes_the_answer_partial(name: str) -> None:
    assert concluded(**{name: None}) == "PARTIAL"


def test_sample_data_is_the_worst() -> None:
    assert concluded(source="SAMPLE") == "SAMPLE"
    assert concluded(aml="SAMPLE", esg=None, stability="PARTIAL") == "SAMPLE"


def judged(judge: Callable[..., CheckResult], known: Any = None, **figures: Any) -> str:
    named = {getattr(market_data, name): value for name, value in figures.items()}
    return judge(FlowContext(REQUEST, None, AT, named), known).quality


@pytest.mark.parametrize(("label", "sample", "quality"), GRADES)
def test_stability_has_the_quality_of_its_run(label: str, sample: bool, quality: str) -> None:
    run = StabilityRun(
        slot=1, score=10**6, deviation=0, coverage=10**6, quality=label, sample=sample,
        recorded_at=AT,
    )  # fmt: skip
    assert judged(check_judgements.judge_stability, ORACLE=LatestRun(run, {}, None)) == quality


@pytest.mark.parametrize(("label", "sample", "quality"), GRADES)
def test_esg_has_the_quality_of_the_live_score(label: str, sample: bool, quality: str) -> None:
    score = EsgScore(Decimal(80), 1, label, sample)
    assert judged(check_judgements.judge_esg, LIVE=score) == quality


@pytest.mark.django_db
@pytest.mark.parametrize("reasons", [[], ["proxy:us.cpi"], ["proxy:us.cpi", "sample"]])
def test_a_live_score_says_whether_any_of_it_is_a_sample(reasons: list[str]) -> None:
    first, *others = TOLD["pillars"]
    told = TOLD | {"pillars": [*others, first | {"reasons": reasons}]}
    at = now()
    assert oracle_runs.store_run(payload=told, points=Decimal(80), quality="PARTIAL", now=at)
    esg_score.clear_esg_score_cache()
    score = esg_score.load_live_esg_score(at + timedelta(seconds=1))
    esg_score.clear_esg_score_cache()
    assert (score.quality, score.sample) == ("PARTIAL", "sample" in reasons)


@pytest.mark.parametrize(
    ("label", "quality"),
    [("LIVE", "LIVE"), ("PARTIAL", "PARTIAL"), ("ESTIMATED", "PARTIAL"), ("SAMPLE", "SAMPLE")],
)
def test_esg_has_the_quality_of_an_own_score(
    monkeypatch: pytest.MonkeyPatch, label: str, quality: str
) -> None:
    scored = SimpleNamespace(result={"composite": 80, "data_quality": label})
    monkeypatch.setattr(check_judgements, "gather_entity_score", lambda **_: scored)
    row: Any = SimpleNamespace(lei=MICROSOFT["lei"], legal_name="Microsoft", country="US")
    own = check_judgements._load_own_score(row, AT)
    assert own is not None and judged(check_judgements.judge_esg, own) == quality


def lists(*, sample: bool, lacking: tuple[str, ...]) -> Any:
    return SimpleNamespace(
        sample=sample, lacking=lambda *topics: lacking, list_set=SimpleNamespace(id="a" * 64)
    )


@pytest.mark.parametrize(
    ("sample", "lacking", "quality"),
    [(False, (), "LIVE"), (False, ("No EU list.",), "PARTIAL"), (True, ("No EU list.",), "SAMPLE")],
)
def test_sanctions_have_the_quality_of_the_lists(
    sample: bool, lacking: tuple[str, ...], quality: str
) -> None:
    matches = check_judgements._SanctionsMatches(
        lists(sample=sample, lacking=lacking), listed=False, screen=None
    )
    assert judged(check_judgements.judge_sanctions, matches) == quality
