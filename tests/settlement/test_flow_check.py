"""The flow check, as anybody may ask it: document 2 section 2.4."""

import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest

from apps.compliance.aml.models import AmlScreen, WalletProfile
from apps.compliance.payees.selectors import registrations
from apps.compliance.screening.combined import selectors as screen_gather
from apps.compliance.screening.models import Screen
from apps.compliance.screening.rules.screen import judge_screen
from apps.payments.settlement import check_judgements, wallet_fact_cache
from apps.payments.settlement.check_judgements import CheckedWallet, FlowContext, FlowRequest
from apps.payments.settlement.rules.flow import BLOCKED_REASON, CHECKS
from apps.platform.common.clock import now
from apps.reference.signals.exchange_rates import convert_to_usd
from apps.reference.watchlists.engine import ListsUnavailable
from tests.payees.registration.conftest import MICROSOFT, wallet
from tests.settlement.conftest import KNOWN, OFF_PEG

pytestmark = pytest.mark.django_db
Flow = Callable[..., Any]


def outcomes(answer: dict[str, Any]) -> dict[str, str]:
    return {check["name"]: check["outcome"] for check in answer["checks"]}


@pytest.mark.parametrize(("to", "asset", "fx"), [("USD", "USDC", False), ("EUR", "EURC", True)])
def test_it_proceeds_where_every_check_passes(
    known: str, steady: None, flow: Flow, to: str, asset: str, fx: bool
) -> None:
    found = flow(to=to)
    assert found["decision"] == "PROCEED", found
    assert "blockReason" not in found
    assert outcomes(found) == dict.fromkeys(CHECKS, "PASS")
    assert found["route"] == {"asset": asset, "network": "base-mainnet", "fx": fx}


def test_each_check_says_its_rule_its_source_and_when(known: str, steady: None, flow: Flow) -> None:
    found = flow()
    for check in found["checks"]:
        assert check["rule"].startswith("FLOW-") and check["ruleReference"] and check["source"], (
            check
        )
        assert check["checkedAt"] == found["checkedAt"] and check["elapsedMs"] >= 0


def test_nothing_of_an_anonymous_question_is_kept(known: str, flow: Flow) -> None:
    flow(amount="25000")
    assert not WalletProfile.objects.exists()
    assert not AmlScreen.objects.exists() and not Screen.objects.exists()


LISTED = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96"


def test_a_listed_wallet_is_blocked_and_nobody_is_told_by_what(steady: None, flow: Flow) -> None:
    found = flow(recipientAddress=LISTED)
    assert (found["decision"], found["blockReason"]) == ("BLOCKED", BLOCKED_REASON)
    shown = {check["name"]: check for check in found["checks"]}
    aml, sanctions = shown["aml"], shown["sanctions"]
    for told in ("outcome", "rule", "ruleReference", "message", "source"):
        assert aml[told] == sanctions[told]


def test_an_unstable_oracle_holds(known: str, flow: Flow, oracle: Callable[..., None]) -> None:
    oracle(**OFF_PEG)
    found = flow()
    assert found["decision"] == "HOLD" and "UNSTABLE" in found["blockReason"]


def test_without_a_run_of_the_oracle_the_check_did_not_run(sample: Any, flow: Flow) -> None:
    found = flow()
    assert found["decision"] == "HOLD"
    assert outcomes(found)["stability"] == "NOT_RUN" == outcomes(found)["esg"]
    assert found["dataQuality"] == "SAMPLE" and "oracleStatus" not in found


@pytest.mark.parametrize(("amount", "outcome"), [("999.99", "PASS"), ("1000", "HOLD")])
def test_from_1000_usd_on_the_beneficiary_is_known(
    steady: None, flow: Flow, amount: str, outcome: str
) -> None:
    found = flow(amount=amount, recipientAddress=wallet(77))
    assert outcomes(found)["fatf_r16"] == outcome


def test_what_no_stablecoin_is_routed_for_is_held(known: str, flow: Flow) -> None:
    found = flow(to="JPY")
    assert found["decision"] == "HOLD" and "stablecoin" in found["blockReason"]
    assert "route" not in found


def test_a_wallet_of_another_chain_is_not_reached(steady: None, flow: Flow) -> None:
    found = flow(recipientAddress="TJRabPrwbZy45sbavfcjinPJC18kjpRTv8")
    assert outcomes(found)["routing"] == "HOLD"


