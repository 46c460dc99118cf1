"""The flow check: every check side by side, under one deadline, and what they come to."""

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any

from rest_framework.exceptions import ValidationError

from apps.compliance.payees.selectors import registrations
from apps.payments.payments.rules.assets import amount_fault
from apps.payments.settlement import checks, deadline_pool, flow_cache
from apps.payments.settlement.checks import (
    CheckedWallet,
    CheckResult,
    FlowCheck,
    FlowContext,
    FlowRequest,
)
from apps.payments.settlement.rules.flow import CHECKS, FlowFacts, FlowJudgement, judge_flow
from apps.payments.settlement.rules.routes import NETWORK
from apps.payments.settlement.selectors import market_data
from apps.platform.api.callers import Caller
from apps.platform.api.shapes import to_epoch_seconds
from apps.reference.signals.exchange_rates import UsdAmount

logger = logging.getLogger(__name__)
DEADLINE_SECONDS = 1.5  # one deadline for all checks
REGISTRATION = "registration"  # who is registered for the wallet: most checks need it


@dataclass(frozen=True, slots=True)
class FlowCheckResult:
    """What the checks of a flow found, and what follows; `took` in seconds."""

    asked: FlowRequest
    facts: FlowFacts
    judgement: FlowJudgement
    found: Mapping[str, CheckResult]
    took: Mapping[str, float]
    converted: UsdAmount | None
    at: datetime

    @property
    def quality(self) -> str:
        """Return the worst quality of what the answer rests on."""
        if len(self.found) < len(CHECKS):
            return "PARTIAL"
        sample = any(one.sample for one in self.found.values())
        return "SAMPLE" if sample or checks.is_sample_rate(self.converted) else "LIVE"

    @property
    def oracle(self) -> Mapping[str, Any]:
        """Return how the stability oracle stands; empty where it does not answer."""
        one = self.found.get("stability")
        return {**one.kept, "status": one.facts["status"]} if one else {}

    @property
    def esg_score(self) -> int | None:
        """Return the beneficiary's own score, where one is known."""
        one = self.found.get("esg")
        return one.kept.get("score") if one else None

    def recorded(self, judgement: FlowJudgement) -> dict[str, Any]:
        """Return the checks as a record keeps them, judged so."""
        return {
            name: {
                "outcome": judgement.rows[name].outcome,
                "rule": judgement.rows[name].code,
                "source": self.found[name].source if name in self.found else "",
                "kept": dict(self.found[name].kept) if name in self.found else {},
            }
            for name in CHECKS
        }

    def shown(self, judgement: FlowJudgement) -> list[dict[str, Any]]:
        """Return the checks as they are told, judged so: not which compliance check is against."""
        return [self._shown(judgement, name) for name in CHECKS]

    def _shown(self, judgement: FlowJudgement, name: str) -> dict[str, Any]:
        row = judgement.shown(name)
        untold = row is judgement.untold
        known = None if untold else self.found.get(name)
        closed = "compliance checks" if untold else "nothing: it did not run"
        return {
            "name": name,
            "outcome": row.outcome,
            "rule": row.code,
            "rule_reference": row.ref,
            "message": row.says,
            "source": known.source if known else closed,
            "checked_at": to_epoch_seconds(self.at),
            "elapsed_ms": int(self.took.get(name, 0.0) * 1000),
        }


def parse_flow_request(*, amount: Decimal, recipient_address: str, **between: str) -> FlowRequest:
    """Return what a request asks for; 400 for an amount that its currency does not have."""
    source, destination = between["from_"], between["to"]
    if fault := amount_fault(amount, source):
        raise ValidationError({"amount": [fault]})
    return FlowRequest(amount, source, destination, recipient_address)


def run_flow_check(*, asked: FlowRequest, now: datetime) -> FlowCheckResult:
    """Make every check side by side, and judge; nothing is written.

    A check that raises or is late did not run: it holds the settlement.
    """
    ends = time.monotonic() + DEADLINE_SECONDS
    done = deadline_pool.run_tasks(
        _registration_task(asked) | market_data.market_data_tasks(currency=asked.source, now=now),
        ends=ends,
    )
    found, took = _split_results_and_times(done)
    known, looking = _look_up_wallet(
        CheckedWallet(asked.recipient, found.pop(REGISTRATION), now), ends
    )
    return _judge_known(asked, known, found, took | looking, now)


