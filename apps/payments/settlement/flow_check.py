"""The flow check: all checks in parallel, under one deadline, and their combined result."""

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any

from rest_framework.exceptions import ValidationError

from apps.compliance.payees.selectors import registrations
from apps.compliance.screening.combined.known_false_positives import apply_known_false_positives
from apps.compliance.screening.rules.screen import judge_screen
from apps.payments.payments.rules.assets import amount_fault
from apps.payments.settlement import check_judgements, deadline_pool, wallet_fact_cache
from apps.payments.settlement.check_judgements import (
    CheckedWallet,
    CheckResult,
    FlowCheck,
    FlowContext,
    FlowRequest,
)
from apps.payments.settlement.rules.flow import CHECKS, FlowFacts, FlowJudgement, judge_flow
from apps.payments.settlement.rules.payout_stablecoins import NETWORK
from apps.payments.settlement.selectors import market_data
from apps.platform.api.callers import Caller
from apps.platform.common.clock import to_epoch_seconds
from apps.reference.signals.exchange_rates import UsdAmount

logger = logging.getLogger(__name__)
# one deadline for all checks; docs/settlement.md promises it
DEADLINE_SECONDS = 1.5
REGISTRATION = "registration"  # the wallet's registered party, which most checks need


@dataclass(frozen=True, slots=True)
class FlowCheckResult:
    """The results of a flow's checks, and the decision; `took` in seconds."""

    asked: FlowRequest
    facts: FlowFacts
    judgement: FlowJudgement
    found: Mapping[str, CheckResult]
    took: Mapping[str, float]
    converted: UsdAmount | None
    at: datetime

    @property
    def quality(self) -> str:
        """Return the worst quality of the answer's inputs."""
        qualities = [check_result.quality for check_result in self.found.values()]
        if len(self.found) < len(CHECKS):
            qualities.append("PARTIAL")
        if check_judgements.is_sample_rate(self.converted):
            qualities.append("SAMPLE")
        return max(qualities, key=check_judgements.QUALITIES.index)

    @property
    def oracle(self) -> Mapping[str, Any]:
        """Return the status of the stability oracle; empty if it does not answer."""
        stability = self.found.get("stability")
        return {**stability.kept, "status": stability.facts["status"]} if stability else {}

    @property
    def esg_score(self) -> int | None:
        """Return the beneficiary's own score, if one is known."""
        esg = self.found.get("esg")
        return esg.kept.get("score") if esg else None

    def recorded(self, judgement: FlowJudgement) -> dict[str, Any]:
        """Return the judged checks for a record."""
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
        """Return the judged checks for the caller: not which compliance check objects."""
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
    """Parse a request; 400 for an amount that its currency does not have."""
    source, destination = between["from_"], between["to"]
    if fault := amount_fault(amount, source):
        raise ValidationError({"amount": [fault]})
    return FlowRequest(amount, source, destination, recipient_address)


def run_flow_check(*, flow_request: FlowRequest, now: datetime) -> FlowCheckResult:
    """Run all checks in parallel, and judge; nothing is written.

    A check that raises or is late did not run: it holds the settlement.
    """
    ends = time.monotonic() + DEADLINE_SECONDS
    # first the registration, which most checks need, and in parallel what depends on no wallet
    done = deadline_pool.run_tasks(
        _registration_task(flow_request)
        | market_data.market_data_tasks(currency=flow_request.source, now=now),
        ends=ends,
    )
    results, took = _split_results_and_times(done)
    known, looking = _look_up_wallet(
        CheckedWallet(flow_request.recipient, results.pop(REGISTRATION), now), ends
    )
    return _judge_known(flow_request, known, results, took | looking, now)


def run_cached_flow_check(*, asked: FlowRequest, now: datetime) -> FlowCheckResult:
    """Do what `run_flow_check` does, with cached facts about the wallet.

    This is only for requests that do not settle: settlements look everything up.
    """
    ends = time.monotonic() + DEADLINE_SECONDS
    cached, had = market_data.load_cached_market_data(
        asked.recipient, currency=asked.source, now=now
    )
    asks = market_data.market_data_tasks(currency=asked.source, now=now)
    tasks = {name: look for name, look in asks.items() if name not in had}
    done = deadline_pool.run_tasks(
        tasks if cached is not None else _registration_task(asked) | tasks, ends=ends
    )
    results, took = _split_results_and_times(done)
    if cached is None:
        wallet = CheckedWallet(asked.recipient, results.pop(REGISTRATION), now, keeps=True)
        cached, looking = _look_up_wallet(wallet, ends)
        took |= looking
        # a failed look-up is tried again by the next call
        if not any(isinstance(value, Exception) for value in cached.values()):
            wallet_fact_cache.cache_value(asked.recipient, cached, now=now)
    market_data.cache_market_data(results, currency=asked.source, now=now)
    return _judge_known(asked, cached, had | results, took, now)


def _registration_task(flow_request: FlowRequest) -> dict[str, Any]:
    return {REGISTRATION: partial(registrations.load_registration_history, flow_request.recipient)}


