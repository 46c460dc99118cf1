"""Settles: a settlement is asked for, checked, priced and let go, held or blocked; or sent again.

One that was held is sent again under its reference, and is then checked by what is known then.
"""

import secrets
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction

from apps.payments.settlement import expected_transfer, flow_check, permissions
from apps.payments.settlement.flow_check import FlowCheckResult
from apps.payments.settlement.integrity import load_settlement_by_reference, verify_settlement
from apps.payments.settlement.models import Settlement
from apps.payments.settlement.models.settlements import LONGEST_REASONING
from apps.payments.settlement.notifications import publish_settlement_status
from apps.payments.settlement.payloads import serialize_settlement
from apps.payments.settlement.permissions import SettlementActor
from apps.payments.settlement.requests import SettlementRequest
from apps.payments.settlement.rules import lifecycle, messages
from apps.payments.settlement.rules.flow import CHECKS, FlowJudgement
from apps.payments.settlement.rules.lifecycle import WAITING, CheckResults, Transition
from apps.payments.settlement.services import hold_advice, pricing, recorded_checks, settlement_case
from apps.payments.settlement.services.recorded_checks import (
    PROCEEDING_STATES,
    RecordedChecks,
    build_check_results,
    screen_findings_digest,
)
from apps.payments.settlement.transitions import (
    ConcurrentUpdate,
    record_transition,
    transition_times,
    write_transition_event,
)
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from apps.platform.common.problems import Conflict
from apps.platform.db.compiled_statements import insert_if_absent

LABEL = "SANDBOX-"


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
    """What a settlement rests on: the flow, and what a model says of it."""

    looked: FlowCheckResult
    advice: str


def gather_settlement_inputs(*, asked: SettlementRequest, now: datetime) -> SettlementInputs:
    """Make the checks of the flow; a model may be waited for where CAUTION holds it."""
    looked = flow_check.run_flow_check(asked=asked.flow, now=now)
    return SettlementInputs(looked, hold_advice.request_hold_advice(looked=looked, now=now))


def settle_or_resubmit(
    *, asked: SettlementRequest, gathered: SettlementInputs, caller: Caller, now: datetime
) -> Answer:
    """Settle, or say why not; see SettleOut. 201 for a new one, 200 for one that is there."""
    who = permissions.authorize_settlement(wanted=asked, caller=caller, now=now)
    row = _load_earlier_settlement(who, asked)
    if row is None:
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
    made = recorded_checks.record_checks(row=row, looked=gathered.looked, event="ASKED", now=now)
    checks = _check_results(row, made)
    transition = lifecycle.find_transition("", "ASKED", checks)
    for name, value in _check_columns(row, transition, made, gathered).items():
        setattr(row, name, value)
    for name, value in transition_times(transition, now).items():
        setattr(row, name, value)
    row.state = transition.next
    if transition.next == "HELD":
        _require_mandate(row, gathered.looked, who, now)
    if transition.next == "HELD" and row.reference is None:
        row.reference = row.settlement_id  # by which it is sent again
    if transition.next in PROCEEDING_STATES:
        _price_and_count(row, settlement_request, gathered.looked, who, now)
    if not insert_if_absent(row):
        raise _ReferenceRaced
    write_transition_event(row, transition, now=now, facts=_event_facts(made))
    _write_consequences(row, transition, made, now)
    return row


def _resubmit_settlement(
    row: Settlement,
    settlement_request: SettlementRequest,
    gathered: SettlementInputs,
    who: SettlementActor,
    now: datetime,
) -> Settlement:
    """Check a settlement that waits once more; one that does not wait is answered as it stands.

    So is one that nothing holds but what held it before: its case stays, and the answer tells the
    status of the oracle that holds it now.
    """
    row = verify_settlement(row)
    if row.fingerprint != settlement_request.fingerprint(who.agent_id):
        raise ReferenceTaken(
            f"You already settle something else as {settlement_request.reference!r}: a "
            "different settlement "
            "needs its own reference."
        )
    looked = gathered.looked
    if row.state not in WAITING:
        return row
    seen = _foreseen_check_results(row, looked)
    if (
        lifecycle.find_transition(row.state, "RESUBMITTED", seen).next == row.state
        and not seen.anew
    ):
        return _show_current_hold(row, gathered)
    with transaction.atomic():
        case = settlement_case.lock_open_case(row)  # locked first, as whoever decides it does
        made = recorded_checks.record_checks(row=row, looked=looked, event="RESUBMITTED", now=now)
        checks = _check_results(row, made)
        transition = lifecycle.find_transition(row.state, "RESUBMITTED", checks)
        changes = _check_columns(row, transition, made, gathered)
        if transition.next in PROCEEDING_STATES:
            row.amount_usd = looked.facts.amount_usd
            _price_and_count(row, settlement_request, looked, who, now)
            changes |= {"price": row.price, "amount_usd": row.amount_usd}
        record_transition(
            row, "RESUBMITTED", now=now, checks=checks, facts=_event_facts(made), **changes
        )
        settlement_case.retire_hold_case(case, transition, now=now)
        _write_consequences(row, transition, made, now)
    return row


