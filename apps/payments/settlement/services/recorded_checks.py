"""The checks of a settlement in production, which are recorded: AML screen and combined screen.

What a flow check only looks at is here a payment of an institution: its behaviour is counted, its
records are sealed, and what is flagged or blocked leaves a case or an entry of the SAR log.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from apps.access.keys.models import KeyKind
from apps.access.keys.tenants import build_hidden_owner
from apps.backoffice.review.services import CaseOpening
from apps.backoffice.review.services.case_creation import CaseOpener
from apps.compliance.aml.active_weights import load_active_weights
from apps.compliance.aml.screening import requests as aml_asked
from apps.compliance.aml.screening import services as aml_conclude
from apps.compliance.aml.screening.selectors import AmlScreenInputs, build_payment
from apps.compliance.aml.screening.wallet_sanctions import screen_wallets
from apps.compliance.screening.combined import requests as screen_asked
from apps.compliance.screening.combined import selectors as screen_gather
from apps.compliance.screening.combined import services as screen_conclude
from apps.payments.settlement.flow_check import FlowCheckResult
from apps.payments.settlement.models import Settlement
from apps.payments.settlement.rules import lifecycle
from apps.payments.settlement.rules.flow import FlowFacts, FlowJudgement, judge_flow
from apps.payments.settlement.rules.lifecycle import CheckResults
from apps.platform.api.callers import Caller
from apps.platform.common.problems import Unavailable
from apps.reference.watchlists import engine as engines

Screen = tuple[screen_asked.ScreenRequest, screen_gather.ScreenInputs]
PROCEEDING_STATES = ("AWAITING_SETTLEMENT", "SETTLED")


@dataclass(frozen=True, slots=True)
class RecordedChecks:
    """What the checks came to: the facts, their records, and what officers are to look at.

    `registered` is the name behind the recipient's wallet, `findings` a digest of what its screen
    found (findings_of).
    """

    facts: FlowFacts
    records: Mapping[str, Any]
    cases: tuple[CaseOpening, ...] = ()
    registered: str = ""
    findings: str = ""

    @property
    def judgement(self) -> FlowJudgement:
        """What follows."""
        return judge_flow(self.facts)


def record_checks(
    *, row: Settlement, looked: FlowCheckResult, event: str, now: datetime
) -> RecordedChecks:
    """Make the checks of a settlement; those of a rehearsal are what the flow found.

    `event` is the one that they decide (rules/lifecycle.py): what does not go by it enters no
    profile, and is counted once it goes.

    Call it inside a transaction: the AML screen locks the profiles of both wallets. A check that
    cannot be made did not run, and holds the settlement.
    """
    findings = screen_findings_digest(looked)
    if row.sandbox:
        return RecordedChecks(looked.facts, {}, findings=findings)
    cases: list[CaseOpening] = []

    def opens(*, opening: CaseOpening, now: datetime) -> None:
        cases.append(opening)

    facts, records = looked.facts, dict[str, Any]()
    screened = looked.found["sanctions"].screen if "sanctions" in looked.found else None
    registered = screened[0].name if screened is not None else ""
    if screened is not None:
        records["screens"] = [_record_screen(row, screened, opens, now)]
        facts = replace(facts, screen=records["screens"][0]["decision"])
    try:
        aml = _gather_aml_screen(row, looked, now)
    except Unavailable:
        facts = replace(facts, ran=facts.ran - {"aml"})
        return RecordedChecks(facts, records, tuple(cases), registered, findings)
    said = aml_conclude.conclude_aml_screen(
        asked=aml[0],
        gathered=aml[1],
        caller=Caller(ref=row.owner, kind=KeyKind.INSTITUTION),
        now=now,
        opens=opens,
        stopped=not _is_let_go(row, event, facts, "PROCEED", findings),
        holds=not _is_let_go(row, event, facts, "FLAG", findings),
        named=registered or row.recipient,
    )
    records["aml"] = {"screenId": str(said["screenId"]), "action": said["action"]}
    facts = replace(facts, ran=facts.ran | {"aml"}, aml=said["action"])
    return RecordedChecks(facts, records, tuple(cases), registered, findings)


def _record_screen(
    row: Settlement, screened: Screen, opens: CaseOpener, now: datetime
) -> dict[str, str]:
    """Write the record of the combined screen of who is registered for the wallet."""
    asked, gathered = screened
    said = screen_conclude.conclude_screen(
        asked=replace(asked, reference=row.settlement_id[:36]),
        gathered=gathered,
        caller=Caller(ref=build_hidden_owner(row.owner), kind=KeyKind.INTERNAL),
        now=now,
        opens=opens,
    )
    return {"screenId": str(said["screenId"]), "decision": said["decision"]}


def _is_let_go(row: Settlement, event: str, facts: FlowFacts, action: str, findings: str) -> bool:
    """Tell whether a settlement goes by an event, should the AML screen come to an action."""
    judgement = judge_flow(replace(facts, ran=facts.ran | {"aml"}, aml=action))
    return (
        lifecycle.find_transition(
            row.state, event, build_check_results(judgement, row, findings)
        ).next
        in PROCEEDING_STATES
    )


def screen_findings_digest(looked: FlowCheckResult) -> str:
    """Return a digest of what the screen of the wallet's party found; empty where none was made."""
    found = looked.found.get("sanctions")
    return str(found.kept.get("findings", "")) if found is not None else ""


def build_check_results(judgement: FlowJudgement, row: Settlement, findings: str) -> CheckResults:
    """Return what the table of turns judges by.

    That an officer saw the screen counts for what it found then: `findings` is of what it finds.
    """
    rows = judgement.rows
    seen = tuple(one for one in row.seen if one != "sanctions" or findings in ("", *row.seen))
    return CheckResults(
        decision=judgement.decision,
        holding=frozenset(judgement.holding),
        not_run=frozenset(name for name, one in rows.items() if one.outcome == "NOT_RUN"),
        halts=rows["stability"].code == "FLOW-17",
        seen=seen,
        held_for=tuple(row.held_for),
        sandbox=row.sandbox,
    )


def _gather_aml_screen(
    row: Settlement, check_result: FlowCheckResult, now: datetime
) -> tuple[aml_asked.AmlScreenRequest, AmlScreenInputs]:
    """Return the AML screen of the wallet that pays; no model is asked inside a transaction."""
    screen_request = aml_asked.AmlScreenRequest(
        wallet=row.sender,
        counterparty=row.recipient,
        amount=row.amount,
        currency=row.source,
        payment_id=row.settlement_id,
        direction="SEND",
    )
    engine = engines.load_current_engine(now)
    found = screen_wallets(
        engine=engine, wallets=(screen_request.wallet, screen_request.counterparty)
    )
    listed = any(one.listed for one in found)
    if check_result.converted is None and not listed:
        raise Unavailable("The amount could not be valued.")
    payment = build_payment(screen_request, check_result.converted, now)
    return screen_request, AmlScreenInputs(
        payment, check_result.converted, engine, found, load_active_weights(now), None
    )