def _split_results_and_times(
    done: Mapping[str, tuple[Any, float]],
) -> tuple[dict[str, Any], dict[str, float]]:
    """Return the results, and the duration of each in seconds."""
    results = {name: result for name, (result, _) in done.items()}
    return results, {name: took for name, (_, took) in done.items()}


def _look_up_wallet(wallet: CheckedWallet, ends: float) -> tuple[dict[str, Any], dict[str, float]]:
    """Look up the wallet for each check, with the duration in seconds.

    An exception is the result of a failed look-up.
    """
    here, waits = dict[str, Any](), dict[str, Any]()
    # what only computes runs here: handing it to a thread would cost more than the work
    for name, check in check_judgements.CHECKS.items():
        (waits if check.waits(wallet) else here)[name] = partial(check.look, wallet)
    return _split_results_and_times(
        deadline_pool.run_tasks(waits, ends=ends) | deadline_pool.run_tasks_inline(here)
    )


def _judge_known(
    flow_request: FlowRequest,
    known: Mapping[str, Any],
    cached: Mapping[str, Any],
    took: Mapping[str, float],
    now: datetime,
) -> FlowCheckResult:
    """Judge by the wallet's facts; a check without a result in time did not run."""
    converted = market_data.convert_amount_at_rate(flow_request.amount, cached[market_data.RATE])
    flow = FlowContext(flow_request, converted, now, cached)
    check_results, waited = dict[str, CheckResult](), dict[str, float]()
    for name, check in check_judgements.CHECKS.items():
        waited[name] = took.get(name, 0.0) + took.get(check.figure, 0.0)
        if (check_result := _judge_check(check, flow, known.get(name), waited[name])) is not None:
            check_results[name] = check_result
    facts: dict[str, Any] = {}
    for check_result in check_results.values():
        facts |= check_result.facts
    usd = converted.amount_usd if converted else None
    unrated = cached[market_data.RATE] is None
    whole = FlowFacts(ran=frozenset(check_results), amount_usd=usd, unrated=unrated, **facts)
    return FlowCheckResult(
        flow_request, whole, judge_flow(whole), check_results, waited, converted, now
    )


def _judge_check(
    check: FlowCheck, flow: FlowContext, known: Any, waited: float
) -> CheckResult | None:
    """Return a check's result, None if it could not look up or judge within its seconds.

    The time that it `waited` for its look-up counts; that of other checks does not.
    """
    if isinstance(known, Exception):
        return None
    began = time.monotonic()
    try:
        check_result = check.judge(flow, known)
        return check_result if waited + time.monotonic() - began < DEADLINE_SECONDS else None
    except Exception as error:  # after any exception the check did not run
        logger.warning("a check of a flow did not run: %s", type(error).__name__)
        return None


def answer_flow_check(
    *, asked: FlowRequest, gathered: FlowCheckResult, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return the answer; see FlowOut. Nothing is written."""
    return serialize_flow_check(gathered, now)


def serialize_flow_check(check_result: FlowCheckResult, now: datetime) -> dict[str, Any]:
    """Return a flow as FlowOut has it."""
    judgement, oracle = check_result.judgement, check_result.oracle
    payload: dict[str, Any] = {
        "decision": judgement.decision,
        "checks": [row | {"checked_at": now} for row in check_result.shown(judgement)],
        "data_quality": check_result.quality,
        "checked_at": now,
    }
    if judgement.reason:
        payload["block_reason"] = judgement.reason
    if check_result.converted is not None:
        payload["amount_usd"] = check_result.converted.amount_usd
    if check_result.facts.asset:
        fx = check_result.found["routing"].kept["fx"]
        payload["route"] = {"asset": check_result.facts.asset, "network": NETWORK, "fx": fx}
    if oracle:
        payload |= {"oracle_status": oracle["status"], "oracle_score": Decimal(oracle["score"])}
    return payload


def drop_known_false_positives(
    check_result: FlowCheckResult, *, owner: str, now: datetime
) -> FlowCheckResult:
    """Return a flow without what officers know of a client's party, who is behind the wallet."""
    sanctions = check_result.found.get("sanctions")
    if sanctions is None or sanctions.screen is None:
        return check_result
    screen_request, gathered = sanctions.screen
    left = apply_known_false_positives(
        screen_request=screen_request, gathered=gathered, owner=owner, now=now
    )
    if not left.known:
        return check_result
    # judge again what is left, and replace the screen in facts, record and judgement alike
    judged = judge_screen(left.facts)
    decision = judged.outcome.decision
    record = {
        "riskScore": judged.risk_score,
        "rules": [finding.code for finding in judged.findings],
    }
    again = replace(
        sanctions,
        facts={**sanctions.facts, "screen": decision},
        kept={**sanctions.kept, **record},
        screen=(screen_request, left),
    )
    facts = replace(check_result.facts, screen=decision)
    return replace(
        check_result,
        facts=facts,
        judgement=judge_flow(facts),
        found={**check_result.found, "sanctions": again},
    )