def _show_current_hold(row: Settlement, gathered: SettlementInputs) -> Settlement:
    """Return a settlement that still waits, told with what is found now; nothing is stored.

    Officers decide what was found as it was held: to send it again takes no case from them.
    """
    looked = gathered.looked
    if looked.oracle.get("status") != row.found.get("oracle", {}).get("status"):
        held_for = _holding_checks(row, looked.judgement)
        told, oracle = looked.shown(looked.judgement), dict(looked.oracle)
        row.found = {**row.found, "told": told, "oracle": oracle}
        row.reasoning = _explain_hold(row, held_for, looked.judgement, gathered)
    return row


def _build_settlement(
    settlement_request: SettlementRequest,
    check_result: FlowCheckResult,
    who: SettlementActor,
    now: datetime,
) -> Settlement:
    """Return the settlement of a request, not yet stored."""
    order = uuid.uuid4()
    flow = settlement_request.flow
    return Settlement(
        settlement_id=f"{LABEL}{secrets.token_hex(32)}"
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


def _check_results(row: Settlement, made: RecordedChecks) -> CheckResults:
    return build_check_results(made.judgement, row, made.findings)


def _foreseen_check_results(row: Settlement, check_result: FlowCheckResult) -> CheckResults:
    """Return what the flow alone would come to: whether it is worth making the checks."""
    return build_check_results(check_result.judgement, row, screen_findings_digest(check_result))


def _check_columns(
    row: Settlement, transition: Transition, made: RecordedChecks, gathered: SettlementInputs
) -> dict[str, Any]:
    """Return the columns that checks bring along."""
    looked, judgement = gathered.looked, made.judgement
    held_for = _holding_checks(row, judgement) if transition.next == "HELD" else row.held_for
    said = {
        "checks": looked.recorded(judgement),
        "told": looked.shown(judgement),
        "decision": judgement.decision,
        "oracle": dict(looked.oracle),
        "records": dict(made.records),
    }
    return {
        "found": said,
        "held_for": held_for,
        "reasoning": _explain_hold(row, held_for, judgement, gathered)
        if transition.next == "HELD"
        else "",
    }


def _holding_checks(row: Settlement, judgement: FlowJudgement) -> list[str]:
    """Return the checks that hold a settlement now, with those that wait for an officer already.

    What the oracle alone held does not: another run of it lets that go.
    """
    waits = set(row.held_for) - {"stability"} if row.state == "HELD" else set()
    return [name for name in CHECKS if name in waits or name in judgement.holding]


def _explain_hold(
    row: Settlement, held_for: Sequence[str], judgement: FlowJudgement, gathered: SettlementInputs
) -> str:
    looked = gathered.looked
    score = looked.oracle.get("score")
    said = messages.explain_hold(
        judgement,
        held_for=held_for,
        sandbox=row.sandbox,
        status=looked.facts.status,
        score=Decimal(score) if score is not None else None,
        usd=looked.facts.amount_usd,
        advice=gathered.advice,
    )
    return said[:LONGEST_REASONING]


def _event_facts(made: RecordedChecks) -> dict[str, Any]:
    """Return what the event of checked settlements keeps besides."""
    return {"records": dict(made.records), "turn": made.judgement.rule.code}


def _require_mandate(
    row: Settlement, check_result: FlowCheckResult, who: SettlementActor, now: datetime
) -> None:
    permissions.require_mandate(
        row=row,
        who=who,
        lei=_beneficiary_lei(check_result),
        esg_score=check_result.esg_score,
        now=now,
    )


def _beneficiary_lei(check_result: FlowCheckResult) -> str:
    """Return the LEI of whoever is paid; an empty text where nobody is registered or known."""
    found = check_result.found.get("sanctions")
    screened = found.screen if found is not None else None
    return screened[0].lei if screened else ""


def _price_and_count(
    row: Settlement,
    settlement_request: SettlementRequest,
    check_result: FlowCheckResult,
    who: SettlementActor,
    now: datetime,
) -> None:
    """Price a settlement that goes, and count it against its agent's mandate."""
    assert check_result.converted is not None  # else a check did not run
    permissions.count_against_mandate(
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
    row.price = dict(priced.said) | {"deadline": deadline}


def _write_consequences(
    row: Settlement, transition: Transition, made: RecordedChecks, now: datetime
) -> None:
    """Write what follows from a turn: the transfer that is expected, a hold's case, the feed."""
    if transition.expects:
        expected_transfer.expect_settlement_transfer(row, now=now)
    if transition.next == "HELD" and not row.sandbox:
        settlement_case.open_hold_case(
            row=row,
            judgement=made.judgement,
            cases=made.cases,
            registered=made.registered,
            now=now,
        )
    publish_settlement_status(row, now=now)
