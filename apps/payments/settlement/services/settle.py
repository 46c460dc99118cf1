"""Settle: a request is checked, priced and released, held or blocked; or resubmitted.

A held settlement is resubmitted under its reference, and then checked with current data.
"""

import secrets
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction

from apps.payments.payments.rails.sandbox import SANDBOX_PREFIX
from apps.payments.settlement import expected_transfer, flow_check, settlement_authorization
from apps.payments.settlement.flow_check import FlowCheckResult
from apps.payments.settlement.integrity import load_settlement_by_reference, verify_settlement
from apps.payments.settlement.models import Settlement
from apps.payments.settlement.models.settlements import LONGEST_REASONING
from apps.payments.settlement.notifications import publish_settlement_status
from apps.payments.settlement.presenters import serialize_settlement
from apps.payments.settlement.record_transition import (
    record_transition,
    transition_times,
    write_transition_event,
)
from apps.payments.settlement.requests import SettlementRequest
from apps.payments.settlement.rules import status_notes, transitions
from apps.payments.settlement.rules.flow import CHECKS, FlowJudgement
from apps.payments.settlement.rules.transitions import WAITING, CheckResults, Transition
from apps.payments.settlement.services import (
    agent_mandates,
    hold_opinion,
    pricing,
    recorded_checks,
    settlement_case,
)
from apps.payments.settlement.services.recorded_checks import (
    PROCEEDING_STATES,
    RecordedChecks,
    build_check_results,
    screen_findings_digest,
)
from apps.payments.settlement.settlement_authorization import SettlementActor
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from apps.platform.common.problems import Conflict
from apps.platform.db.compiled_statements import insert_if_absent
from apps.platform.ledger.recorded_transitions import ConcurrentUpdate


class ReferenceTaken(Conflict):
    """Another settlement of this caller has the reference, with a different request."""

    code, title = "reference_taken", "Reference already used for another settlement"


class SettlementInProgress(Conflict):
    """Another call is settling under the same reference at this moment."""

    code, title = "settlement_in_progress", "Settlement in progress"


class _ReferenceRaced(Exception):
    """Another call made a settlement of this reference in the same moment."""


@dataclass(frozen=True, slots=True)
class SettlementInputs:
    """The inputs of a settlement: the flow, and a model's opinion on it."""

    looked: FlowCheckResult
    advice: str


def gather_settlement_inputs(*, asked: SettlementRequest, now: datetime) -> SettlementInputs:
    """Run the checks of the flow; may wait for a model if CAUTION holds it."""
    check_result = flow_check.run_flow_check(flow_request=asked.flow, now=now)
    return SettlementInputs(
        check_result, hold_opinion.request_hold_advice(check_result=check_result, now=now)
    )


def settle_or_resubmit(
    *, asked: SettlementRequest, gathered: SettlementInputs, caller: Caller, now: datetime
) -> Answer:
    """Settle, or say why not; see SettleOut. 201 for a new one, 200 for an existing one."""
    who = settlement_authorization.authorize_settlement(wanted=asked, caller=caller, now=now)
    row = _load_earlier_settlement(who, asked)
    if row is None:
        # an inner transaction: when the insert loses the race, all that it wrote is rolled back
        # (quote, mandate, profiles), and the winner's settlement is answered
        try:
            with transaction.atomic():
                return Answer(
                    serialize_settlement(_create_settlement(asked, gathered, who, now), now),
                    status=201,
                )
        except _ReferenceRaced:
            row = _load_earlier_settlement(who, asked)
    if row is None:
        raise SettlementInProgress("Another call of yours is settling at this moment. Try again.")
    try:
        return Answer(
            serialize_settlement(_resubmit_settlement(row, asked, gathered, who, now), now),
            status=200,
        )
    except ConcurrentUpdate:
        raise SettlementInProgress(
            "Another call of yours is settling at this moment. Try again."
        ) from None


def _load_earlier_settlement(
    who: SettlementActor, settlement_request: SettlementRequest
) -> Settlement | None:
    return (
        load_settlement_by_reference(owner=who.owner, reference=settlement_request.reference)
        if settlement_request.reference
        else None
    )