@pytest.mark.parametrize(
    "change",
    [
        {"amount": "-1"}, {"amount": "0"}, {"amount": "lots"}, {"amount": None},
        {"amount": "1.001"}, {"from": "DOLLARS"}, {"to": "XYZ"}, {"recipientAddress": "nowhere"},
        {"recipientAddress": None}, {"more": "1"},
    ],
)  # fmt: skip
def test_what_is_no_flow_is_refused(sample: Any, flow: Flow, change: dict[str, Any]) -> None:
    flow(status=400, **change)


class TestRemembered:
    """What was looked up of a wallet serves for some seconds, by the same lists."""

    @pytest.fixture(autouse=True)
    def keeps(self, settings: Any) -> Iterator[None]:
        settings.FLOW_CHECK_KEEPS = 5
        wallet_fact_cache.clear_flow_cache()
        yield
        wallet_fact_cache.clear_flow_cache()

    def test_another_amount_is_judged_by_what_is_known(
        self, known: str, steady: None, flow: Flow, django_assert_max_num_queries: Any
    ) -> None:
        first = flow()
        with django_assert_max_num_queries(0):
            again = flow()
        assert (again["decision"], outcomes(again)) == (first["decision"], outcomes(first))

    def test_a_wallet_takes_few_queries_and_one_of_a_known_entity_fewer(
        self, known: str, steady: None, flow: Flow, register: Any, django_assert_num_queries: Any
    ) -> None:
        register(KNOWN + 1, **MICROSOFT)
        register(KNOWN + 2, legalName="Alder Orchards GmbH", country="DE")
        flow(recipientAddress=wallet(77))  # what a process reads once a second is there
        for number, queries in ((KNOWN, 12), (KNOWN + 1, 6), (KNOWN + 2, 4)):
            with django_assert_num_queries(queries):
                flow(recipientAddress=wallet(number))

    def test_it_is_forgotten_in_time(
        self, steady: None, flow: Flow, monkeypatch: pytest.MonkeyPatch, register: Any
    ) -> None:
        assert outcomes(flow(amount="1000"))["fatf_r16"] == "HOLD"
        register(KNOWN, **MICROSOFT)
        assert outcomes(flow(amount="1000"))["fatf_r16"] == "HOLD"
        clock = time.monotonic
        monkeypatch.setattr(wallet_fact_cache.time, "monotonic", lambda: clock() + 5)
        assert outcomes(flow(amount="1000"))["fatf_r16"] == "PASS"

    def test_what_could_not_be_looked_up_is_not_kept(
        self, known: str, steady: None, flow: Flow, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(
                "apps.payments.settlement.check_judgements.gather_entity_score", lambda **_: 1 // 0
            )
            assert outcomes(flow())["esg"] == "NOT_RUN"
        assert outcomes(flow())["esg"] == "PASS"

    @pytest.mark.parametrize("remembered", [False, True])
    def test_without_lists_the_checks_that_need_them_did_not_run(
        self,
        known: str,
        steady: None,
        flow: Flow,
        monkeypatch: pytest.MonkeyPatch,
        remembered: bool,
    ) -> None:
        if remembered:
            assert flow()["decision"] == "PROCEED"

        def refuse(*_: Any, **__: Any) -> Any:
            raise ListsUnavailable("There is no list.")

        monkeypatch.setattr("apps.reference.watchlists.engine.load_current_engine", refuse)
        found = flow()
        assert (found["decision"], outcomes(found)["aml"]) == ("HOLD", "NOT_RUN")
        assert outcomes(found)["sanctions"] == "NOT_RUN"
        assert outcomes(found)["stability"] == "PASS"

    def test_what_is_settled_is_looked_up_anew(
        self, steady: None, flow: Flow, settle: Callable[..., Any], register: Any
    ) -> None:
        assert outcomes(flow(amount="1000"))["fatf_r16"] == "HOLD"
        register(KNOWN, **MICROSOFT)
        assert settle(amount=1000)["status"] == "settled"


@pytest.mark.parametrize("amount", ["1", "999.99", "1000", "9999.99", "10000", "250000"])
def test_a_screen_with_its_amount_put_in_is_the_screen_of_that_amount(
    known: str, amount: str
) -> None:
    at, flow_request = now(), FlowRequest(Decimal(amount), "EUR", "USD", known)
    converted = convert_to_usd(amount=flow_request.amount, currency="EUR", now=at)
    screen = check_judgements.load_sanctions_matches(
        CheckedWallet(known, registrations.load_registration_history(known), at)
    ).screen
    assert screen is not None
    one, two = check_judgements.add_amount_to_screen(
        *screen, FlowContext(flow_request, converted, at)
    )
    whole = screen_gather.gather_screen(asked=one, now=at)
    assert (two.facts, two.converted) == (whole.facts, whole.converted)
    assert judge_screen(two.facts) == judge_screen(whole.facts)
