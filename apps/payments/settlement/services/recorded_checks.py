"""The recorded checks of a settlement in production: AML screen and combined screen.

A flow check only reads; here a settlement is a payment of an institution: its behaviour is counted,
its records are sealed, and flags and blocks lead to a case or an entry of the SAR log.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from apps.access.keys.models import KeyKind
from apps.access.keys.tenant_names import build_hidden_owner
from apps.backoffice.review.services import CaseOpening
from apps.compliance.aml.active_weights import load_active_weights
from apps.compliance.aml.rules.profile_inclusion import OtherChecks
from apps.compliance.aml.screening.requests import AmlScreenRequest
from apps.compliance.aml.screening.selectors import AmlScreenInputs, build_payment
from apps.compliance.aml.screening.services import conclude_aml_screen
from apps.compliance.aml.screening.wallet_sanctions import screen_wallets
from apps.compliance.screening.combined.requests import ScreenRequest
from apps.compliance.screening.combined.selectors import ScreenInputs
from apps.compliance.screening.combined.services import conclude_screen
from apps.payments.settlement.flow_check import FlowCheckResult
from apps.payments.settlement.models import Settlement
from apps.payments.settlement.rules import transitions
from apps.payments.settlement.rules.flow import FlowFacts, FlowJudgement, judge_flow
from apps.payments.settlement.rules.transitions import CheckResults
from apps.platform.api.callers import Caller
from apps.platform.common.problems import Unavailable
from apps.reference.watchlists import engine as watchlist_engine

Screen = tuple[ScreenRequest, ScreenInputs]
PROCEEDING_STATES = ("AWAITING_SETTLEMENT", "SETTLED")


@dataclass(frozen=True, slots=True)
class RecordedChecks:
    """The results of the checks: the facts, their records, and the cases for officers.

    `registered` is the name behind the recipient's wallet, `findings` a digest of what its screen
    found (screen_findings_digest).
    """

    facts: FlowFacts
    records: Mapping[str, Any]
    cases: tuple[CaseOpening, ...] = ()
    registered: str = ""
    findings: str = ""

    @property
    def judgement(self) -> FlowJudgement:
        """The resulting judgement."""
        return judge_flow(self.facts)


def record_checks(
    *, row: Settlement, check_result: FlowCheckResult, event: str, now: datetime
) -> RecordedChecks:
    """Run the recorded checks of a settlement; a rehearsal keeps the results of the flow.

    `event` is the event that they lead to (rules/transitions.py): a settlement that does not go
    enters no profile, and is counted once it goes.

    Call it inside a transaction: the AML screen locks the profiles of both wallets. A check that
    fails did not run, and holds the settlement.
    """
    findings = screen_findings_digest(check_result)
    if row.sandbox:
        return RecordedChecks(check_result.facts, {}, findings=findings)
    cases: list[CaseOpening] = []

    # the screens would open a case each: their openings are merged into the one of the hold
    def opens(*, opening: CaseOpening, now: datetime) -> None:
        cases.append(opening)

    facts, records = check_result.facts, dict[str, Any]()
    screened = check_result.found["sanctions"].screen if "sanctions" in check_result.found else None
    registered = screened[0].name if screened is not None else ""
    if screened is not None:
        screen_request, gathered = screened
        screen = conclude_screen(
            asked=replace(screen_request, reference=row.settlement_id[:36]),
            gathered=gathered,
            # the client did not request this screen: its keys must not find it, or learn its
            # decision
            caller=Caller(ref=build_hidden_owner(row.owner), kind=KeyKind.INTERNAL),
            now=now,
            opens=opens,
        )
        records["screens"] = [{"screenId": str(screen["screenId"]), "decision": screen["decision"]}]
        facts = replace(facts, screen=records["screens"][0]["decision"])
    try:
        aml = _gather_aml_screen(row, check_result, now)
    except Unavailable:
        facts = replace(facts, ran=facts.ran - {"aml"})
        return RecordedChecks(facts, records, tuple(cases), registered, findings)
    aml_screen = conclude_aml_screen(
        asked=aml[0],
        gathered=aml[1],
        caller=Caller(ref=row.owner, kind=KeyKind.INSTITUTION),
        now=now,
        opens=opens,
        # The screen's own action is not known yet, so both outcomes are tried: whether the
        # settlement goes if AML lets it proceed decides what enters the profiles, and whether it
        # goes although AML flags it (an officer released it) decides whether a flag holds it.
        others=OtherChecks.PASS
        if _is_let_go(row, event, facts, "PROCEED", findings)
        else OtherChecks.STOP,
        holds=not _is_let_go(row, event, facts, "FLAG", findings),
        named=registered or row.recipient,
    )
    records["aml"] = {"screenId": str(aml_screen["screenId"]), "action": aml_screen["action"]}
    facts = replace(facts, ran=facts.ran | {"aml"}, aml=aml_screen["action"])
    return RecordedChecks(facts, records, tuple(cases), registered, findings)


def _is_let_go(row: Settlement, event: str, facts: FlowFacts, action: str, findings: str) -> bool:
    """Tell whether an event lets a settlement go if the AML screen has a certain action."""
    judgement = judge_flow(replace(facts, ran=facts.ran | {"aml"}, aml=action))
    return (
        transitions.find_transition(
            row.state, event, build_check_results(judgement, row, findings)
        ).next
        in PROCEEDING_STATES
    )


def screen_findings_digest(check_result: FlowCheckResult) -> str:
    """Return a digest of the findings on the wallet's party; empty without a screen."""
    sanctions = check_result.found.get("sanctions")
    return str(sanctions.kept.get("findings", "")) if sanctions is not None else ""


def build_check_results(judgement: FlowJudgement, row: Settlement, findings: str) -> CheckResults:
    """Return the facts for the table of transitions.

    An officer's view of a screen counts only for its findings then: `findings` are the present
    ones.
    """
    rows = judgement.rows
    # `seen` also contains the digest of the findings that the officers saw (settlement_case.py)
    seen = tuple(check for check in row.seen if check != "sanctions" or findings in ("", *row.seen))
    return CheckResults(
        decision=judgement.decision,
        holding=frozenset(judgement.holding),
        not_run=frozenset(name for name, rule in rows.items() if rule.outcome == "NOT_RUN"),
        halts=rows["stability"].code == "FLOW-17",
        seen=seen,
        held_for=tuple(row.held_for),
        sandbox=row.sandbox,
    )


def _gather_aml_screen(
    row: Settlement, check_result: FlowCheckResult, now: datetime
) -> tuple[AmlScreenRequest, AmlScreenInputs]:
    """Return the AML screen of the wallet that pays; no model is called inside a transaction."""
    screen_request = AmlScreenRequest(
        wallet=row.sender,
        counterparty=row.recipient,
        amount=row.amount,
        currency=row.source,
        payment_id=row.settlement_id,
        direction="SEND",
    )
    engine = watchlist_engine.load_current_engine(now)
    wallets = screen_wallets(
        engine=engine, wallets=(screen_request.wallet, screen_request.counterparty)
    )
    # a listed wallet blocks at any amount, so that it needs no rate
    listed = any(wallet.listed for wallet in wallets)
    if check_result.converted is None and not listed:
        raise Unavailable("The amount could not be valued.")
    payment = build_payment(screen_request, check_result.converted, now)
    return screen_request, AmlScreenInputs(
        # None: no reasoning by a model, which would be waited for
        payment,
        check_result.converted,
        engine,
        wallets,
        load_active_weights(now),
        None,
    )