def _create_settlement(
    settlement_request: SettlementRequest,
    gathered: SettlementInputs,
    who: SettlementActor,
    now: datetime,
) -> Settlement:
    row = _build_settlement(settlement_request, gathered.looked, who, now)
    recorded = recorded_checks.record_checks(
        row=row, check_result=gathered.looked, event="ASKED", now=now
    )
    checks = _check_results(row, recorded)
    transition = transitions.find_transition("", "ASKED", checks)
    for name, value in _check_columns(row, transition, recorded, gathered).items():
        setattr(row, name, value)
    for name, value in transition_times(transition, now).items():
        setattr(row, name, value)
    row.state = transition.next
    # a settlement that goes is counted below; one that waits must be within the mandate as well,
    # so that officers are not asked about what the agent's owner does not allow
    if transition.next == "HELD":
        agent_mandates.require_mandate(
            row=row,
            who=who,
            lei=_beneficiary_lei(gathered.looked),
            esg_score=gathered.looked.esg_score,
            now=now,
        )
    # document 2 section 3: a held settlement is resubmitted under its reference
    if transition.next == "HELD" and row.reference is None:
        row.reference = row.settlement_id
    if transition.next in PROCEEDING_STATES:
        _price_and_count(row, settlement_request, gathered.looked, who, now)
    if not insert_if_absent(row):
        raise _ReferenceRaced
    write_transition_event(row, transition, now=now, facts=_event_facts(recorded))
    _write_consequences(row, transition, recorded, now)
    return row


def _resubmit_settlement(
    row: Settlement,
    settlement_request: SettlementRequest,
    gathered: SettlementInputs,
    who: SettlementActor,
    now: datetime,
) -> Settlement:
    """Check a waiting settlement again; one that does not wait is answered in its current state.

    So is one with the same holds as before: its case stays, and the answer has the current status
    of the oracle.
    """
    row = verify_settlement(row)
    if row.fingerprint != settlement_request.fingerprint(who.agent_id):
        raise ReferenceTaken(
            f"You already settle something else as {settlement_request.reference!r}: a "
            "different settlement needs its own reference."
        )
    check_result = gathered.looked
    if row.state not in WAITING:
        return row
    # The recorded checks run again only if they would change something: a caller that polls a held
    # settlement must not add to the profiles of both wallets with each call.
    seen = build_check_results(check_result.judgement, row, screen_findings_digest(check_result))
    if (
        transitions.find_transition(row.state, "RESUBMITTED", seen).next == row.state
        and not seen.anew
    ):
        return _show_current_hold(row, gathered)
    with transaction.atomic():
        # locked first, as the deciding officer's request does: the other order would deadlock
        case = settlement_case.lock_open_case(row)
        recorded = recorded_checks.record_checks(
            row=row, check_result=check_result, event="RESUBMITTED", now=now
        )
        checks = _check_results(row, recorded)
        transition = transitions.find_transition(row.state, "RESUBMITTED", checks)
        changes = _check_columns(row, transition, recorded, gathered)
        if transition.next in PROCEEDING_STATES:
            row.amount_usd = check_result.facts.amount_usd
            _price_and_count(row, settlement_request, check_result, who, now)
            changes |= {"price": row.price, "amount_usd": row.amount_usd}
        record_transition(
            row, "RESUBMITTED", now=now, checks=checks, facts=_event_facts(recorded), **changes
        )
        settlement_case.retire_hold_case(case, transition, now=now)
        _write_consequences(row, transition, recorded, now)
    return row


def _show_current_hold(row: Settlement, gathered: SettlementInputs) -> Settlement:
    """Return a settlement that still waits, with the current findings; nothing is stored."""
    check_result = gathered.looked
    # on the object alone: officers decide on the stored findings, those of the hold
    if check_result.oracle.get("status") != row.found.get("oracle", {}).get("status"):
        held_for = _holding_checks(row, check_result.judgement)
        shown_checks, oracle = check_result.shown(check_result.judgement), dict(check_result.oracle)
        row.found = {**row.found, "told": shown_checks, "oracle": oracle}
        row.reasoning = _explain_hold(row, held_for, check_result.judgement, gathered)
    return row