def run_cached_flow_check(*, asked: FlowRequest, now: datetime) -> FlowCheckResult:
    """Do what `run_flow_check` does, by what is known of the wallet for some seconds.

    For who only asks: what is settled is looked up anew.
    """
    ends = time.monotonic() + DEADLINE_SECONDS
    held, had = market_data.load_cached_market_data(asked.recipient, currency=asked.source, now=now)
    asks = market_data.market_data_tasks(currency=asked.source, now=now)
    tasks = {name: look for name, look in asks.items() if name not in had}
    done = deadline_pool.run_tasks(
        tasks if held is not None else _registration_task(asked) | tasks, ends=ends
    )
    found, took = _split_results_and_times(done)
    if held is None:
        wallet = CheckedWallet(asked.recipient, found.pop(REGISTRATION), now, keeps=True)
        held, looking = _look_up_wallet(wallet, ends)
        took |= looking
        if not any(isinstance(one, Exception) for one in held.values()):
            flow_cache.cache_value(asked.recipient, held, now=now)
    market_data.cache_market_data(found, currency=asked.source, now=now)
    return _judge_known(asked, held, had | found, took, now)


def _registration_task(flow_request: FlowRequest) -> dict[str, Any]:
    return {REGISTRATION: partial(registrations.load_registration_history, flow_request.recipient)}


def _split_results_and_times(
    done: Mapping[str, tuple[Any, float]],
) -> tuple[dict[str, Any], dict[str, float]]:
    """Return what was found, and how long each took in seconds."""
    found = {name: one for name, (one, _) in done.items()}
    return found, {name: took for name, (_, took) in done.items()}


def _look_up_wallet(wallet: CheckedWallet, ends: float) -> tuple[dict[str, Any], dict[str, float]]:
    """Look up what is known of a wallet, check by check, with how long each took in seconds.

    What was raised stands for a check that could not look.
    """
    here, waits = dict[str, Any](), dict[str, Any]()
    for name, check in checks.CHECKS.items():
        (waits if check.waits(wallet) else here)[name] = partial(check.look, wallet)
    return _split_results_and_times(
        deadline_pool.run_tasks(waits, ends=ends) | deadline_pool.run_tasks_inline(here)
    )


def _judge_known(
    flow_request: FlowRequest,
    known: Mapping[str, Any],
    held: Mapping[str, Any],
    took: Mapping[str, float],
    now: datetime,
) -> FlowCheckResult:
    """Judge by what is known of the wallet; a check that gives no finding in time did not run."""
    converted = market_data.convert_amount_at_rate(flow_request.amount, held[market_data.RATE])
    scene = FlowContext(flow_request, converted, now, held)
    found, waited = dict[str, CheckResult](), dict[str, float]()
    for name, check in checks.CHECKS.items():
        waited[name] = took.get(name, 0.0) + took.get(check.figure, 0.0)
        if (one := _judge_check(check, scene, known.get(name), waited[name])) is not None:
            found[name] = one
    facts: dict[str, Any] = {}
    for one in found.values():
        facts |= one.facts
    usd = converted.amount_usd if converted else None
    unrated = held[market_data.RATE] is None
    whole = FlowFacts(ran=frozenset(found), amount_usd=usd, unrated=unrated, **facts)
    return FlowCheckResult(flow_request, whole, judge_flow(whole), found, waited, converted, now)


def _judge_check(
    check: FlowCheck, scene: FlowContext, known: Any, waited: float
) -> CheckResult | None:
    """Return what a check found, None where it could not look or judge within its seconds.

    What it `waited` for its look counts; what others took does not.
    """
    if isinstance(known, Exception):
        return None
    began = time.monotonic()
    try:
        found = check.judge(scene, known)
        return found if waited + time.monotonic() - began < DEADLINE_SECONDS else None
    except Exception as error:  # whatever went wrong, the check did not run
        logger.warning("a check of a flow did not run: %s", type(error).__name__)
        return None


def answer_flow_check(
    *, asked: FlowRequest, gathered: FlowCheckResult, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return the answer; see FlowOut. Nothing is written."""
    return serialize_flow_check(gathered, now)


def serialize_flow_check(one: FlowCheckResult, now: datetime) -> dict[str, Any]:
    """Return a flow as FlowOut has it."""
    judgement, oracle = one.judgement, one.oracle
    said: dict[str, Any] = {
        "decision": judgement.decision,
        "checks": [row | {"checked_at": now} for row in one.shown(judgement)],
        "data_quality": one.quality,
        "checked_at": now,
    }
    if judgement.reason:
        said["block_reason"] = judgement.reason
    if one.converted is not None:
        said["amount_usd"] = one.converted.amount_usd
    if one.facts.asset:
        fx = one.found["routing"].kept["fx"]
        said["route"] = {"asset": one.facts.asset, "network": NETWORK, "fx": fx}
    if oracle:
        said |= {"oracle_status": oracle["status"], "oracle_score": Decimal(oracle["score"])}
    return said