def _build_settlement(
    settlement_request: SettlementRequest,
    check_result: FlowCheckResult,
    who: SettlementActor,
    now: datetime,
) -> Settlement:
    """Return the unsaved settlement of a request."""
    order = uuid.uuid4()
    flow = settlement_request.flow
    return Settlement(
        # as long as a transaction hash, which it would be in production (document 2 section 2.4);
        # whoever knows a rehearsal's id may read it, so that it must not be guessable
        settlement_id=f"{SANDBOX_PREFIX}{secrets.token_hex(32)}"
        if settlement_request.sandbox
        else str(order),
        order_id=order,
        owner=who.owner,
        reference=settlement_request.reference or None,
        fingerprint=settlement_request.fingerprint(who.agent_id),
        sandbox=settlement_request.sandbox,
        steps=1,
        amount=flow.amount,
        source=flow.source,
        destination=flow.destination,
        asset=settlement_request.route.asset,
        recipient=flow.recipient,
        sender=who.sender,
        amount_usd=check_result.facts.amount_usd,
        agent_id=who.agent_id,
        asked_at=now,
    )


def _check_results(row: Settlement, recorded: RecordedChecks) -> CheckResults:
    return build_check_results(recorded.judgement, row, recorded.findings)


def _check_columns(
    row: Settlement, transition: Transition, recorded: RecordedChecks, gathered: SettlementInputs
) -> dict[str, Any]:
    """Return the columns that checks set."""
    check_result, judgement = gathered.looked, recorded.judgement
    held_for = _holding_checks(row, judgement) if transition.next == "HELD" else row.held_for
    check_record = {
        "checks": check_result.recorded(judgement),
        "told": check_result.shown(judgement),
        "decision": judgement.decision,
        "oracle": dict(check_result.oracle),
        "records": dict(recorded.records),
    }
    return {
        "found": check_record,
        "held_for": held_for,
        "reasoning": _explain_hold(row, held_for, judgement, gathered)
        if transition.next == "HELD"
        else "",
    }


def _holding_checks(row: Settlement, judgement: FlowJudgement) -> list[str]:
    """Return the checks that hold a settlement now, with those that already wait for an officer."""
    # a hold by the oracle does not wait for an officer: its next run may release the settlement
    waits = set(row.held_for) - {"stability"} if row.state == "HELD" else set()
    return [name for name in CHECKS if name in waits or name in judgement.holding]


def _explain_hold(
    row: Settlement, held_for: Sequence[str], judgement: FlowJudgement, gathered: SettlementInputs
) -> str:
    check_result = gathered.looked
    score = check_result.oracle.get("score")
    hold = status_notes.explain_hold(
        judgement,
        held_for=held_for,
        sandbox=row.sandbox,
        status=check_result.facts.status,
        score=Decimal(score) if score is not None else None,
        usd=check_result.facts.amount_usd,
        advice=gathered.advice,
    )
    return hold[:LONGEST_REASONING]


def _event_facts(recorded: RecordedChecks) -> dict[str, Any]:
    """Return further data for the event of checked settlements."""
    return {"records": dict(recorded.records), "turn": recorded.judgement.rule.code}


def _beneficiary_lei(check_result: FlowCheckResult) -> str:
    """Return the recipient's LEI; an empty text if no recipient is registered or known."""
    sanctions = check_result.found.get("sanctions")
    screened = sanctions.screen if sanctions is not None else None
    return screened[0].lei if screened else ""


def _price_and_count(
    row: Settlement,
    settlement_request: SettlementRequest,
    check_result: FlowCheckResult,
    who: SettlementActor,
    now: datetime,
) -> None:
    """Price a settlement that goes, and count it against its agent's mandate."""
    # without a rate the AML check did not run, and the settlement is held
    assert check_result.converted is not None
    agent_mandates.count_against_mandate(
        row=row,
        who=who,
        lei=_beneficiary_lei(check_result),
        esg_score=check_result.esg_score,
        now=now,
    )
    priced = pricing.take_quote(
        amount=row.amount,
        converted=check_result.converted,
        route=settlement_request.route,
        owner=row.owner,
        by=f"settlement:{row.settlement_id}"[:100],
        sandbox=row.sandbox,
        now=now,
        quote_id=settlement_request.quote_id,
    )
    deadline = expected_transfer.execution_deadline(now).isoformat()
    row.price = dict(priced.price) | {"deadline": deadline}


def _write_consequences(
    row: Settlement, transition: Transition, recorded: RecordedChecks, now: datetime
) -> None:
    """Write a transition's consequences: the expected transfer, a hold's case, the feed."""
    if transition.expects:
        expected_transfer.expect_settlement_transfer(row, now=now)
    if transition.next == "HELD" and not row.sandbox:
        settlement_case.open_hold_case(
            row=row,
            judgement=recorded.judgement,
            cases=recorded.cases,
            registered=recorded.registered,
            now=now,
        )
    publish_settlement_status(row, now=now)
